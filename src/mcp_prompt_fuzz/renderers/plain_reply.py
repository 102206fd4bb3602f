"""Replies that are plainly right, read in one pass and without their schema.

The schema judges, and says what is wrong; but it costs more than everything else that is done with
a reply, and almost every reply is as it should be. What is read here, the schema accepts (a test
compares them); whatever is in the least unusual is left to it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ..dialects.decoded import Notes, decode_base64
from ..rendering import Rendering
from ..transcript import Part, PartKind, Transcript, Turn, text_part

_ROLES: Final = frozenset({"system", "developer", "user", "assistant", "tool"})
_HOLDS: Final[Mapping[PartKind, tuple[str, ...]]] = {
    "image": ("data", "mimeType"),
    "audio": ("data", "mimeType"),
    "file": ("data", "mimeType"),
    "link": ("uri",),
}
_STRINGS: Final = ("text", "data", "mimeType", "uri", "name", "title", "description")


class Unusual(Exception):
    """Only the schema can tell whether this is right."""


def read_plainly(reply: object) -> Rendering:
    """The rendering that a reply stands for. Raises `Unusual`."""
    if not isinstance(reply, dict):
        raise Unusual
    shown, form, told = "", "", None
    for member, value in reply.items():
        if member == "id":
            if type(value) is not int:
                raise Unusual
        elif member == "shown":
            shown = _string(value)
        elif form:
            raise Unusual
        else:
            form, told = member, value
    match form:
        case "messages":
            return Rendering(turns=read_messages(told), shown=shown)
        case "text":
            return Rendering(turns=(Turn(None, (text_part(_string(told)),)),), shown=shown)
        case "error":
            return Rendering(error=_string(told), shown=shown)
        case "unsupported":
            return Rendering(unsupported=_string(told), shown=shown)
    raise Unusual


def read_messages(messages: Any) -> Transcript:
    """The turns that the messages of a reply stand for. Raises `Unusual`."""
    if not isinstance(messages, list):
        raise Unusual
    return tuple([_turn(message) for message in messages])


def _turn(message: Any) -> Turn:
    if not isinstance(message, dict):
        raise Unusual
    role, content = message.get("role"), message.get("content")
    if not isinstance(role, str) or role not in _ROLES:
        raise Unusual
    if isinstance(content, list):
        return Turn(role, tuple([_part(part) for part in content]))
    return Turn(role, (text_part(_string(content)),))


def _part(part: Any) -> Part:
    if not isinstance(part, dict):
        raise Unusual
    kind, text = part.get("type"), part.get("text")
    if kind == "text" and len(part) == 2 and isinstance(text, str):
        return text_part(text)
    for member in _STRINGS:
        if member in part:
            _string(part[member])
    told = part.get
    size = told("size")
    if "size" in part and not _is_whole(size):
        raise Unusual
    if kind == "text":
        return text_part(_string(text))
    return Part(
        kind=_kind(kind, part),
        # Any spelling of base64 is read: how bytes are spelt is no matter between us.
        data=b"" if kind == "link" else decode_base64(part["data"], Notes(), ""),
        media_type=told("mimeType"),
        uri=told("uri"),
        name=told("name"),
        title=told("title"),
        description=told("description"),
        size=size,
    )


def _kind(kind: Any, part: dict[str, Any]) -> PartKind:
    """The kind of a part other than a text, which holds what its kind asks for."""
    for known, members in _HOLDS.items():
        if kind == known and all(member in part for member in members):
            return known
    raise Unusual


def _string(value: Any) -> str:
    if not isinstance(value, str):
        raise Unusual
    return value


def _is_whole(value: Any) -> bool:
    """What JSON Schema calls an integer."""
    return type(value) is int or (type(value) is float and value.is_integer())
