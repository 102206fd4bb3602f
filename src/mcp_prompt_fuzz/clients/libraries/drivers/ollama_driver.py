# mypy: ignore-errors
# Run in an environment of its own, where mcp-client-for-ollama is installed; nowhere else.
"""mcp-client-for-ollama: `/SERVER:PROMPT` as typed in its chat; the arguments it asks for; yes."""

import io

from driver_kit import CAPTURED, Unsupported, listed, serve


def load():
    from any_llm import AnyLLM  # noqa: PLC0415
    from mcp_client_for_ollama.client import MCPClient  # noqa: PLC0415
    from mcp_client_for_ollama.prompts import handler  # noqa: PLC0415
    from mcp_client_for_ollama.prompts.routing import parse_user_input  # noqa: PLC0415

    class Yes:
        @staticmethod
        def ask(*_, **__):
            return "y"

    handler.Prompt = Yes  # its last question, whether to send the prompt

    class Client:
        async def connect(self, servers):
            self._client = MCPClient(
                model="lab-model", host="http://127.0.0.1:9/v1", provider="openai", api_key="none"
            )
            self._client.console.file = io.StringIO()
            entries = {
                name: {"type": "streamable_http", "url": server["url"]}
                for name, server in servers.items()
            }
            await self._client.connect_to_servers(server_configs=entries)

        async def listing(self):
            return [
                listed(server, prompt)
                for server, prompts in self._client.prompt_manager.prompts_by_server.items()
                for prompt in prompts
            ]

        async def invoke(self, server, name, arguments, model_url):
            client = self._client
            client.llm = AnyLLM.create("openai", api_key="none", api_base=f"{model_url}/v1")
            typed = f"/{server}:{name}"
            known = client.prompt_manager.prompts_by_server.get(server, ())
            never_asked(arguments, [p for p in known if p.name == name], typed)

            async def answer(question):
                return arguments.get(question, "")

            handler.get_input_no_autocomplete = answer
            client.clear_context()  # its command /clear, so that a conversation starts
            client.console.file = shown = io.StringIO()
            intent, value = parse_user_input(typed)
            if intent != "slash-prompt":
                raise ValueError(f"{typed} is taken for {intent}")
            # Its usual way to run a query only adds a watch for the key that cancels it.
            done = await client.prompt_handler.invoke_prompt(
                value, client.sessions, client.process_query, client._temporary_history_extension
            )
            return CAPTURED if done else {"error": shown.getvalue().strip()}

        async def close(self):
            await self._client.cleanup()

    return Client


def never_asked(arguments, prompts, typed):
    """Raises `Unsupported` for an argument that it does not ask for: it asks for required ones."""
    for prompt in prompts:
        asked = {argument.name for argument in prompt.arguments or () if argument.required}
        for name in arguments:
            if name not in asked:
                why = f"only required arguments are asked for, and {name!r} is not required"
                raise Unsupported(f"arguments.verbatim: {why}", typed)


if __name__ == "__main__":
    serve("mcp-client-for-ollama", load)
