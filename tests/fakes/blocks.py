"""The messages of a `prompts/get` result as flat blocks, which is what fakes render."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any, TypeAlias

from mcp_prompt_fuzz.case import kind_of
from mcp_prompt_fuzz.jsontypes import Json


@dataclass(frozen=True)
class Block:
    """One message: who says it, and its part with all that is told beside the content.

    `text` is set for texts and text documents, `data` (base64 as it was sent) for media and blobs.
    """

    role: str
    kind: str
    text: str = ""
    data: str = ""
    media_type: str | None = None
    uri: str | None = None
    name: str | None = None
    title: str | None = None
    description: str | None = None
    size: int | None = None
    annotations: Mapping[str, Any] | None = field(default=None, hash=False)

    @property
    def is_text(self) -> bool:
        """Whether it is a plain text, not a document."""
        return self.kind == "text"

    @property
    def is_bytes(self) -> bool:
        """Whether its content is bytes."""
        return self.kind in ("image", "audio", "resource.blob")

    @property
    def audience(self) -> list[str] | None:
        """Whom its annotations name, None where they name nobody."""
        return (self.annotations or {}).get("audience")

    @property
    def told(self) -> Json:
        """What is told beside the content, by the names that the protocol uses."""
        members = {
            "mimeType": self.media_type,
            "uri": self.uri,
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "size": self.size,
        }
        return {member: value for member, value in members.items() if value is not None}

    @property
    def told_as_json(self) -> str:
        """The same as one line of JSON, the kind with it."""
        return json.dumps({"kind": self.kind, **self.told}, ensure_ascii=False)


Blocks: TypeAlias = list[Block]
Reply: TypeAlias = str | Json
Shape: TypeAlias = Callable[[Blocks], Reply]
"""From the blocks of a prompt to a reply of the line protocol; a string is its `text`."""

Edit: TypeAlias = Callable[[Blocks], Blocks]
"""What a fault does to the blocks before a shape renders them."""


def blocks_of(result: Mapping[str, Any]) -> Blocks:
    """The blocks of a `prompts/get` result, in order."""
    return [_block(message["role"], message["content"]) for message in result["messages"]]


def _block(role: str, content: Json) -> Block:
    holder = content.get("resource", content)
    return Block(
        role=role,
        kind=kind_of(content),
        text=holder.get("text", ""),
        data=holder.get("data", holder.get("blob", "")),
        media_type=holder.get("mimeType"),
        uri=holder.get("uri"),
        name=content.get("name"),
        title=content.get("title"),
        description=content.get("description"),
        size=content.get("size"),
        annotations=content.get("annotations"),
    )


def turns_of(blocks: Iterable[Block]) -> Iterator[tuple[str, Blocks]]:
    """Runs of blocks that one speaker says, with the speaker."""
    for role, run in groupby(blocks, key=lambda block: block.role):
        yield role, list(run)


def base64_of(text: str) -> str:
    """The text's UTF-8 in base64."""
    return base64.b64encode(text.encode("utf-8", "surrogatepass")).decode("ascii")


def bytes_of(block: Block) -> bytes:
    """The bytes that a block carries."""
    return base64.b64decode(block.data)


def data_uri(block: Block, data: str | None = None) -> str:
    """The block's bytes as a data URI, in the spelling `data` where one is given."""
    media_type = block.media_type or "application/octet-stream"
    return f"data:{media_type};base64,{block.data if data is None else data}"


def native(block: Block) -> Json:
    """The block as a part of the line protocol, with nothing left out."""
    match block.kind:
        case "text":
            return text(block.text)
        case "image" | "audio":
            return {"type": block.kind, "data": block.data, **block.told}
        case "resource_link":
            return {"type": "link", **block.told}
    if block.is_bytes:
        unknown = {"mimeType": "application/octet-stream"}
        return {"type": "file", "data": block.data, **unknown, **block.told}
    plain = {"mimeType": "text/plain"}
    return {"type": "file", "data": base64_of(block.text), **plain, **block.told}


def text(words: str) -> Json:
    """A part that is nothing but text."""
    return {"type": "text", "text": words}


def message(role: str, *parts: Json) -> Json:
    """A message of the line protocol."""
    return {"role": role, "content": list(parts)}


def on_texts(change: Callable[[str], str], *kinds: str) -> Edit:
    """An edit of every text of those kinds (of plain texts unless told)."""
    wanted = kinds or ("text",)

    def edit(blocks: Blocks) -> Blocks:
        return [replace(b, text=change(b.text)) if b.kind in wanted else b for b in blocks]

    return edit


def on_blocks(change: Callable[[Block], Block], wanted: Callable[[Block], bool]) -> Edit:
    """An edit of every block that is `wanted`."""
    return lambda blocks: [change(b) if wanted(b) else b for b in blocks]


def dropping(unwanted: Callable[[Block], bool]) -> Edit:
    """An edit that leaves out every block that is `unwanted`."""
    return lambda blocks: [b for b in blocks if not unwanted(b)]


def of_kind(*kinds: str) -> Callable[[Block], bool]:
    """Whether a block is of one of those kinds."""
    return lambda block: block.kind in kinds
