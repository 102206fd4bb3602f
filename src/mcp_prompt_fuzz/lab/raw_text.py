"""Lone surrogates on their way through the SDK, whose older wire writes UTF-8 and stops at them.

They have no bytes in UTF-8, but JSON can carry them as escapes, and a server of another make does.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

_LONE: Final = re.compile("[\ud800-\udfff]")
# Plane 15 is for private use; nobody else puts four digits between these two characters.
_SHIELD: Final = re.compile("\U000f5a00([0-9a-f]{4})\U000f5a01".encode())


def shield(value: Any) -> Any:
    """The JSON value with a printable stand-in for each lone surrogate."""
    if isinstance(value, str):
        return _LONE.sub(lambda found: f"\U000f5a00{ord(found[0]):04x}\U000f5a01", value)
    if isinstance(value, Mapping):
        return {shield(key): shield(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [shield(item) for item in value]
    return value


def unshield(body: bytes) -> bytes:
    """JSON text, in UTF-8, with the escape that each stand-in stands for."""
    return _SHIELD.sub(rb"\\u\1", body)


def unshielding(app: ASGIApp) -> ASGIApp:
    """The application with every stand-in in its answers replaced.

    Only streamed answers hold any, so no `Content-Length` is wrong after it.
    """

    async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
        async def write(message: Message) -> None:
            if message["type"] == "http.response.body" and message.get("body"):
                message = {**message, "body": unshield(message["body"])}
            await send(message)

        await app(scope, receive, write)

    return wrapped
