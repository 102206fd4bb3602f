"""Ollama chat (`POST /api/chat`): texts are strings, images stand beside them as base64."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final

from mcp_prompt_fuzz.jsontypes import Json
from mcp_prompt_fuzz.transcript import Part, Turn, text_part

from .decoded import (
    Decoded,
    Notes,
    decode_base64,
    expect_list,
    expect_object,
    media_part,
    text_of,
    unknown_part,
    url_part,
)

_ROLES: Final = {"system", "user", "assistant", "tool"}


def decode(body: Json) -> Decoded:
    """The transcript of a chat request. Raises `DialectError`."""
    notes = Notes()
    turns = []
    for index, item in enumerate(expect_list(body.get("messages"), "messages")):
        message = expect_object(item, f"messages[{index}]")
        role = text_of(message.get("role"))
        if role not in _ROLES:
            notes.add("a message whose role is none of the dialect's")
        turns.append(Turn(role, tuple(_parts(message, notes))))
    return Decoded(tuple(turns), tuple(notes))


def _parts(message: Json, notes: Notes) -> Iterator[Part]:
    content = message.get("content", "")
    if isinstance(content, str):
        yield text_part(content)
    else:
        notes.add("content that is not a string")
        for piece in content if isinstance(content, list) else [content]:
            yield unknown_part(piece)
    for image in message.get("images") or ():
        if isinstance(image, str) and image[:5].lower() == "data:":
            notes.add("images: a data URI where plain base64 is asked for")
            yield url_part(image, notes, "images")
        else:
            yield media_part(decode_base64(image, notes, "images"), None, "image")
    thinking = text_of(message.get("thinking"))
    if thinking:
        yield text_part(thinking)
    for call in message.get("tool_calls") or ():
        yield text_part(json.dumps(call, ensure_ascii=False, sort_keys=True))
