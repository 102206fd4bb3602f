"""How much a client may send to the lab between two looks: our memory isn't its to fill."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import anyio
import anyio.abc
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MOST_BYTES: Final = 16 * 1024 * 1024
"""Generous: what one case makes a client send is seldom more than some hundred kilobytes."""


class Meter:
    """Counts bytes that come in. Once there are too many, nothing more is let in until `reset`."""

    def __init__(self) -> None:
        self._received = 0

    @property
    def flooded(self) -> bool:
        """Whether there were too many."""
        return self._received > MOST_BYTES

    def count(self, block: bytes) -> None:
        self._received += len(block)

    def reset(self) -> None:
        """Begin anew."""
        self._received = 0

    def over_http(self, app: ASGIApp) -> ASGIApp:
        """The application; requests that are too much for it are answered 413."""

        async def metered(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] != "http":
                await app(scope, receive, send)
                return
            body = bytearray()
            more = True
            while more:
                message = await receive()
                if message["type"] == "http.disconnect":
                    return
                block = message.get("body", b"")
                self.count(block)
                if self.flooded:
                    await send({"type": "http.response.start", "status": 413, "headers": []})
                    await send({"type": "http.response.body", "body": b""})
                    return
                body += block
                more = message.get("more_body", False)
            whole = [{"type": "http.request", "body": bytes(body), "more_body": False}]

            async def replay() -> Message:
                return whole.pop() if whole else await receive()

            await app(scope, replay, send)

        return metered


class MeteredStream(anyio.abc.ByteStream):
    """A byte stream that ends, for its reader, once there was too much."""

    def __init__(self, stream: anyio.abc.ByteStream, meter: Meter) -> None:
        self._stream = stream
        self._meter = meter

    async def receive(self, max_bytes: int = 65536) -> bytes:
        block = await self._stream.receive(max_bytes)
        self._meter.count(block)
        if self._meter.flooded:
            raise anyio.EndOfStream
        return block

    async def send(self, item: bytes) -> None:
        await self._stream.send(item)

    async def send_eof(self) -> None:
        await self._stream.send_eof()

    async def aclose(self) -> None:
        await self._stream.aclose()

    @property
    def extra_attributes(self) -> Mapping[Any, Any]:
        return self._stream.extra_attributes
