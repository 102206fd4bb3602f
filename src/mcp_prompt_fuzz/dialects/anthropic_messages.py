"""Anthropic messages (`POST /v1/messages`)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from mcp_prompt_fuzz.jsontypes import Json
from mcp_prompt_fuzz.transcript import Part, Turn, text_part

from .decoded import (
    Decoded,
    Notes,
    content_parts,
    decode_base64,
    expect_list,
    expect_object,
    media_part,
    text_of,
    unknown_part,
    users_alone,
)

_IMAGES: Final = {"image/jpeg", "image/png", "image/gif", "image/webp"}


def decode(body: Json) -> Decoded:
    """The transcript of a messages request. Raises `DialectError`."""
    notes = Notes()
    turns = []
    if body.get("system") is not None:
        turns.append(Turn("system", tuple(_blocks(body["system"], "system", notes))))
    for index, item in enumerate(expect_list(body.get("messages"), "messages")):
        message = expect_object(item, f"messages[{index}]")
        role = text_of(message.get("role"))
        if role not in ("user", "assistant"):
            notes.add("a message whose role is none of the dialect's")
        turns.append(Turn(role, tuple(_blocks(message.get("content"), role, notes))))
    return Decoded(tuple(turns), tuple(notes))


def _blocks(content: Any, role: str | None, notes: Notes) -> Iterator[Part]:
    def read(block: Any) -> Iterator[Part]:
        return (users_alone(part, role, notes) for part in _block(block, notes))

    return content_parts(content, notes, read)


def _block(block: Any, notes: Notes) -> Iterator[Part]:
    match block:
        case {"type": "text", "text": str(text)}:
            if not text:
                notes.add("an empty text block")
            yield text_part(text)
        case {"type": "image", "source": dict(source)}:
            part = _media(source, notes, "image")
            if part.kind != "link" and part.media_type not in _IMAGES:
                notes.add("an image of a media type other than jpeg, png, gif and webp")
            yield part
        case {"type": "document", "source": dict(source)}:
            title = text_of(block.get("title"))
            description = text_of(block.get("context"))
            for part in _document(source, notes):
                yield replace(part, title=title, description=description)
        case {"type": "search_result", "content": list(content)}:
            for part in _blocks(content, "user", notes):
                yield replace(
                    part, uri=text_of(block.get("source")), title=text_of(block.get("title"))
                )
        case {"type": "tool_result"}:
            yield from _blocks(block.get("content", ""), "user", notes)
        case {"type": "thinking", "thinking": str(text)}:
            yield text_part(text)
        case {"type": "tool_use"}:
            yield text_part(json.dumps(block, ensure_ascii=False, sort_keys=True))
        case _:
            notes.add("a content block of a type that the dialect does not have")
            yield unknown_part(block)


def _document(source: Json, notes: Notes) -> Iterator[Part]:
    match source:
        case {"type": "text", "data": str(text)}:
            yield replace(text_part(text), media_type=text_of(source.get("media_type")))
        case {"type": "content", "content": content}:
            yield from _blocks(content, "user", notes)
        case _:
            part = _media(source, notes, "document")
            if part.kind != "link" and part.media_type != "application/pdf":
                notes.add("a base64 document of a media type other than application/pdf")
            yield part


def _media(source: Json, notes: Notes, what: str) -> Part:
    match source:
        case {"type": "base64", "data": data}:
            media_type = text_of(source.get("media_type"))
            decoded = decode_base64(data, notes, what)
            return media_part(decoded, media_type, "image" if what == "image" else None)
        case {"type": "url", "url": str(uri)} | {"type": "file", "file_id": str(uri)}:
            return Part(kind="link", uri=uri)
    notes.add(f"{what}: a source of a type that the dialect does not have")
    return unknown_part(source)
