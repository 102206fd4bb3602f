"""What programs with a terminal UI share: a pseudo-terminal that is typed into and read.

Only `/PROMPT --name="value"` and the program's own commands are ever typed, always as one
bracketed paste that begins with a slash: no key of it can mean anything else, a shell mode say.
What was sent to the model is read at the lab, never from the screen.
"""

from __future__ import annotations

import json
import re
import time
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from mcp_prompt_fuzz.case import Case, declared_arguments
from mcp_prompt_fuzz.jsontypes import Json
from mcp_prompt_fuzz.lab.child import Child
from mcp_prompt_fuzz.lab.host import Address
from mcp_prompt_fuzz.lab.model_replies import REPLY
from mcp_prompt_fuzz.renderer import Progress
from mcp_prompt_fuzz.transcript import Part, Transcript, Turn

from .environments import node_command, npm_environment
from .program import Bench, ProgramBroke, Shown, Unsupported
from .terminal import AT_REST, INVITATION, SIZE, TICK, Menu, Terminal, failure

CLEARED_AFTER: Final = 20
"""Invocations in one conversation, which is sent along whole with each of them."""

_ANSWERED: Final = 1.0
"""Seconds without output after which an answer that isn't shown has come to its end."""

_UNASKED: Final = 1.5
_UNANSWERED: Final = 6.0
"""Seconds without output after which nothing more comes of what was typed: before a server was
asked, and after."""

_START_LIMIT: Final = 90.0
_READY_AFTER: Final = 0.7
_UNTYPED: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")


class TerminalProgram(ABC):
    """`program.Program` for a Node.js program that is used at a terminal."""

    name: str
    version: str
    package: str
    script: str
    settings_file: str
    """Where in the home folder its settings are kept."""

    own_words: re.Pattern[str]
    """A whole text that the program itself puts before what its user asks."""

    menu: Menu
    """How its menu opens beneath what is pasted."""

    def __init__(self, version: str | None = None) -> None:
        self.version = version or self.version
        self._root = Path()
        self._child: Child | None = None
        self._terminal: Terminal | None = None
        self._servers: Mapping[str, Address] = {}
        self._asked = 0

    @property
    def terminal(self) -> Terminal:
        """Where it is used, while it runs."""
        if self._terminal is None:
            raise ProgramBroke("exit", "it is not running")
        return self._terminal

    @abstractmethod
    def settings(self, servers: Mapping[str, Address]) -> Json:
        """Its settings: these servers, and nothing that calls home."""

    @abstractmethod
    def command_line(self, bench: Bench) -> tuple[Sequence[str], Mapping[str, str]]:
        """Arguments and environment variables with which it uses the lab's model."""

    @abstractmethod
    def reload(self, servers: Mapping[str, Address]) -> bool:
        """Have it read the listings again; False where only a new start does."""

    @abstractmethod
    def commands_for(self, case: Case) -> Sequence[str]:
        """The names, without the slash, under which the prompt may be had, likeliest first."""

    @abstractmethod
    def shadow(self, prompt: Json) -> str:
        """Prompts with equal shadows hide each other from its user."""

    @abstractmethod
    def positional(self, case: Case) -> str | None:
        """The declared argument that a lone value without a name would be bound to."""

    def install(self, progress: Progress) -> None:
        """Install the npm package."""
        modules = npm_environment(self.package, self.version, progress) / "node_modules"
        self._root = modules / self.package

    def start(self, bench: Bench, servers: Mapping[str, Address]) -> None:
        """Start it and wait until it has asked every server what it offers."""
        self._bench = bench
        self._servers = servers
        self.configure(servers)
        arguments, variables = self.command_line(bench)
        command = [*node_command(), str(self._root / self.script), *arguments]
        terminal = {"TERM": "xterm-256color", **variables}
        try:
            self._child = bench.sandbox.spawn(command, terminal, terminal=SIZE)
        except OSError as problem:
            raise ProgramBroke("exit", f"it can't be started: {problem}") from None
        bench.lab.guard(bench.sandbox.processes)
        self._terminal = Terminal(self._child, bench.timeout, self.menu)
        self._terminal.wait_for(INVITATION, 0, max(_START_LIMIT, bench.timeout))
        self.wait_until_asked(max(_START_LIMIT, bench.timeout))
        self._asked = 0

    def connect(self, servers: Mapping[str, Address]) -> None:
        """Have it read the listings again, by its own means where it has any."""
        same, self._servers = set(servers) == set(self._servers), servers
        if not (same and self.reload(servers)):
            self.stop()
            self.start(self._bench, servers)

    def listing(self) -> Sequence[Json] | None:
        """Nothing: its menu shows a few prompts at a time, as one types."""
        return None

    def express(self, case: Case) -> str | Unsupported:
        """What its documentation teaches: `/PROMPT --name="value"`."""
        command = f"/{self.commands_for(case)[0]}"
        words, nameless = [], []
        for name, value in case.arguments.items():
            if _can_be_named(name):
                words.append(f"--{name}={quoted(value)}")
            else:
                nameless.append(name)
                words.append(quoted(value))
        typed = " ".join([command, *words])
        if nameless and nameless != [self.positional(case)]:
            why = f"arguments.verbatim: no argument can be named {nameless[0]!r}"
            return Unsupported(why, typed)
        if found := _UNTYPED.search(typed):
            rule = "list.reachable" if _UNTYPED.search(command) else "arguments.verbatim"
            return Unsupported(f"{rule}: {found[0]!r} can't be typed at a terminal", typed)
        if typed == "/":
            return Unsupported("list.reachable: the prompt's command has no name", typed)
        return typed

    def invoke(self, case: Case, typed: str) -> Shown:
        """Type it, under each of the prompt's names until its server is asked."""
        if self._asked >= CLEARED_AFTER:
            self._clear()
        first, *others = self.commands_for(case)
        lines = [typed, *(f"/{other}{typed[1 + len(first) :]}" for other in others)]
        # Commands are made some time after a listing was read, and Enter may have picked from a
        # menu: what does not work is tried once more before it is believed.
        for line in lines:
            shown, reached = self._try(line)
            if reached:
                return shown
            self._bench.lab.take()
        time.sleep(_READY_AFTER)
        return self._try(lines[-1])[0]

    def is_of_the_case(self, request: Json) -> bool:
        """Every request, but for those that a program adds."""
        return True

    def steady(self, turns: Transcript) -> Transcript:
        """What was said since the model last answered, without the program's own preface."""
        return cut(turns, self.own_words)

    def stop(self) -> None:
        """End it and what it started."""
        if self._child is not None:
            self._child.end()
        self._child = self._terminal = None

    def configure(self, servers: Mapping[str, Address]) -> None:
        """Write its settings, in one step: it may be watching the file."""
        path = self._bench.sandbox.home / self.settings_file
        path.parent.mkdir(exist_ok=True)
        draft = path.with_suffix(".new")
        draft.write_text(json.dumps(self.settings(servers), indent=2), encoding="utf-8")
        draft.replace(path)

    def wait_until_asked(self, seconds: float, quiet: float = _READY_AFTER) -> None:
        """Wait until servers were asked what they offer, and nothing happens for `quiet` seconds:
        commands are made some time after a listing was read."""
        deadline = time.monotonic() + seconds
        while not self._bench.lab.waiting()[0]:
            if self.terminal.exit_status is not None:
                raise ProgramBroke("exit", f"{self.name} has ended: {self.terminal.end()}")
            if time.monotonic() > deadline:
                raise ProgramBroke("hang", f"{self.name} asked no server in {seconds:g} s")
            time.sleep(TICK)
        self._bench.lab.settle(quiet, 10.0)
        self.terminal.rest(0, quiet, 15.0)

    def _try(self, line: str) -> tuple[Shown, bool]:
        """What is shown for a line, and whether any server was asked for anything."""
        terminal, lab = self.terminal, self._bench.lab
        mark, taken = terminal.say(line)
        unasked = _UNASKED if taken else AT_REST
        seen, changed = lab.waiting(), time.monotonic()
        deadline = changed + self._bench.timeout
        while time.monotonic() < deadline:
            asked, now = lab.waiting(), time.monotonic()
            if asked != seen:
                seen, changed = asked, now
            requests, models = seen
            if models:
                self._asked += 1
                self._wait_for_answer(mark)
                return Shown(), requests > 0
            if terminal.exit_status is not None:
                return self._ended(), requests > 0
            time.sleep(TICK)
            if terminal.received == mark or not terminal.is_at_rest():
                continue
            shown = terminal.since(mark)
            silence = min(terminal.silence, time.monotonic() - changed)
            if silence >= AT_REST and (failed := failure(shown)):
                return Shown(error=failed), requests > 0
            if silence >= (_UNANSWERED if requests else unasked):
                if requests or not terminal.takes_lines():
                    self._start_anew()
                return Shown(text=shown[-500:].strip()), requests > 0
        raise ProgramBroke("hang", f"nothing came of {line[:200]!r}")

    def _wait_for_answer(self, mark: int) -> None:
        """Wait until the model's answer stands on the screen: what is typed before is queued."""
        terminal, deadline = self.terminal, time.monotonic() + 10.0
        while not terminal.shows(REPLY, mark) and not terminal.is_at_rest(_ANSWERED):
            if time.monotonic() > deadline or terminal.exit_status is not None:
                return
            time.sleep(TICK)

    def _ended(self) -> Shown:
        """A program that was told to end did; another status is a crash."""
        status, words = self.terminal.exit_status, self.terminal.end()
        if status:
            raise ProgramBroke("exit", f"it ended with status {status}: {words}")
        self._start_anew()
        return Shown(text="the program has ended")

    def _start_anew(self) -> None:
        """The screen holds a dialog, or something may still come."""
        self.stop()
        self.start(self._bench, self._servers)

    def _clear(self) -> None:
        """Begin a new conversation."""
        mark, _ = self.terminal.say("/clear")
        self.terminal.rest(mark, AT_REST, 5.0)
        self._asked = 0


def quoted(value: str) -> str:
    """A value between double quotes, as it is read back."""
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def cut(turns: Transcript, own_words: re.Pattern[str]) -> Transcript:
    """The turns since the model's last canned answer, and system turns, without own words."""
    answered = [n for n, turn in enumerate(turns) if _is_answer(turn)]
    first = answered[-1] + 1 if answered else 0

    def kept(turn: Turn) -> Turn:
        theirs = tuple(p for p in turn.parts if not _is_own(p, own_words))
        return replace(turn, parts=theirs)

    before = [turn for turn in turns[:first] if turn.role == "system"]
    after = [turn if turn.role == "system" else kept(turn) for turn in turns[first:]]
    return tuple(turn for turn in (*before, *after) if turn.parts)


def others_beside(case: Case) -> Iterator[tuple[str, str]]:
    """Each prompt of another server that stands beside, as its server and its name."""
    for server, held in case.beside.items():
        for offer in _offers(held.get("pages", ())):
            yield server, offer["prompt"]["name"]


def names_on_main(case: Case) -> list[str]:
    """The names that the case's own server lists at last, the case's own first."""
    pages = case.pages if case.relist is None else case.relist
    listed = [offer["prompt"]["name"] for offer in _offers(pages) if isinstance(offer, dict)]
    return list(dict.fromkeys([case.prompt["name"], *listed]))


def lone_required(case: Case, *, or_optional: bool) -> str | None:
    """The only required argument that isn't given by name, else the first optional one if told."""
    left = [a for a in declared_arguments(case.prompt) if not _is_named(a["name"], case)]
    required = [a["name"] for a in left if a.get("required")]
    if len(required) == 1 or (required and or_optional):
        return str(required[0])
    return str(left[0]["name"]) if left and or_optional and not required else None


def _is_named(name: str, case: Case) -> bool:
    return name in case.arguments and _can_be_named(name)


def _can_be_named(name: str) -> bool:
    """`--NAME="value"` ends the name at its first equals sign."""
    return bool(name) and "=" not in name


def _offers(pages: Iterable[Json]) -> Iterator[Any]:
    for page in pages:
        yield from page["prompts"]


def _is_answer(turn: Turn) -> bool:
    return turn.role == "assistant" and [p.text for p in turn.parts] == [REPLY]


def _is_own(part: Part, own_words: re.Pattern[str]) -> bool:
    return part.kind == "text" and own_words.fullmatch(part.text) is not None
