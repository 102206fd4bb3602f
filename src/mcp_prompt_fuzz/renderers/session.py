"""A live client session of the installed MCP SDK, in memory, answered through `serving`.

The server's side is raw JSON-RPC, so that what is sent is exactly the case, whatever the SDK's
own server would make of it. Only public names that SDK 1.x and 2.x share are used.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

import anyio
from mcp import ClientSession, types
from mcp.shared.memory import create_client_server_memory_streams
from mcp.shared.message import SessionMessage
from pydantic import TypeAdapter

from ..case import Case
from ..jsontypes import Json, without
from ..rendering import Request
from ..serving import METHOD_NOT_FOUND, MODERN, RpcError, get_prompt, list_prompts

SERVER_INFO: Final = {"name": "mcp-prompt-fuzz", "version": "1"}
_NEWEST_HANDSHAKE: Final = "2025-11-25"
_MESSAGE: Final[TypeAdapter[Any]] = TypeAdapter(types.JSONRPCMessage)


class Responder:
    """The server's side: answers for whichever case was published last, and records requests."""

    def __init__(self, revision: str) -> None:
        self.revision = revision
        self._spoken = revision
        self._listed: Case | None = None
        self._invoked: Case | None = None
        self._requests: list[Request] = []

    def publish(self, listed: Case, invoked: Case) -> None:
        """From now on list the prompts of `listed` and give the content of `invoked`.

        They differ while the earlier cases of `listed` are invoked. Forgets all requests.
        """
        self._listed, self._invoked = listed, invoked
        self._requests = []

    @property
    def requests(self) -> tuple[Request, ...]:
        """What was asked since a case was published, the handshake aside."""
        return tuple(self._requests)

    def answer(self, method: str, params: Json) -> Json:
        """The result for a request. Raises `RpcError`."""
        match method:
            case "initialize":
                return self._initialized(params)
            case "server/discover":
                return self._discovered()
            case "ping":
                return {}
        asked = without(params, "_meta")  # the protocol's own envelope, and nobody's argument
        try:
            result = self._answer(method, params)
        except RpcError as error:
            self._requests.append(Request(method, asked, error=error.code))
            raise
        self._requests.append(Request(method, asked))
        return result

    def _answer(self, method: str, params: Json) -> Json:
        if method == "prompts/list" and self._listed is not None:
            return list_prompts(self._listed, params, revision=self._spoken)
        if method == "prompts/get" and self._invoked is not None:
            return get_prompt(self._invoked, params, revision=self._spoken)
        raise RpcError(METHOD_NOT_FOUND, f"no such method: {method}")

    def _initialized(self, params: Json) -> Json:
        asked = params.get("protocolVersion", _NEWEST_HANDSHAKE)
        self._spoken = min(asked, self.revision, _NEWEST_HANDSHAKE)
        return {
            "protocolVersion": self._spoken,
            "capabilities": {"prompts": {}},
            "serverInfo": SERVER_INFO,
        }

    def _discovered(self) -> Json:
        if self.revision < MODERN:
            raise RpcError(METHOD_NOT_FOUND, "no such method: server/discover")
        return {
            "resultType": "complete",
            "supportedVersions": [self.revision],
            "capabilities": {"prompts": {}},
            "ttlMs": 0,
            "cacheScope": "private",
            "_meta": {"io.modelcontextprotocol/serverInfo": SERVER_INFO},
        }


@asynccontextmanager
async def connected(responder: Responder) -> AsyncIterator[ClientSession]:
    """A session that has shaken hands with the responder, in its newest revision or below."""
    async with (
        create_client_server_memory_streams() as (client, server),
        anyio.create_task_group() as tasks,
    ):
        tasks.start_soon(_serve, responder, *server)
        async with ClientSession(*client) as session:
            if responder.revision >= MODERN and hasattr(session, "discover"):
                await session.discover()
            else:
                await session.initialize()
            yield session
        tasks.cancel_scope.cancel()


async def _serve(responder: Responder, reading: Any, writing: Any) -> None:
    async for item in reading:
        if isinstance(item, Exception):
            continue
        # 1.x wraps the message in a root model, 2.x doesn't; dumped, they are the same.
        message = item.message.model_dump(by_alias=True, exclude_unset=True)
        if "method" not in message or "id" not in message:
            continue
        reply: Json = {"jsonrpc": "2.0", "id": message["id"]}
        try:
            reply["result"] = responder.answer(message["method"], message.get("params") or {})
        except RpcError as error:
            reply["error"] = {"code": error.code, "message": error.message}
        await writing.send(SessionMessage(_MESSAGE.validate_python(reply)))
