# mypy: ignore-errors
# Run in an environment of its own, where pydantic-ai-slim is installed; nowhere else.
"""pydantic-ai: `MCPToolset.get_prompt`, whose blocks keep what the server sent."""

from driver_kit import kind_of, listed, medium, present, serve, text


def load():
    from pydantic_ai.mcp import MCPToolset  # noqa: PLC0415

    class Client:
        async def connect(self, servers):
            self._toolsets = {
                name: await MCPToolset(server["url"]).__aenter__()
                for name, server in servers.items()
            }

        async def listing(self):
            return [
                listed(server, prompt)
                for server, toolset in self._toolsets.items()
                for prompt in await toolset.list_prompts()
            ]

        async def invoke(self, server, name, arguments, model_url):
            result = await self._toolsets[server].get_prompt(name, arguments or None)
            return {"messages": reply(result)}

        async def close(self):
            for toolset in getattr(self, "_toolsets", {}).values():
                await toolset.__aexit__(None, None, None)

    return Client


def reply(result):
    """Its `PromptResult`, block by block."""
    return [
        {"role": message.role, "content": [_part(message.content)]} for message in result.messages
    ]


def _part(block):
    match getattr(block, "kind", None) or block.type:
        case "text-content":
            return text(block.content)
        case "binary":
            return medium(kind_of(block.media_type), block.data, block.media_type)
        case "resource":
            content, media_type = block.content, block.mime_type
            if isinstance(content, str):
                data = content.encode("utf-8", "surrogatepass")
            else:
                data, media_type = content.data, media_type or content.media_type
            return medium("file", data, media_type, uri=block.uri)
        case "resource_link":
            names = ("uri", "name", "title", "description", "size")
            told = {name: getattr(block, name) for name in names}
            return present({"type": "link", "mimeType": block.mime_type, **told})
    raise TypeError(f"a block of an unknown kind: {block!r}")


if __name__ == "__main__":
    serve("pydantic-ai-slim", load)
