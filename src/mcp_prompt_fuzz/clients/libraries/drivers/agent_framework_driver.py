# mypy: ignore-errors
# Run in an environment of its own, where agent-framework-core is installed; nowhere else.
"""agent-framework: `MCPStreamableHTTPTool.get_prompt(name, **arguments)`, which gives a string."""

from driver_kit import serve, taken_keywords


def load():
    from agent_framework import MCPStreamableHTTPTool  # noqa: PLC0415

    class Client:
        async def connect(self, servers):
            self._tools = {}
            for name, server in servers.items():
                # Of a server's tools nothing is wanted here.
                tool = MCPStreamableHTTPTool(name, server["url"], load_tools=False)
                self._tools[name] = await tool.__aenter__()

        async def listing(self):
            return [
                entry(server, function)
                for server, tool in self._tools.items()
                for function in tool.functions
            ]

        async def invoke(self, server, name, arguments, model_url):
            get_prompt = self._tools[server].get_prompt
            taken_keywords(get_prompt, arguments)
            return {"text": await get_prompt(name, **arguments)}

        async def close(self):
            for tool in getattr(self, "_tools", {}).values():
                await tool.__aexit__(None, None, None)

    return Client


def entry(server, function):
    """A prompt as the framework shows it: a function with a JSON schema for its parameters."""
    schema = function.parameters()
    required = schema.get("required") or ()
    return {
        "server": server,
        "name": function.name,
        "description": function.description,
        "arguments": [
            {"name": name, "required": name in required} for name in schema.get("properties") or ()
        ],
    }


if __name__ == "__main__":
    serve("agent-framework-core", load)
