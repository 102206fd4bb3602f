"""Whether a reply is plainly right, so that its schema need not be asked.

The schema judges, and says what is wrong; but it costs more than everything else that is done with
a reply, and almost every reply is as it should be. What this accepts, the schema accepts (a test
compares them); of anything that is in the least unusual, it says that it doesn't know.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

_ROLES: Final = frozenset({"system", "developer", "user", "assistant", "tool"})
_OWN: Final[Mapping[str, tuple[str, ...]]] = {
    "text": ("text",),
    "image": ("data", "mimeType"),
    "audio": ("data", "mimeType"),
    "file": ("data", "mimeType"),
    "link": ("uri",),
}
_STRINGS: Final = frozenset({"text", "data", "mimeType", "uri", "name", "title", "description"})


def is_plainly_right(reply: object) -> bool:
    """Whether the reply fits its schema; False where that isn't sure."""
    if type(reply) is not dict:
        return False
    for member, value in reply.items():
        if member in ("text", "shown", "error", "unsupported"):
            right = type(value) is str
        elif member == "id":
            right = type(value) is int
        else:
            right = member == "messages" and type(value) is list and all(map(_is_message, value))
        if not right:
            return False
    return True


def _is_message(message: Any) -> bool:
    if type(message) is not dict or "content" not in message:
        return False
    role, content = message.get("role"), message["content"]
    if type(role) is not str or role not in _ROLES:
        return False
    return type(content) is str or (type(content) is list and all(map(_is_part, content)))


def _is_part(part: Any) -> bool:
    if type(part) is not dict:
        return False
    kind = part.get("type")
    if type(kind) is not str or kind not in _OWN:
        return False
    for member in _OWN[kind]:
        if member not in part:
            return False
    for member, value in part.items():
        if member in _STRINGS:
            if type(value) is not str:
                return False
        elif member == "size" and type(value) is not int:
            return False
    return True
