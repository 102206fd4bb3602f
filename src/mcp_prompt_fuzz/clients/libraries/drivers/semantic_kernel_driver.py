# mypy: ignore-errors
# Run in an environment of its own, where semantic-kernel is installed; nowhere else.
"""semantic-kernel: a plugin's `get_prompt(name, **arguments)`, then its own OpenAI connector."""

from driver_kit import CAPTURED, present, serve, taken_keywords


def load():
    from openai import AsyncOpenAI  # noqa: PLC0415
    from semantic_kernel.connectors.ai.open_ai import (  # noqa: PLC0415
        OpenAIChatCompletion,
        OpenAIChatPromptExecutionSettings,
    )
    from semantic_kernel.connectors.mcp import MCPStreamableHttpPlugin  # noqa: PLC0415
    from semantic_kernel.contents import ChatHistory  # noqa: PLC0415

    class Client:
        async def connect(self, servers):
            self._plugins = {}
            for name, server in servers.items():
                # Of a server's tools nothing is wanted here.
                plugin = MCPStreamableHttpPlugin(name, server["url"], load_tools=False)
                self._plugins[name] = await plugin.__aenter__()

        async def listing(self):
            return [
                entry(server, function)
                for server, plugin in self._plugins.items()
                for function in vars(plugin).values()
                if hasattr(function, "__kernel_function__")
            ]

        async def invoke(self, server, name, arguments, model_url):
            get_prompt = self._plugins[server].get_prompt
            taken_keywords(get_prompt, arguments)
            messages = await get_prompt(name, **arguments)
            async with AsyncOpenAI(base_url=f"{model_url}/v1", api_key="none") as model:
                service = OpenAIChatCompletion("gpt-4o", async_client=model)
                settings = OpenAIChatPromptExecutionSettings()
                await service.get_chat_message_contents(ChatHistory(messages=messages), settings)
            return CAPTURED

        async def close(self):
            for plugin in getattr(self, "_plugins", {}).values():
                await plugin.__aexit__(None, None, None)

    return Client


def entry(server, function):
    """A prompt as the kernel shows it: a function with its parameters."""
    return present(
        {
            "server": server,
            "name": function.__kernel_function_name__,
            "description": function.__kernel_function_description__,
            "arguments": [
                present(
                    {
                        "name": parameter["name"],
                        "description": parameter.get("description"),
                        "required": parameter.get("is_required"),
                    }
                )
                for parameter in function.__kernel_function_parameters__
            ],
        }
    )


if __name__ == "__main__":
    serve("semantic-kernel", load)
