"""`driver:COMMAND LINE`: a renderer in a program of its own (contract, "Line protocol").

A driver that fails as a program is ended and started anew for the next case: the failure is that
case's rendering, and the run goes on.
"""

from __future__ import annotations

import contextlib
import json
import shlex
import sys
from collections.abc import Iterable
from typing import Final, Protocol

from ..case import NEWEST_REVISION, Case, materialise
from ..formats import FormatError, check, parse_json, shortened
from ..jsontypes import Json
from ..renderer import Identity, Progress, RendererUnavailable, quiet
from ..rendering import Breakage, BreakageKind, Rendering
from ..rules import RULES, matching
from .errors import UsageError
from .line_process import BrokenLine, LineProcess
from .reply import decode_reply

PREFIX: Final = "driver:"
PROTOCOL: Final = 1
SIZE_LIMIT: Final = 8 * 1024 * 1024
"""Bytes that an answer may always have; beyond that, four times those of its request."""

READY: Final = Case(
    "",
    NEWEST_REVISION,
    {"name": "ready"},
    ({"role": "user", "content": {"type": "text", "text": "ready"}},),
)
"""What a driver is met with: as plain as a prompt can be."""

_DOUBLING_PATIENCE: Final = 0.05
"""Seconds to wait for a second answer, once a driver has been seen to answer twice."""


class Exchange(Protocol):
    """What a driver is handed for a case, and how its reply is read.

    The seam between the line protocol, which is the same for every driver, and the two things
    that one may accept: a result, or servers to connect to.
    """

    @property
    def client(self) -> tuple[str, str] | None:
        """How the driver's MCP client introduced itself, None where there is none."""
        ...

    @property
    def negotiated(self) -> str | None:
        """The revision that the driver's MCP client settled for, None where there is none."""
        ...

    @property
    def lists(self) -> bool:
        """Whether what the driver's user would see of a listing can be had."""
        ...

    def meet(self, connection: Connection) -> Breakage | None:
        """Have the driver deal with `READY` before anything is judged; how it broke, if it did."""
        ...

    def render(self, connection: Connection, case: Case, listed: Case) -> Rendering:
        """The rendering of `case`, which may be an earlier case of `listed`."""
        ...

    def close(self) -> None:
        """Free what the exchange holds. May be called twice."""


class ResultExchange:
    """`accepts: result`: the driver is handed the materialised `prompts/get` result."""

    client = None
    negotiated = None
    lists = False

    def meet(self, connection: Connection) -> Breakage | None:
        return self.render(connection, READY, READY).broke

    def render(self, connection: Connection, case: Case, listed: Case) -> Rendering:
        members = {"prompt": case.prompt, "arguments": case.arguments, "result": materialise(case)}
        reply = connection.exchange("render", members)
        return Rendering(broke=reply) if isinstance(reply, Breakage) else decode_reply(reply)

    def close(self) -> None:
        """Nothing to free."""


def open_driver(
    spec: str,
    *,
    revision: str,
    timeout: float,
    progress: Progress = quiet,
) -> DriverRenderer:
    """Start the driver that `driver:COMMAND LINE` names, and greet it.

    Raises `UsageError` for a command line that can't be split, `RendererUnavailable` for a program
    that can't be started or does not answer `hello` as the protocol says.
    """
    connection = Connection(spec, split_command(spec), timeout)
    hello = connection.start()
    if hello["accepts"] == "result":
        return DriverRenderer(connection, hello, ResultExchange())
    from .server_exchange import open_server_exchange  # noqa: PLC0415 - loads the lab's side

    with contextlib.ExitStack() as opened:
        opened.callback(connection.end)
        exchange = open_server_exchange(revision, timeout, progress)
        opened.callback(exchange.close)
        broke = exchange.meet(connection)
        if broke is not None and not exchange.lists:
            told = f"{broke.kind}: {broke.detail}"
            progress(f"what it lists can't be judged: asked to list one prompt, it broke ({told})")
        opened.pop_all()
        return DriverRenderer(connection, hello, exchange)


def split_command(spec: str) -> list[str]:
    """The command line of a spec, split as a shell would, run by none. Raises `UsageError`."""
    try:
        argv = shlex.split(spec.removeprefix(PREFIX), posix=sys.platform != "win32")
    except ValueError as error:
        raise UsageError(
            f"{shortened(spec)}: {error}",
            "it is split like a shell would: close the quotation, and quote the whole of "
            "'driver:COMMAND LINE' for your own shell",
        ) from None
    if not argv:
        raise UsageError(
            f"{shortened(spec)}: expected driver:COMMAND LINE",
            "'mcp-prompt-fuzz init python' writes a driver to start from",
        )
    return [each.strip('"') for each in argv] if sys.platform == "win32" else argv


class Connection:
    """The line protocol with a program, over as many runs of it as it takes."""

    def __init__(self, spec: str, argv: list[str], timeout: float) -> None:
        self.spec = spec
        self._argv = argv
        self._timeout = timeout
        self._process: LineProcess | None = None
        self._last_id = 0
        self._patience: float | None = None

    def start(self) -> Json:
        """Start the program and return its answer to `hello`. Raises `RendererUnavailable`."""
        try:
            process = self._process = LineProcess(self._argv)
        except (OSError, ValueError) as error:
            raise RendererUnavailable(
                f"{self.spec}: can't be started: {error}",
                f"Is {shortened(self._argv[0])} here, or on the PATH, and may it be run? (No shell "
                "runs it: the command line is only split as one would.)",
            ) from error
        try:
            line = process.ask(
                _encoded({"op": "hello", "protocol": PROTOCOL}),
                limit=SIZE_LIMIT,
                timeout=self._timeout,
            )
            hello: Json = _object(line)
            if "protocol" in hello and hello["protocol"] != PROTOCOL:
                raise FormatError("", "$.protocol", f"speaks {hello['protocol']!r}, not {PROTOCOL}")
            check(hello, "line-hello")
        except (BrokenLine, FormatError) as error:
            process.end()
            raise RendererUnavailable(
                f"{self.spec}: no answer to hello: {error}",
                "The first line on its standard output must answer "
                f'{{"op": "hello", "protocol": {PROTOCOL}}}; logs belong on standard error.',
            ) from error
        return hello

    def exchange(self, op: str, members: Json) -> Json | Breakage:
        """The reply to a request, or how the program failed to give one (it is ended then).

        Raises `RendererUnavailable` if it can't be started again.
        """
        for _ in range(2):
            answer = self._once(op, members)
            if answer is not None:
                return answer
        return Breakage("protocol", "goes on answering requests that were answered before")

    def end(self) -> None:
        """Say goodbye and end the program. May be called twice."""
        process, self._process = self._process, None
        if process is not None:
            process.tell(_encoded({"op": "bye"}))
            process.end(politely=True)

    def _once(self, op: str, members: Json) -> Json | Breakage | None:
        """None where a second answer to the request before came: no fault of this one."""
        if self._process is None:
            self.start()
        process = self._process
        assert process is not None
        if process.unasked():
            self._doubled()
            return None
        self._last_id += 1
        request = _encoded({"op": op, "id": self._last_id, **members})
        limit = max(SIZE_LIMIT, 4 * len(request))
        try:
            reply = _object(process.ask(request, limit=limit, timeout=self._timeout))
        except BrokenLine as error:
            return self._broken(error.breakage.kind, error.breakage.detail)
        except FormatError as error:
            return self._broken("garbage", f"reply: {error}")
        if reply.get("id") == self._last_id - 1:
            self._doubled()
            return None
        if reply.get("id") != self._last_id:
            return self._broken(
                "protocol", f"answered id {reply.get('id')!r}, asked {self._last_id}"
            )
        if process.unasked(self._patience):
            return self._broken("protocol", "answered twice")
        return reply

    def _broken(self, kind: BreakageKind, detail: str) -> Breakage:
        process, self._process = self._process, None
        if process is not None:
            process.end()
        return Breakage(kind, shortened(detail, 600))

    def _doubled(self) -> None:
        """A program that answers twice is seen only at the next request. From then on wait a
        little after each answer, so that the case that caused it gets the blame."""
        self._broken("protocol", "answered twice")
        self._patience = _DOUBLING_PATIENCE


class DriverRenderer:
    """A driver, whatever it accepts."""

    def __init__(self, connection: Connection, hello: Json, exchange: Exchange) -> None:
        self._connection = connection
        self._hello = hello
        self._exchange = exchange

    @property
    def identity(self) -> Identity:
        hello, negotiated = self._hello, self._exchange.negotiated
        settled = (negotiated,) if negotiated else None
        return Identity(
            spec=self._connection.spec,
            name=hello["name"],
            version=hello["version"],
            lane="driver",
            view="result" if hello["accepts"] == "result" else "server",
            client=self._exchange.client,
            revisions=tuple(hello["revisions"]) if "revisions" in hello else settled,
            rules=self._rules(),
        )

    def _rules(self) -> tuple[str, ...]:
        """What the driver says that it can show, less what takes a listing that it can't give."""
        told = tuple(self._hello.get("rules", ("*",)))
        if self._exchange.lists or self._hello["accepts"] == "result":
            return told
        return tuple(rule for rule in matching(RULES, told) if rule != "list.described")

    def prepare(self, cases: Iterable[Case]) -> None:
        """Nothing to do: a driver is handed each case whole."""

    def render(self, case: Case) -> Rendering:
        for earlier in case.before:
            self._exchange.render(self._connection, earlier, case)
        return self._exchange.render(self._connection, case, case)

    def close(self) -> None:
        self._connection.end()
        self._exchange.close()


# Escapes keep U+2028 and lone surrogates out of the bytes: nothing splits a line but us.
_ENCODER: Final = json.JSONEncoder(separators=(",", ":"))


def _encoded(message: Json) -> bytes:
    return _ENCODER.encode(message).encode("ascii")


def _object(line: bytes) -> Json:
    try:
        value = parse_json(line.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise FormatError("", "$", f"not UTF-8 at byte {error.start}") from None
    except FormatError as error:
        excerpt = shortened(line.decode("utf-8"), 120)
        raise FormatError("", "$", f"{error.problem}: {excerpt}") from None
    if not isinstance(value, dict):
        raise FormatError("", "$", "not a JSON object")
    return value
