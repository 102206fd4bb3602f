"""The harness's side of the lab: starts its process, sets its stage, reads what it kept."""

from __future__ import annotations

import itertools
import json
import os
import queue
import sys
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from mcp_prompt_fuzz.case import Case
from mcp_prompt_fuzz.jsontypes import Json
from mcp_prompt_fuzz.renderer import RendererUnavailable
from mcp_prompt_fuzz.rendering import Request

from .child import Child
from .http_call import MOST_BYTES
from .isolation import Isolation, can_enter, own_namespace_prefix
from .process_table import Running
from .sandbox import Sandbox
from .stage import MAIN

_START_LIMIT: Final = 30.0
_ANSWER_LIMIT: Final = 15.0
LAB_FAILED: Final = "is the machine very busy, or its disk full? Else please report it"
"""What a user is told to do about a lab that does not run."""


class LabError(Exception):
    """The lab's process is gone or could not do what it was told."""


class FloodError(Exception):
    """A client's local API answered more than anybody would read."""


@dataclass(frozen=True, slots=True)
class Address:
    """Where a client finds a server: either way leads to the same."""

    url: str
    command: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Taken:
    """What the lab kept since the last look. `flooded`: it was sent more than it reads."""

    requests: tuple[Request, ...]
    models: tuple[Json, ...]
    client: tuple[str, str] | None
    negotiated: str | None
    flooded: bool


@dataclass(frozen=True, slots=True)
class HttpReply:
    """What a client's local API answered."""

    status: int
    text: str

    def json(self) -> Any:
        """The body as JSON, None where it is none."""
        try:
            return json.loads(self.text)
        except ValueError:
            return None


class Lab:
    """The lab's process, in the sandbox's own namespaces as far as the system allows them.

    With `isolate` false it stays outside, for servers that the harness itself wants to reach.
    `see` are folders that a client needs besides the system's, this Python's and this package.
    `python` is what runs it where this environment's own can't: of all that is installed beside
    us, that one then sees this package alone.
    """

    def __init__(
        self,
        sandbox: Sandbox,
        *,
        isolate: bool = True,
        python: Path | None = None,
        see: Iterable[Path] = (),
    ) -> None:
        require_posix()
        self._sandbox = sandbox
        self._python = sys.executable if python is None else str(python)
        self._path = _whole_path() if python is None else _path_to_us(sandbox)
        self._numbers = itertools.count(1)
        self._answers: queue.SimpleQueue[Json | None] = queue.SimpleQueue()
        self._seen = [*see, *self._needed()]
        hello = self._start_isolated() if isolate else None
        if hello is None:
            sandbox.isolation = Isolation(None)
            hello = self._start([])
        self.port: int = hello["port"]

    def _start_isolated(self) -> Json | None:
        """Start it in as many namespaces as can be had; None where there are none."""
        for walled in (True, False):
            namespaces = own_namespace_prefix(walled=walled)
            if not namespaces:
                continue
            try:
                hello = self._start(namespaces, walled=walled)
            except LabError:
                continue
            self._sandbox.isolation = Isolation(self._child.pid, walled)
            if can_enter(self._sandbox.isolation):
                return hello
            self._child.end()
        return None

    def _start(self, namespaces: Sequence[str], *, walled: bool = False) -> Json:
        sockets = self._sandbox.root / "runtime"
        for stale in sockets.glob("*.sock"):
            stale.unlink()
        command = [self._python, "-m", "mcp_prompt_fuzz.lab", str(sockets)]
        command += ["--raise-loopback"] if namespaces else []
        command += ["--walls", str(self._sandbox.root), *map(str, self._seen)] if walled else []
        child = self._child = self._sandbox.spawn(
            command,
            {"PYTHONPATH": self._path, "PYTHONDONTWRITEBYTECODE": "1"},
            talk=True,
            prefix=namespaces,
        )
        self._answers = queue.SimpleQueue()
        threading.Thread(target=_read, args=(child, self._answers), daemon=True).start()
        try:
            hello: Json = self._answer(0, _START_LIMIT)
        except LabError as problem:
            child.end()
            raise LabError(f"{problem}: {child.last_words()}") from None
        return hello

    def _needed(self) -> Iterable[Path]:
        """What our own programs need to see, wherever they are installed; never a whole home."""
        home = Path(os.environ.get("HOME") or "/")
        package = Path(__file__).resolve().parents[2]
        ours = [sys.prefix, sys.base_prefix, str(Path(self._python).parent.parent), str(package)]
        paths = map(Path, [*ours, *self._path.split(os.pathsep)])
        return [path for path in paths if path.is_dir() and not home.is_relative_to(path)]

    @property
    def model_url(self) -> str:
        """The model endpoint's root, without a version."""
        return f"http://127.0.0.1:{self.port}"

    def stage(self, listing: Case, extra: Iterable[Json], revision: str) -> dict[str, Address]:
        """Put a listing on stage. Returns where its servers are, the case's own first."""
        told = {"listing": listing.to_json(), "extra": list(extra), "revision": revision}
        beside: list[str] = self._ask("stage", told)
        return {name: self._address(number) for number, name in enumerate([MAIN, *beside])}

    def serve(self, case: Case | None, phase: Literal["list", "invoke"]) -> None:
        """Say whose content the prompts serve from now on, and in which phase requests count."""
        self._ask("serve", {"case": case and case.to_json(), "phase": phase})

    def announce(self, pages: Iterable[Json]) -> None:
        """Change the listing and tell every connection so."""
        self._ask("announce", {"pages": list(pages)})

    def settle(self, quiet: float, limit: float) -> None:
        """Wait until no server was asked anything for `quiet` seconds, `limit` at most."""
        self._ask("settle", {"quiet": quiet, "limit": limit}, limit + _ANSWER_LIMIT)

    def guard(self, processes: Iterable[Running]) -> None:
        """Have the lab end these processes, should the harness go away."""
        self._ask("guard", {"processes": [running.to_json() for running in processes]})

    def take(self) -> Taken:
        """What servers and models received since the last call."""
        kept = self._ask("take", {})
        client = kept["client"]
        introduced = (str(client.get("name")), str(client.get("version"))) if client else None
        requests = tuple(Request(**request) for request in kept["requests"])
        models, flooded = tuple(kept["models"]), bool(kept["flooded"])
        return Taken(requests, models, introduced, kept["negotiated"], flooded)

    def waiting(self) -> tuple[int, int]:
        """How many requests to servers and to models `take` would return, which keeps them."""
        kept = self._ask("waiting", {})
        return kept["requests"], kept["models"]

    def http(
        self, method: str, url: str, body: object = None, *, seconds: float
    ) -> HttpReply | None:
        """Call a client's local API inside. None once the time is over.

        Raises `ConnectionError` where nothing listens or the connection broke, and `FloodError`
        where the answer has no end.
        """
        told = {"method": method, "url": url, "json": body, "timeout": seconds}
        got = self._ask("http", told, seconds + _ANSWER_LIMIT)
        if "flooded" in got:
            raise FloodError(f"the answer is larger than {MOST_BYTES >> 20} MiB")
        if "unreachable" in got:
            raise ConnectionError(got["unreachable"])
        return None if "timeout" in got else HttpReply(got["status"], got["text"])

    def close(self) -> None:
        """End the process. May be called twice."""
        self._child.end()

    def _address(self, number: int) -> Address:
        socket = self._sandbox.root / "runtime" / f"{number}.sock"
        shim = Path(__file__).with_name("shim.py")
        command = (sys.executable, "-I", "-S", str(shim), str(socket))
        return Address(f"{self.model_url}/mcp/{number}", command)

    def _ask(self, op: str, members: Json, seconds: float = _ANSWER_LIMIT) -> Any:
        number = next(self._numbers)
        message = json.dumps({"id": number, "op": op, **members}).encode() + b"\n"
        assert self._child.stdin is not None
        try:
            self._child.stdin.write(message)
            self._child.stdin.flush()
        except (OSError, ValueError):
            raise LabError("the lab's process has ended") from None
        return self._answer(number, seconds)

    def _answer(self, number: int, seconds: float) -> Any:
        while True:
            try:
                answer = self._answers.get(timeout=seconds)
            except queue.Empty:
                raise LabError("the lab's process does not answer") from None
            if answer is None:
                raise LabError("the lab's process has ended")
            if answer["id"] != number:
                continue  # the late answer to a question whose asker was interrupted
            if "error" in answer:
                raise LabError(answer["error"])
            return answer["ok"]


def _read(child: Child, answers: queue.SimpleQueue[Json | None]) -> None:
    for line in child.stdout:
        answers.put(json.loads(line))
    answers.put(None)


def require_posix() -> None:
    """Raises `RendererUnavailable` where the lab's process can't run on this system."""
    if sys.platform == "win32":
        raise RendererUnavailable(
            "real clients run on Linux and macOS only",
            "a driver that accepts a result, and python:, run here too",
        )


def _whole_path() -> str:
    return os.pathsep.join(dict.fromkeys(p for p in sys.path if p))


def _path_to_us(sandbox: Sandbox) -> str:
    """A folder that holds this package and nothing else: an older SDK may stand beside it."""
    folder = sandbox.root / "ours"
    folder.mkdir(exist_ok=True)
    ours = folder / "mcp_prompt_fuzz"
    if not ours.is_symlink():
        ours.symlink_to(Path(__file__).resolve().parents[1])
    return str(folder)


__all__ = [
    "LAB_FAILED",
    "Address",
    "FloodError",
    "HttpReply",
    "Lab",
    "LabError",
    "Taken",
    "require_posix",
]
