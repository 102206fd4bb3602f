"""The lab's process: MCP servers and model endpoint, told what to do over standard input.

One JSON object a line in, `{"id", "op", ...}`, and one out for each, `{"id", "ok"}` or
`{"id", "error"}`. Ends when its input does, and ends the processes that it was asked to guard
first: a harness that was killed leaves nothing behind.
"""

from __future__ import annotations

import json
import logging
import os
import socket
import sys
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import anyio.abc
import anyio.to_thread
import uvicorn
from starlette.types import Receive, Scope, Send

from mcp_prompt_fuzz.case import NEWEST_REVISION, Case
from mcp_prompt_fuzz.jsontypes import Json

from .http_call import call
from .isolation import raise_loopback
from .mcp_server import StagedServer, serve_over_http
from .meter import Meter, MeteredStream
from .model_server import ModelServer
from .process_table import Running, end_group, is_running
from .stage import MAIN, Stage
from .walls import raise_walls

SLOTS = 5
"""How many servers can stand side by side: the case's own and four others."""


class LabProcess:
    """The lab's state and what it does on each `op`."""

    def __init__(self, sockets: Path) -> None:
        self.stage = Stage(NEWEST_REVISION)
        self.models = ModelServer()
        self.meter = Meter()
        self.slots = [StagedServer(self.stage, MAIN)]
        self.slots += [StagedServer(self.stage, f"(slot {n})") for n in range(1, SLOTS)]
        self.guarded: list[Running] = []
        self.port = 0
        self._sockets = sockets
        self._output = anyio.Lock()

    async def run(self) -> None:
        """Serve until standard input ends."""
        listener = socket.socket()
        listener.bind(("127.0.0.1", 0))
        listener.listen(128)
        self.port = listener.getsockname()[1]
        keyed = {str(n): slot for n, slot in enumerate(self.slots)}
        models = self.models.app()
        async with serve_over_http(keyed) as mcp_app, anyio.create_task_group() as tasks:

            async def app(scope: Scope, receive: Receive, send: Send) -> None:
                if scope["type"] == "http":
                    await (mcp_app if scope["path"].startswith("/mcp/") else models)(
                        scope, receive, send
                    )

            config = uvicorn.Config(
                self.meter.over_http(app), log_config=None, lifespan="off", access_log=False
            )
            server = uvicorn.Server(config)
            tasks.start_soon(partial(server.serve, sockets=[listener]))
            for number, slot in enumerate(self.slots):
                path = self._sockets / f"{number}.sock"
                unix = await anyio.create_unix_listener(path)
                tasks.start_soon(partial(unix.serve, partial(self._serve_stream, slot)))
            await self._reply({"id": 0, "ok": {"port": self.port, "pid": os.getpid()}})
            await self._read_commands(tasks)
            server.force_exit = server.should_exit = True
            tasks.cancel_scope.cancel()

    async def _serve_stream(self, slot: StagedServer, stream: anyio.abc.ByteStream) -> None:
        await slot.serve_stream(MeteredStream(stream, self.meter))

    async def _read_commands(self, tasks: anyio.abc.TaskGroup) -> None:
        async with anyio.wrap_file(sys.stdin.buffer) as lines:
            async for line in lines:
                command = json.loads(line)
                if command["op"] == "quit":
                    return
                tasks.start_soon(self._obey, command)

    async def _obey(self, command: Json) -> None:
        try:
            answer = {"ok": await getattr(self, f"on_{command['op']}")(command)}
        except Exception as problem:  # told to the harness, which decides
            answer = {"error": f"{type(problem).__name__}: {problem}"}
        await self._reply({"id": command["id"], **answer})

    async def _reply(self, message: Json) -> None:
        async with self._output:
            sys.stdout.buffer.write(json.dumps(message).encode() + b"\n")
            sys.stdout.buffer.flush()

    async def on_stage(self, command: Json) -> Any:
        """Put a listing on stage; connections made before it are none of its."""
        stage = self.stage
        stage.revision = command["revision"]
        stage.listing = Case.from_json(command["listing"])
        stage.extra = command["extra"]
        stage.pages = stage.current = None
        for slot, name in zip(self.slots[1:], stage.listing.beside, strict=False):
            slot.name = name
        for slot in self.slots:
            slot.forget_connections()
        return list(stage.listing.beside)

    async def on_serve(self, command: Json) -> Any:
        """Say which case the prompts serve from now on, and in which phase requests count.

        What came late, after the last look, belongs to neither case.
        """
        self._taken()
        case = command.get("case")
        self.stage.current = None if case is None else Case.from_json(case)
        self.stage.phase = command["phase"]

    async def on_announce(self, command: Json) -> Any:
        """Change the listing's pages and tell every connection so."""
        self.stage.pages = command["pages"]
        await self.slots[0].announce()

    async def on_take(self, command: Json) -> Any:
        """What was asked of servers and sent to models since the last call."""
        return {
            **self._taken(),
            "client": self.stage.client,
            "negotiated": self.stage.negotiated,
        }

    def _taken(self) -> Json:
        flooded = self.meter.flooded
        self.meter.reset()
        taken = {"requests": self.stage.take(), "models": self.models.take()}
        return {**taken, "flooded": flooded}

    async def on_waiting(self, command: Json) -> Any:
        """How much `take` would take."""
        return {"requests": len(self.stage.record), "models": len(self.models.kept)}

    async def on_settle(self, command: Json) -> Any:
        """Wait until nothing was asked for `quiet` seconds, `limit` at most."""
        seen, since = self.stage.asked, anyio.current_time()
        with anyio.move_on_after(command["limit"]):
            while (left := since + command["quiet"] - anyio.current_time()) > 0:
                await anyio.sleep(min(left, 0.02))
                if self.stage.asked != seen:
                    seen, since = self.stage.asked, anyio.current_time()

    async def on_guard(self, command: Json) -> Any:
        """End these processes, too, should the harness go away."""
        self.guarded = [Running.from_json(item) for item in command["processes"]]

    async def on_http(self, command: Json) -> Any:
        """Call a client's local API, which may be reached from this network namespace alone."""
        try:
            with anyio.fail_after(command["timeout"]):
                return await anyio.to_thread.run_sync(call, command, abandon_on_cancel=True)
        except TimeoutError:
            return {"timeout": True}


def main(arguments: list[str]) -> None:
    """Run the lab: `SOCKET_FOLDER [--raise-loopback] [--walls OWN_FOLDER SEEN_FOLDER ...]`."""
    logging.disable(logging.CRITICAL)
    if "--raise-loopback" in arguments:
        raise_loopback()
    if "--walls" in arguments:
        own, *seen = map(Path, arguments[arguments.index("--walls") + 1 :])
        raise_walls(own, seen)
    lab = LabProcess(Path(arguments[0]))
    try:
        anyio.run(lab.run)
    finally:
        for running in filter(is_running, lab.guarded):
            if running.pid != os.getpid():  # or the rest would outlive it
                end_group(running)


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        main(sys.argv[1:])
