"""OpenAI responses (`POST /v1/responses`)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

from mcp_prompt_fuzz.jsontypes import Json
from mcp_prompt_fuzz.transcript import Part, Turn, text_part

from .decoded import (
    Decoded,
    DialectError,
    Notes,
    content_parts,
    decode_base64,
    expect_list,
    expect_object,
    media_part,
    text_of,
    unknown_part,
    url_part,
)
from .openai_chat import file_part

_ROLES: Final = {"system", "developer", "user", "assistant"}
_OUTPUT: Final = {"output_text", "refusal"}


def decode(body: Json) -> Decoded:
    """The transcript of a responses request. Raises `DialectError`."""
    notes = Notes()
    turns = []
    instructions = text_of(body.get("instructions"))
    if instructions is not None:
        turns.append(Turn("system", (text_part(instructions),)))
    given = body.get("input")
    if isinstance(given, str):
        turns.append(Turn("user", (text_part(given),)))
    elif given is None and instructions is None:
        raise DialectError("input: missing")
    elif given is not None:
        for index, item in enumerate(expect_list(given, "input")):
            turns.append(_turn(expect_object(item, f"input[{index}]"), notes))
    return Decoded(tuple(turns), tuple(notes))


def _turn(item: Json, notes: Notes) -> Turn:
    kind = item.get("type", "message")
    if kind == "message" or "role" in item:
        role = text_of(item.get("role"))
        if role not in _ROLES:
            notes.add("a message whose role is none of the dialect's")
        return Turn(role, tuple(_parts(item.get("content"), role, notes)))
    if kind == "function_call_output":
        return Turn("tool", tuple(_parts(item.get("output"), "tool", notes)))
    if kind == "item_reference":
        return Turn(None, (Part(kind="link", uri=text_of(item.get("id"))),))
    return Turn("assistant", (text_part(json.dumps(item, ensure_ascii=False, sort_keys=True)),))


def _parts(content: Any, role: str | None, notes: Notes) -> Iterator[Part]:
    def read(piece: Any) -> Iterator[Part]:
        if isinstance(piece, dict) and role in _ROLES:
            of_model = piece.get("type") in _OUTPUT
            if of_model != (role == "assistant"):
                notes.add_misplaced(str(piece.get("type")), role)
        yield _part(piece, notes)

    return content_parts(content, notes, read)


def _part(piece: Any, notes: Notes) -> Part:
    match piece:
        case {"type": "input_text" | "output_text" | "text", "text": str(text)}:
            if piece["type"] == "text":
                notes.add("a content part of a type that the dialect does not have")
            return text_part(text)
        case {"type": "refusal", "refusal": str(text)}:
            return text_part(text)
        case {"type": "input_image"} if "image_url" in piece or "file_id" in piece:
            if piece.get("image_url") is None:
                return Part(kind="link", uri=text_of(piece.get("file_id")))
            part = url_part(piece["image_url"], notes, "input_image")
            if part.kind in ("audio", "file"):
                notes.add("input_image that holds no image")
            return part
        case {"type": "input_audio", "input_audio": {"data": data, "format": form}}:
            media_type = {"mp3": "audio/mpeg"}.get(str(form), f"audio/{form}")
            return media_part(decode_base64(data, notes, "input_audio"), media_type, "audio")
        case {"type": "input_file"}:
            return file_part(piece, notes)
    notes.add("a content part of a type that the dialect does not have")
    return unknown_part(piece)
