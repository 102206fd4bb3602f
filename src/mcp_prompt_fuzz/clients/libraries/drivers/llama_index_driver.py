# mypy: ignore-errors
# Run in an environment of its own, where llama-index-tools-mcp is installed; nowhere else.
"""llama-index-tools-mcp: `BasicMCPClient.get_prompt`, a session for each call."""

import base64
import json

from driver_kit import listed, medium, present, serve, text


def load():
    from llama_index.tools.mcp import BasicMCPClient  # noqa: PLC0415

    class Client:
        async def connect(self, servers):
            self._clients = {
                name: BasicMCPClient(server["url"]) for name, server in servers.items()
            }

        async def listing(self):
            shown = []
            for server, client in self._clients.items():
                found = await client.list_prompts()
                # Declared as a list of prompts, it is the protocol's result that comes back.
                for prompt in getattr(found, "prompts", found):
                    shown.append(listed(server, prompt))
            return shown

        async def invoke(self, server, name, arguments, model_url):
            client = self._clients[server]
            return {"messages": reply(await client.get_prompt(name, arguments or None))}

        async def close(self):
            pass

    return Client


def reply(messages):
    """LlamaIndex chat messages, block by block, as its own model integrations read them."""
    return [
        {"role": message.role.value, "content": [_part(block) for block in message.blocks]}
        for message in messages
    ]


def _part(block):
    match block.block_type:
        case "text":
            return text(block.text)
        case "image" if block.image is not None:
            return medium("image", _bytes(block.resolve_image()), block.image_mimetype)
        case "audio" if block.audio is not None:
            media_type = block.format and f"audio/{block.format}"
            return medium("audio", _bytes(block.resolve_audio()), media_type)
        case "document" if block.data is not None:
            found = _bytes(block.resolve_document())
            return medium("file", found, block.document_mimetype, name=block.title)
        case "image" | "audio" | "document" if block.url is not None:
            return present({"type": "link", "uri": str(block.url)})
    return text(json.dumps(block.model_dump(mode="json"), ensure_ascii=False))


def _bytes(stream):
    data = stream.read()
    return data if isinstance(data, bytes) else base64.b64decode(data)


if __name__ == "__main__":
    serve("llama-index-tools-mcp", load)
