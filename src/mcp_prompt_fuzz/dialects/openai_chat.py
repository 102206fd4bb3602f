"""OpenAI chat completions (`POST /v1/chat/completions`), as its many speakers send it."""

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
    url_part,
    users_alone,
)

_ROLES: Final = {"system", "developer", "user", "assistant", "tool", "function"}
_AUDIO: Final = {"wav": "audio/wav", "mp3": "audio/mpeg"}


def decode(body: Json) -> Decoded:
    """The transcript of a chat completions request. Raises `DialectError`."""
    notes = Notes()
    turns = []
    for index, item in enumerate(expect_list(body.get("messages"), "messages")):
        message = expect_object(item, f"messages[{index}]")
        role = text_of(message.get("role"))
        if role not in _ROLES:
            notes.add("a message whose role is none of the dialect's")
        turns.append(Turn(role, tuple(_message_parts(message, role, notes))))
    return Decoded(tuple(turns), tuple(notes))


def _message_parts(message: Json, role: str | None, notes: Notes) -> Iterator[Part]:
    content = message.get("content")
    if isinstance(content, str):
        yield text_part(content)
    elif isinstance(content, list):
        for piece in content:
            yield users_alone(_part(piece, notes), role, notes)
    elif content is not None:
        notes.add("content that is neither a string nor an array")
        yield unknown_part(content)
    elif not message.get("tool_calls") and role != "assistant":
        notes.add("a message without content")
    refusal = text_of(message.get("refusal"))
    if refusal:
        yield text_part(refusal)
    for call in message.get("tool_calls") or ():
        yield text_part(json.dumps(call, ensure_ascii=False, sort_keys=True))


def _part(piece: Any, notes: Notes) -> Part:
    if not isinstance(piece, dict):
        notes.add("a content part that is not an object")
        return unknown_part(piece)
    match piece:
        case {"type": "text", "text": str(text)} | {"type": "refusal", "refusal": str(text)}:
            return text_part(text)
        case {"type": "image_url", "image_url": image}:
            if not isinstance(image, dict):
                notes.add("image_url that is not an object")
                image = {"url": image}
            part = url_part(image.get("url"), notes, "image_url")
            if part.kind in ("audio", "file"):
                notes.add("image_url that holds no image")
            return part
        case {"type": "input_audio", "input_audio": {"data": data, "format": form}}:
            if form not in _AUDIO:
                notes.add("input_audio in a format other than wav and mp3")
            media_type = _AUDIO.get(str(form), f"audio/{form}")
            return media_part(decode_base64(data, notes, "input_audio"), media_type, "audio")
        case {"type": "file", "file": dict(file)}:
            return file_part(file, notes)
    notes.add("a content part of a type that the dialect does not have")
    return unknown_part(piece)


def file_part(file: Json, notes: Notes) -> Part:
    """The part that a file's members stand for: `file_data` (a data URI or base64) or an id."""
    name = text_of(file.get("filename"))
    if "file_data" in file:
        data = file["file_data"]
        if isinstance(data, str) and data[:5].lower() == "data:":
            return url_part(data, notes, "file_data", name=name)
        return media_part(decode_base64(data, notes, "file_data"), None, "file", name=name)
    uri = text_of(file.get("file_url")) or text_of(file.get("file_id"))
    if uri is None:
        notes.add("a file without data")
        return unknown_part(file)
    return Part(kind="link", uri=uri, name=name)
