"""MCP servers over the stage: both protocol eras, streamable HTTP and stdio-like streams.

Built on the SDK's low-level server. What concerns prompts is answered in a middleware, whose
results the SDK sends as they are: the typed handlers would drop members that they don't know.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import Any, Final

import anyio
import anyio.abc
from mcp.server.lowlevel import Server
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, PromptsListChanged
from mcp.shared.exceptions import MCPError
from mcp.shared.message import SessionMessage
from mcp_types import jsonrpc_message_adapter
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from starlette.types import ASGIApp, Receive, Scope, Send

from mcp_prompt_fuzz.case import REVISIONS
from mcp_prompt_fuzz.jsontypes import Json
from mcp_prompt_fuzz.serving import METHOD_NOT_FOUND, MODERN, RpcError

from .raw_text import shield, unshielding
from .stage import Stage

_PROMPTS: Final = ("prompts/list", "prompts/get")
_CLIENT_INFO: Final = "io.modelcontextprotocol/clientInfo"
_NOBODY_READS: Final = (anyio.BrokenResourceError, anyio.ClosedResourceError)


class StagedServer:
    """One MCP server of the lab: what it offers is what the stage holds under its name."""

    def __init__(self, stage: Stage, name: str) -> None:
        self.name = name
        self._stage = stage
        self._bus = InMemorySubscriptionBus()
        self._sessions: dict[int, Any] = {}
        self._server: Server[Any] = Server(
            f"mcp-prompt-fuzz {name}",
            version="1",
            on_subscriptions_listen=ListenHandler(self._bus),
        )
        self._server.middleware.append(self._middleware)

    async def announce(self) -> None:
        """Tell every connection that the list of prompts has changed."""
        await self._bus.publish(PromptsListChanged())
        for key, session in list(self._sessions.items()):
            try:
                with anyio.fail_after(1):
                    await session.send_prompt_list_changed()
            except Exception:  # whatever a dead connection raises, it is dead
                self._sessions.pop(key, None)

    def forget_connections(self) -> None:
        """Announce to connections that are made from now on only."""
        self._sessions.clear()

    @asynccontextmanager
    async def http_app(self) -> AsyncIterator[ASGIApp]:
        """The server over streamable HTTP, at any path."""
        self._server.streamable_http_app(
            streamable_http_path="/", max_sessions=None, session_idle_timeout=None
        )
        manager = self._server.session_manager
        async with manager.run():
            yield unshielding(manager.asgi_app)

    async def serve_stream(self, stream: anyio.abc.ByteStream) -> None:
        """Serve one stdio connection, one JSON-RPC message a line, until it is closed."""
        to_server, from_client = anyio.create_memory_object_stream[SessionMessage | Exception](0)
        to_client, from_server = anyio.create_memory_object_stream[SessionMessage](0)
        options = self._server.create_initialization_options()

        async def read() -> None:
            buffer = b""
            async with to_server:
                with suppress(anyio.EndOfStream, *_NOBODY_READS):
                    while True:
                        buffer += await stream.receive()
                        *lines, buffer = buffer.split(b"\n")
                        for line in filter(bytes.strip, lines):
                            await to_server.send(_parsed(line))

        async def write() -> None:
            with suppress(*_NOBODY_READS):
                async for message in from_server:
                    body = message.message.model_dump(mode="json", by_alias=True, exclude_none=True)
                    await stream.send(json.dumps(body).encode() + b"\n")

        async with stream, anyio.create_task_group() as tasks:
            tasks.start_soon(read)
            tasks.start_soon(write)
            await self._server.run(from_client, to_client, options)
            tasks.cancel_scope.cancel()

    async def _middleware(self, ctx: Any, call_next: Any) -> Any:
        if ctx.request_id is None:
            return await call_next(ctx)
        params: Mapping[str, Any] = ctx.params or {}
        try:
            result = await self._answer(ctx, params, call_next)
        except RpcError as problem:
            self._stage.note(self.name, ctx.method, params, problem.code)
            raise MCPError(problem.code, problem.message) from None
        except MCPError as problem:
            self._stage.note(self.name, ctx.method, params, problem.code)
            raise
        self._stage.note(self.name, ctx.method, params)
        return result

    async def _answer(self, ctx: Any, params: Mapping[str, Any], call_next: Any) -> Any:
        stage = self._stage
        modern = ctx.protocol_version in MODERN_PROTOCOL_VERSIONS
        if modern and stage.revision < MODERN:
            # A server of an older revision has never heard of this one's methods.
            raise RpcError(METHOD_NOT_FOUND, "Method not found")
        revision = min(ctx.protocol_version, stage.revision)
        if modern:
            self._meet(params.get("_meta", {}).get(_CLIENT_INFO), revision)
        if ctx.method == "initialize":
            return self._initialize(params, await call_next(ctx), ctx.session)
        if ctx.method == "server/discover":
            result: Json = dict(await call_next(ctx))
            return result | {"capabilities": stage.capabilities(self.name)}
        if ctx.method == "completion/complete":
            return stage.complete(self.name, params, revision)
        if ctx.method in _PROMPTS:
            answer = stage.answer(self.name, ctx.method, params, revision)
            over_older_http = ctx.request is not None and not modern
            return shield(answer) if over_older_http else answer
        return await call_next(ctx)

    def _initialize(self, params: Mapping[str, Any], result: Json, session: Any) -> Json:
        """Negotiate at most the run's revision: the SDK would offer its own newest."""
        offered = min(self._stage.revision, result["protocolVersion"])
        legacy = [r for r in REVISIONS if r <= offered and r < MODERN]
        self._meet(params.get("clientInfo"), legacy[-1])
        self._sessions[id(session)] = session
        return {
            **result,
            "protocolVersion": legacy[-1],
            "capabilities": self._stage.capabilities(self.name),
        }

    def _meet(self, client: object, revision: str) -> None:
        if isinstance(client, dict):
            self._stage.client = client
        self._stage.negotiated = revision


def _parsed(line: bytes) -> SessionMessage | Exception:
    try:
        return SessionMessage(jsonrpc_message_adapter.validate_json(line))
    except ValueError as problem:
        return problem


@asynccontextmanager
async def serve_over_http(servers: Mapping[str, StagedServer]) -> AsyncIterator[ASGIApp]:
    """One ASGI application that serves each server at `/mcp/KEY`."""
    async with AsyncExitStack() as stack:
        apps = {
            f"/mcp/{key}": await stack.enter_async_context(server.http_app())
            for key, server in servers.items()
        }

        async def dispatch(scope: Scope, receive: Receive, send: Send) -> None:
            app = apps.get(scope["path"].rstrip("/"))
            if app is None:
                await send({"type": "http.response.start", "status": 404, "headers": []})
                await send({"type": "http.response.body", "body": b""})
            else:
                await app(scope, receive, send)

        yield dispatch
