"""What every driver here shares: the line protocol, and connections that outlive a request.

Runs inside a client's own environment, where nothing of this package is installed: standard
library only. A driver is a script beside this file that ends with

    serve("langchain-mcp-adapters", load)

`serve` answers `hello` before the library is imported, so that a slow import is nobody's silence.
"""

from __future__ import annotations

import asyncio
import base64
import inspect
import json
import os
import sys
import threading
from collections.abc import Callable, Mapping
from importlib.metadata import version
from typing import Any, Protocol, TextIO

PROTOCOL = 1
SERVER = "server"
RESULT = "result"
CAPTURED = {"captured": True}
"""The reply of a driver whose library has asked the model itself."""

NOTHING: dict[str, Any] = {"messages": []}
"""The reply where nothing was sent to the model and nobody was told why."""


class Unsupported(Exception):
    """The user has no way to ask for this. `why` begins with the id of the rule it breaks."""

    def __init__(self, why: str, attempt: str = "") -> None:
        super().__init__(why)
        self.why = why
        self.attempt = attempt


class Client(Protocol):
    """One library, connected to a set of servers; everything is called in one task.

    Whatever a method raises is what the library's user would be shown.
    """

    async def connect(self, servers: Mapping[str, Any]) -> None:
        """Connect to exactly these servers, `{NAME: {"url", "command"}}`."""

    async def listing(self) -> list[dict[str, Any]] | None:
        """The prompts that its user would see, None where the library lists none."""

    async def invoke(
        self, server: str, name: str, arguments: dict[str, str], model_url: str
    ) -> dict[str, Any]:
        """The reply, without its id, for a prompt asked for by name and arguments."""

    async def close(self) -> None:
        """End every connection."""


def serve(distribution: str, load: Callable[[], Callable[..., Any]], accepts: str = SERVER) -> None:
    """Answer a harness on standard input and output until it says `bye`.

    `load` imports the library. It returns what makes a `Client` or, for a driver that accepts a
    result, the function from that result (JSON data) to a reply. The command line may name the
    folder to work in; `--load` alone only imports the library, so that it starts faster next time.
    """
    if sys.argv[1:] == ["--load"]:
        load()
        return
    output = _claimed_output()
    if len(sys.argv) > 1:
        os.chdir(sys.argv[1])
    asyncio.run(_Server(distribution, load, accepts, output).run())
    output.flush()
    os._exit(0)  # a library's threads and pools have nothing more to say


class _Connected:
    """A `Client` in a task of its own, since contexts must be left in the task they were entered.

    Connects at the first request and lasts until `end`, or until it fails.
    """

    def __init__(self, make: Callable[[], Client], servers: Mapping[str, Any]) -> None:
        self._make = make
        self._servers = servers
        self._jobs: asyncio.Queue[tuple[Any, asyncio.Future[Any]] | None] = asyncio.Queue()
        self._task = asyncio.create_task(self._work())

    async def call(self, method: str, *args: Any) -> Any:
        """What the client's method returns or raises."""
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        await self._jobs.put(((method, args), answer))
        await asyncio.wait({answer, self._task}, return_when=asyncio.FIRST_COMPLETED)
        if answer.done():
            return answer.result()
        error = None if self._task.cancelled() else self._task.exception()
        if isinstance(error, Exception):
            raise error
        raise ConnectionError("the connection has ended" if error is None else told(error))

    async def end(self) -> None:
        """Close the client; never raises, and never waits long."""
        await self._jobs.put(None)
        _, late = await asyncio.wait({self._task}, timeout=3)
        for task in late:
            task.cancel()
            await asyncio.wait({task}, timeout=1)

    async def _work(self) -> None:
        client = self._make()
        try:
            await client.connect(self._servers)
            while (job := await self._jobs.get()) is not None:
                (method, args), answer = job
                try:
                    answer.set_result(await getattr(client, method)(*args))
                except Exception as error:
                    answer.set_exception(error)
        finally:
            await client.close()


class _Server:
    """The line protocol over one library."""

    def __init__(
        self,
        distribution: str,
        load: Callable[[], Callable[..., Any]],
        accepts: str,
        output: TextIO,
    ) -> None:
        self._distribution = distribution
        self._load = load
        self._accepts = accepts
        self._output = output
        self._loaded: Callable[..., Any] | None = None
        self._connected: _Connected | None = None
        self._invoked = True
        self._lists = True
        self._no_listing: Exception | None = None

    async def run(self) -> None:
        lines: asyncio.Queue[str] = asyncio.Queue()
        loop = asyncio.get_running_loop()

        def read() -> None:
            for line in sys.stdin.buffer:
                loop.call_soon_threadsafe(lines.put_nowait, line.decode("utf-8"))
            loop.call_soon_threadsafe(lines.put_nowait, '{"op": "bye"}')

        threading.Thread(target=read, daemon=True).start()
        while True:
            request = json.loads(await lines.get())
            if request["op"] == "bye":
                return
            self._answer({"id": request.get("id"), **await self._reply(request)})

    def _answer(self, reply: dict[str, Any]) -> None:
        # Escapes keep line separators and lone surrogates out of the bytes.
        self._output.write(json.dumps(reply) + "\n")
        self._output.flush()

    async def _reply(self, request: dict[str, Any]) -> dict[str, Any]:
        if request["op"] == "hello":
            return {
                "protocol": PROTOCOL,
                "name": self._distribution,
                "version": version(self._distribution),
                "accepts": self._accepts,
            }
        try:
            if request["op"] == "list":
                return await self._list(request["servers"])
            if self._accepts == RESULT:
                return dict(self._library(request["result"]))
            return await self._render(request)
        except Unsupported as refusal:
            return {"unsupported": refusal.why, "shown": refusal.attempt}
        except Exception as error:
            # Some failures leave a connection of no more use, and nobody can tell which.
            await self._disconnect()
            if request["op"] != "list":
                return {"error": told(error)}
            self._no_listing = error
            return {"prompts": []}

    @property
    def _library(self) -> Callable[..., Any]:
        if self._loaded is None:
            self._loaded = self._load()
        return self._loaded

    async def _list(self, servers: Mapping[str, Any]) -> dict[str, Any]:
        """A listing after an invocation means new definitions; one after another, a change.

        The first is read on fresh connections, the second on those that heard of the change.
        """
        if self._invoked:
            await self._disconnect()
        self._invoked = False
        self._no_listing = None
        shown = await self._connection(servers).call("listing")
        self._lists = shown is not None
        return {"prompts": shown} if self._lists else {"error": "this library lists no prompts"}

    async def _render(self, request: dict[str, Any]) -> dict[str, Any]:
        if not self._lists:
            await self._disconnect()  # nothing tells here that definitions have changed
        self._invoked = True
        if self._no_listing is not None:
            raise self._no_listing  # that is what its user has seen, and no prompt to invoke
        asked, model = request["invoke"], request["model"]["url"]
        connected = self._connection(request["servers"])
        given = (asked["server"], asked["name"], asked["arguments"], model)
        return dict(await connected.call("invoke", *given))

    def _connection(self, servers: Mapping[str, Any]) -> _Connected:
        if self._connected is None:
            self._connected = _Connected(self._library, servers)
        return self._connected

    async def _disconnect(self) -> None:
        connected, self._connected = self._connected, None
        if connected is not None:
            await connected.end()


def _claimed_output() -> TextIO:
    """Standard output for us alone: what a library prints goes to standard error."""
    ours = os.fdopen(os.dup(1), "w", encoding="ascii", newline="\n")
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return ours


def told(error: BaseException) -> str:
    """An error as a user is told of it: the innermost of a group, its words, its kind."""
    while isinstance(error, BaseExceptionGroup) and error.exceptions:
        error = error.exceptions[0]
    words = str(error).strip()
    kind = type(error).__name__
    return f"{kind}: {words}" if words else kind


def taken_keywords(function: Callable[..., Any], arguments: Mapping[str, str]) -> None:
    """Raises `Unsupported` for an argument whose name a `function(name, **arguments)` takes."""
    own = [
        parameter.name
        for parameter in inspect.signature(function).parameters.values()
        if parameter.kind is parameter.POSITIONAL_OR_KEYWORD
    ]
    if inspect.ismethod(function):
        own.append("self")
    for name in own:
        if name in arguments:
            call = f"{function.__name__}(name, **{dict(arguments)!r})"
            why = f"arguments are keywords, and {name!r} is a parameter already"
            raise Unsupported(f"arguments.verbatim: {why}", call)


def text(value: str) -> dict[str, Any]:
    """A text part of a reply."""
    return {"type": "text", "text": value}


def medium(kind: str, data: str | bytes, media_type: str | None, **more: Any) -> dict[str, Any]:
    """An `image`, `audio` or `file` part; bytes are encoded, a string is base64 already.

    The protocol wants a media type: one that says nothing stands for none.
    """
    encoded = base64.b64encode(data).decode("ascii") if isinstance(data, bytes) else data
    told_type = media_type or "application/octet-stream"
    return present({"type": kind, "data": encoded, "mimeType": told_type, **more})


def kind_of(media_type: str | None) -> str:
    """The kind of part that holds bytes of that media type."""
    major = (media_type or "").partition("/")[0].lower()
    return major if major in ("image", "audio") else "file"


def present(members: dict[str, Any]) -> dict[str, Any]:
    """The members that are not None."""
    return {key: value for key, value in members.items() if value is not None}


def listed(server: str, prompt: Any) -> dict[str, Any]:
    """An entry of a listing from whatever has a prompt's attributes."""
    entry = {"server": server, "name": prompt.name}
    for member in ("title", "description"):
        value = getattr(prompt, member, None)
        if value is not None:
            entry[member] = value
    if getattr(prompt, "arguments", None) is not None:
        entry["arguments"] = [
            present(
                {
                    "name": argument.name,
                    "title": getattr(argument, "title", None),
                    "description": getattr(argument, "description", None),
                    "required": getattr(argument, "required", None),
                }
            )
            for argument in prompt.arguments
        ]
    return entry
