"""What is special to one real client: the only interface that a new client has to fill in.

`served.ServedRenderer` does the rest: which definitions are published, what is served, what was
recorded, time limits, restarts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from mcp_prompt_fuzz.case import Case
from mcp_prompt_fuzz.jsontypes import Json
from mcp_prompt_fuzz.lab.child import Child
from mcp_prompt_fuzz.lab.host import Address, FloodError, HttpReply, Lab
from mcp_prompt_fuzz.lab.sandbox import Sandbox
from mcp_prompt_fuzz.renderer import Progress
from mcp_prompt_fuzz.rendering import BreakageKind
from mcp_prompt_fuzz.transcript import Transcript


class ProgramBroke(Exception):
    """The program ended, hung, or answered nonsense."""

    def __init__(self, kind: BreakageKind, detail: str) -> None:
        super().__init__(detail)
        self.kind: BreakageKind = kind
        self.detail = detail


@dataclass(frozen=True, slots=True)
class Bench:
    """What a program gets to work with.

    `servers` are filled in by `connect`; `model_url` is the model endpoint's root, without a
    version; `timeout` bounds each call, in seconds.
    """

    sandbox: Sandbox
    lab: Lab
    timeout: float

    @property
    def model_url(self) -> str:
        return self.lab.model_url

    def spawn(
        self, command: Sequence[str], more: Mapping[str, str], folder: Path | None = None
    ) -> Child:
        """Start the client inside, and have it ended whatever becomes of us."""
        try:
            child = self.sandbox.spawn(command, more, folder=folder)
        except OSError as problem:
            raise ProgramBroke("exit", f"it can't be started: {problem}") from None
        self.lab.guard(self.sandbox.processes)
        return child

    def call(self, child: Child, method: str, url: str, body: object = None) -> HttpReply:
        """Call the local API of a client that was spawned. Raises `ProgramBroke`."""
        try:
            reply = self.lab.http(method, url, body, seconds=self.timeout)
        except FloodError as problem:
            raise ProgramBroke("flood", str(problem)) from None
        except ConnectionError as problem:
            if child.wait(0.5) is not None:
                raise _ended(child) from None
            raise ProgramBroke("protocol", f"its API: {problem}; {child.last_words()}") from None
        if reply is None and child.exit_status is not None:
            raise _ended(child)  # and a child of its own holds the connection
        if reply is None:
            raise ProgramBroke("hang", f"it took over {self.timeout:g} s")
        return reply


def _ended(child: Child) -> ProgramBroke:
    words = f"it ended with status {child.exit_status}: {child.last_words()}"
    return ProgramBroke("exit", words)


@dataclass(frozen=True, slots=True)
class Unsupported:
    """The user has no way to ask for this. `why` begins with the id of the rule it breaks."""

    why: str
    attempt: str


@dataclass(frozen=True, slots=True)
class Shown:
    """What the user was shown. `error` is a text shown as a failure, None if there was none."""

    text: str = ""
    error: str | None = None


class Program(Protocol):
    """A client program, driven as its user or an editor would drive it.

    Every method may raise `ProgramBroke`; it is stopped and started again then.
    """

    name: str
    version: str

    def install(self, progress: Progress) -> None:
        """Make sure that the program is there. Raises `RendererUnavailable`."""

    def start(self, bench: Bench, servers: Mapping[str, Address]) -> None:
        """Start it and wait until it can be used."""

    def connect(self, servers: Mapping[str, Address]) -> None:
        """Have it connect afresh to exactly these servers."""

    def listing(self) -> Sequence[Json] | None:
        """Go through its listing as a user would; what is shown, None where nothing is."""

    def shadow(self, prompt: Json) -> str:
        """Prompts with equal shadows hide each other from its user."""

    def express(self, case: Case) -> str | Unsupported:
        """What a user types for the case's invocation."""

    def invoke(self, case: Case, typed: str) -> Shown:
        """Ask for the case's prompt and wait until the model was asked, or an error was shown."""

    def is_of_the_case(self, request: Json) -> bool:
        """Whether a kept model request belongs to the invocation, not to a title or summary."""

    def steady(self, turns: Transcript) -> Transcript:
        """The turns with what changes by itself, in the client's own words alone, made constant."""

    def stop(self) -> None:
        """End it. May be called twice, and before `start`."""
