"""Gemini `generateContent` (`POST /v1beta/models/MODEL:generateContent`).

Its JSON is that of a protocol buffer, so members are read in camel case and in snake case.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

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
)

_ROLES: Final = {"user": "user", "model": "assistant", "function": "tool", "tool": "tool"}
_CALLS: Final = (
    ("functionCall", "function_call"),
    ("functionResponse", "function_response"),
    ("executableCode", "executable_code"),
    ("codeExecutionResult", "code_execution_result"),
)


def decode(body: Json) -> Decoded:
    """The transcript of a generateContent request. Raises `DialectError`."""
    notes = Notes()
    turns = []
    system = _member(body, "systemInstruction", "system_instruction")
    if system is not None:
        content = expect_object(system, "systemInstruction")
        turns.append(Turn("system", tuple(_parts(content, notes))))
    for index, item in enumerate(expect_list(body.get("contents"), "contents")):
        content = expect_object(item, f"contents[{index}]")
        role = content.get("role", "user")
        if role not in _ROLES:
            notes.add("a content whose role is neither user nor model")
        turns.append(Turn(_ROLES.get(role, text_of(role)), tuple(_parts(content, notes))))
    return Decoded(tuple(turns), tuple(notes))


def _member(holder: Json, camel: str, snake: str) -> Any:
    return holder[camel] if camel in holder else holder.get(snake)


def _parts(content: Json, notes: Notes) -> Iterator[Part]:
    parts = content.get("parts")
    if isinstance(parts, dict):
        parts = [parts]
    if not isinstance(parts, list) or not parts:
        notes.add("a content without parts")
        return
    for piece in parts:
        yield _part(piece, notes)


def _part(piece: Any, notes: Notes) -> Part:
    if not isinstance(piece, dict):
        notes.add("a part that is not an object")
        return unknown_part(piece)
    if isinstance(piece.get("text"), str):
        return text_part(piece["text"])
    inline = _member(piece, "inlineData", "inline_data")
    if isinstance(inline, dict):
        media_type = text_of(_member(inline, "mimeType", "mime_type"))
        if not media_type:
            notes.add("inlineData without a media type")
        name = text_of(_member(inline, "displayName", "display_name"))
        data = decode_base64(inline.get("data", ""), notes, "inlineData")
        return media_part(data, media_type, name=name)
    linked = _member(piece, "fileData", "file_data")
    if isinstance(linked, dict):
        return Part(
            kind="link",
            uri=text_of(_member(linked, "fileUri", "file_uri")),
            media_type=text_of(_member(linked, "mimeType", "mime_type")),
            name=text_of(_member(linked, "displayName", "display_name")),
        )
    if all(_member(piece, *names) is None for names in _CALLS):
        notes.add("a part of a type that the dialect does not have")
    return text_part(json.dumps(piece, ensure_ascii=False, sort_keys=True))
