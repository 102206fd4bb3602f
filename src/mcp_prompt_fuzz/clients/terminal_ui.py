"""What programs with a terminal UI share: a pseudo-terminal that is typed into and read.

Only `/PROMPT --name="value"` and the program's own commands are ever typed, always as one
bracketed paste that begins with a slash: no key of it can mean anything else, a shell mode say.
What was sent to the model is read at the lab, never from the screen.

Not by pexpect: the sandbox starts every process itself, and reads all that it prints already.
"""

from __future__ import annotations

import json
import os
import re
import select
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
from mcp_prompt_fuzz.rendering import BreakageKind
from mcp_prompt_fuzz.transcript import Part, Transcript, Turn

from .environments import Progress, node_command, npm_environment
from .program import Bench, ProgramBroke, Shown, Unsupported

SIZE: Final = (50, 160)
"""Rows and columns: wide enough that few errors are wrapped."""

CLEARED_AFTER: Final = 20
"""Invocations in one conversation, which is sent along whole with each of them."""

_TICK: Final = 0.02
_ECHOED: Final = 0.25
"""Seconds without output after which a menu that opens as one types is up to date: until then Enter
picks from what it was before."""

_IDLE: Final = 0.12
"""Seconds without output after which the program waits for its user: spinners turn faster."""

_ROOM: Final = 256
"""Bytes that a terminal takes without waiting, where it says that it takes any."""

_ENTER_AGAIN: Final = 0.4
_MOST_ENTERS: Final = 8
_UNANSWERED: Final = 1.5
"""Seconds without output after which nothing more comes of what was typed."""

_INVITATION: Final = "Type your message"
"""Where one types, while nothing has been typed."""

_START_LIMIT: Final = 90.0
_READY_AFTER: Final = 0.7
_PASTE: Final = ("\x1b[200~", "\x1b[201~")
_ESCAPES: Final = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]"  # CSI
    r"|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)"  # OSC
    r"|\x1b[PX^_].*?\x1b\\"  # DCS, SOS, PM, APC
    r"|\x1b[ -/]*[0-~]",
    re.DOTALL,
)
_UNTYPED: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_INVOKED: Final = re.compile(r"^\W*> /.*$", re.MULTILINE)
_FAILED: Final = re.compile(r"^\W*[✕✖] +(.*)$", re.MULTILINE)


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

    def __init__(self, version: str | None = None) -> None:
        self.version = version or self.version
        self._root = Path()
        self._child: Child | None = None
        self._servers: Mapping[str, Address] = {}
        self._asked = 0

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
        self.wait_for_words(0, _INVITATION, max(_START_LIMIT, bench.timeout))
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
            self._child = None

    def configure(self, servers: Mapping[str, Address]) -> None:
        """Write its settings, in one step: it may be watching the file."""
        path = self._bench.sandbox.home / self.settings_file
        path.parent.mkdir(exist_ok=True)
        draft = path.with_suffix(".new")
        draft.write_text(json.dumps(self.settings(servers), indent=2), encoding="utf-8")
        draft.replace(path)

    def say(self, line: str) -> int:
        """Type a line and Enter; how much had come to the screen before Enter."""
        child = self._alive()
        assert child.output is not None
        before = child.output.received
        self._press("".join([_PASTE[0], line, _PASTE[1]]))
        self._wait_for_quiet(before, _ECHOED, 5.0)
        mark = child.output.received
        # Enter is ignored for a moment after a paste, and while a menu is being made. A second one
        # does nothing: by then there is no text to be sent.
        for _ in range(_MOST_ENTERS):
            self._press("\r")
            deadline = time.monotonic() + _ENTER_AGAIN
            while child.output.received == mark and time.monotonic() < deadline:
                time.sleep(_TICK)
            if child.output.received != mark:
                break
        return mark

    def wait_for_words(self, mark: int, words: str, seconds: float) -> None:
        """Wait until that stands on the screen, then until the screen is at rest."""
        child = self._alive()
        assert child.output is not None
        deadline = time.monotonic() + seconds
        while words not in plain(child.output.since(mark)):
            if time.monotonic() > deadline or child.exit_status is not None:
                seen = plain(child.last_words()).strip()[-500:]
                kind: BreakageKind = "hang" if child.exit_status is None else "exit"
                raise ProgramBroke(kind, f"{words!r} is never shown, but: {seen}")
            time.sleep(_TICK)
        self._wait_for_quiet(mark, _IDLE * 2, 5.0)

    def _try(self, line: str) -> tuple[Shown, bool]:
        """What is shown for a line, and whether any server was asked for anything."""
        mark = self.say(line)
        deadline = time.monotonic() + self._bench.timeout
        while time.monotonic() < deadline:
            requests, models = self._bench.lab.waiting()
            if models:
                self._asked += 1
                self._wait_for_quiet(mark, _IDLE, 10.0)
                return Shown(), requests > 0
            child = self._child
            assert child is not None
            assert child.output is not None
            if child.exit_status is not None:
                return self._ended(child), requests > 0
            failed = failure(plain(child.output.since(mark)))
            if failed and self._is_quiet(child, _IDLE * 2):
                return Shown(error=failed), requests > 0
            if child.output.received > mark and self._is_quiet(child, _UNANSWERED):
                requests, models = self._bench.lab.waiting()
                if not models:
                    seen = plain(child.output.since(mark))[-500:].strip()
                    self._recover()
                    return Shown(text=seen), requests > 0
            time.sleep(_TICK)
        raise ProgramBroke("hang", f"nothing came of {line[:200]!r}")

    def _ended(self, child: Child) -> Shown:
        """A program that was told to end did; another status is a crash."""
        if child.exit_status:
            words = plain(child.last_words()).strip()[-500:]
            raise ProgramBroke("exit", f"it ended with status {child.exit_status}: {words}")
        self._recover()
        return Shown(text="the program has ended")

    def _recover(self) -> None:
        """Start anew where the screen may hold a dialog, or text that nobody took."""
        self.stop()
        self.start(self._bench, self._servers)

    def _clear(self) -> None:
        """Begin a new conversation."""
        mark = self.say("/clear")
        self._wait_for_quiet(mark, _IDLE * 2, 5.0)
        self._asked = 0

    def wait_until_asked(self, seconds: float) -> None:
        """Wait until servers were asked what they offer, and the screen is at rest."""
        child = self._alive()
        assert child.output is not None
        deadline = time.monotonic() + seconds
        while not self._bench.lab.waiting()[0] or not child.output.received:
            if child.exit_status is not None:
                words = plain(child.last_words()).strip()
                raise ProgramBroke("exit", f"{self.name} did not start: {words[-500:]}")
            if time.monotonic() > deadline:
                raise ProgramBroke("hang", f"{self.name} asked no server in {seconds:g} s")
            time.sleep(_TICK)
        self._wait_for_quiet(0, _READY_AFTER, 15.0)

    def _wait_for_quiet(self, mark: int, quiet: float, limit: float) -> None:
        """Wait until something came after `mark` and then nothing for `quiet` seconds."""
        child = self._alive()
        assert child.output is not None
        deadline = time.monotonic() + limit
        while time.monotonic() < deadline and child.exit_status is None:
            if child.output.received > mark and self._is_quiet(child, quiet):
                return
            time.sleep(_TICK)

    def _is_quiet(self, child: Child, seconds: float) -> bool:
        assert child.output is not None
        seen = child.output.received
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            time.sleep(_TICK)
            if child.output.received != seen:
                return False
        return True

    def _press(self, keys: str) -> None:
        """Type, without waiting for ever for a program that does not read."""
        child = self._alive()
        assert child.stdin is not None
        descriptor = child.stdin.fileno()
        left = keys.encode("utf-8", "replace")
        deadline = time.monotonic() + self._bench.timeout
        while left:
            if time.monotonic() > deadline:
                raise ProgramBroke("hang", "it does not read what is typed")
            if select.select([], [descriptor], [], 0.1)[1]:
                try:
                    left = left[os.write(descriptor, left[:_ROOM]) :]
                except OSError as problem:
                    raise ProgramBroke("exit", f"its terminal is gone: {problem}") from None

    def _alive(self) -> Child:
        if self._child is None:
            raise ProgramBroke("exit", "it is not running")
        return self._child


def plain(screen: str) -> str:
    """What came to a screen, without escape sequences and the columns that were left blank."""
    text = _ESCAPES.sub("", screen).replace("\r", "")
    return "\n".join(line.rstrip() for line in text.split("\n"))


def failure(screen: str) -> str | None:
    """The last error below the last line that was typed, None where there is none."""
    typed = list(_INVOKED.finditer(screen))
    below = screen[typed[-1].end() :] if typed else screen
    found = _FAILED.findall(below)
    return found[-1].strip(" │█") if found else None


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
