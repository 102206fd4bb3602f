# mypy: ignore-errors
# Run in an environment of its own, where langchain-mcp-adapters is installed; nowhere else.
"""langchain-mcp-adapters: `MultiServerMCPClient.get_prompt`, a session for each call."""

import json

from driver_kit import kind_of, medium, present, serve, text

_ROLES = {"human": "user", "ai": "assistant", "system": "system", "tool": "tool"}


def load():
    from langchain_mcp_adapters.client import MultiServerMCPClient  # noqa: PLC0415

    class Client:
        async def connect(self, servers):
            self._client = MultiServerMCPClient(
                {
                    name: {"transport": "streamable_http", "url": server["url"]}
                    for name, server in servers.items()
                }
            )

        async def listing(self):
            return None

        async def invoke(self, server, name, arguments, model_url):
            # Without arguments, its user leaves the parameter out.
            given = {"arguments": arguments} if arguments else {}
            return {"messages": reply(await self._client.get_prompt(server, name, **given))}

        async def close(self):
            pass

    return Client


def reply(messages):
    """LangChain messages; their content is a string or a list of content blocks."""
    return [
        {
            "role": _ROLES[message.type],
            "content": message.content
            if isinstance(message.content, str)
            else [_part(block) for block in message.content],
        }
        for message in messages
    ]


def _part(block):
    if isinstance(block, str):
        return text(block)
    match block:
        case {"type": "text", "text": str(value)}:
            return text(value)
        case {"type": "image" | "audio" | "file" | "video", "base64": data, "mime_type": kind}:
            return medium(kind_of(kind), data, kind)
        case {"type": "image" | "audio" | "file" | "video", "url": uri}:
            return present({"type": "link", "uri": uri, "mimeType": block.get("mime_type")})
    return text(json.dumps(block, ensure_ascii=False))


if __name__ == "__main__":
    serve("langchain-mcp-adapters", load)
