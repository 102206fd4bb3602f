"""A `fuzz` in a world of its own that is sent a signal at some moment, and what it leaves."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, TypeAlias

from tests.leftovers import processes_of

from mcp_prompt_fuzz.clients.environments import cache_folder
from mcp_prompt_fuzz.formats import check

ROOT = Path(__file__).parent.parent.parent
_LIMIT = 300.0
_GOING = 10.0
"""Seconds that what was told to end may take to be gone: generous, for a busy machine."""


class World:
    """A temporary folder that everything of a run stands in, and every process of it is known by.

    Its path is short: sockets stand below it. Installed clients are those of this user.
    """

    def __init__(self) -> None:
        self.root = Path(tempfile.mkdtemp(prefix="pfz-")).resolve()
        self.temporary = self.root / "t"
        self.cache = self.root / "c"
        self.out = self.root / "out"
        self.words = self.root / "words"
        for folder in (self.temporary, self.cache):
            folder.mkdir()
        installed = cache_folder() / "clients"
        installed.mkdir(parents=True, exist_ok=True)
        (self.cache / "clients").symlink_to(installed)

    def __enter__(self) -> World:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        shutil.rmtree(self.root, ignore_errors=True)

    def fuzz(self, *words: str) -> subprocess.Popen[bytes]:
        """Start the command; what it says goes to `words`."""
        paths = [str(ROOT / each) for each in ("src", "strategies", "tests/renderers", ".")]
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(paths),
            "TMPDIR": str(self.temporary),
            "MCP_PROMPT_FUZZ_CACHE": str(self.cache),
        }
        command = [sys.executable, "-m", "mcp_prompt_fuzz", "fuzz", *words, "--out", str(self.out)]
        with self.words.open("wb") as told:
            return subprocess.Popen(
                command,
                cwd=self.root,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=told,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    @property
    def told(self) -> str:
        """What the command has said so far."""
        return self.words.read_text("utf-8", "replace") if self.words.exists() else ""

    def left(self) -> list[str]:
        """What is still there although it had the time to go: processes, notes, folders."""
        deadline = time.monotonic() + _GOING
        while (running := processes_of(self.root)) and time.monotonic() < deadline:
            time.sleep(0.05)
        notes = [*(self.cache / "running").glob("*")] if (self.cache / "running").exists() else []
        return [*running.values(), *map(str, [*notes, *self.temporary.iterdir()])]

    def run(self) -> Any:
        """The run's record, checked against its schema; None where none was written."""
        path = self.out / "run.json"
        if not path.exists():
            return None
        record = json.loads(path.read_text("utf-8"))
        check(record, "run")
        return record


@dataclass(frozen=True)
class Moment:
    """When the signal comes: so many seconds after something is seen to have happened."""

    name: str
    seen: Callable[[World], bool]
    delay: float = 0.0


def told(words: str) -> Callable[[World], bool]:
    """The command has said that."""
    return lambda world: words in world.told


Stage: TypeAlias = tuple[str, Callable[[World], bool]]
STAGES: Sequence[Stage] = (
    ("start", lambda world: True),
    ("the lab starts", lambda world: any(world.temporary.glob("mcp-prompt-fuzz-*"))),
    ("looking", told("looking at the renderer")),
    ("exploring", told("exploring")),
    ("a finding", told("found:")),
    ("shrinking", told("shrinking")),
    ("writing", lambda world: (world.out / ".journal").exists()),
)
"""What a run goes through, and how that is seen from outside."""


@dataclass(frozen=True)
class Outcome:
    """What became of a run that was sent a signal. `when` is in seconds after its start."""

    moment: str
    number: signal.Signals
    when: float
    took: float
    status: int
    over: bool
    run: Any
    said: str
    left: tuple[str, ...]

    @property
    def problems(self) -> list[str]:
        """Everything that is not as promised."""
        found = [f"left: {each}" for each in self.left]
        if "Traceback" in self.said:
            found.append("a traceback is shown")
        # Before the program itself begins, the interpreter ends as the signal has it.
        begun = self.said != ""
        if self.over:
            allowed = {0, 1}
        elif begun:
            allowed = {130}
        else:
            allowed = {130, -self.number}
        if self.run is not None and self.run["status"] == "complete":
            allowed.add(-self.number)  # the interpreter itself was ending
        if self.status not in allowed:
            found.append(f"status {self.status}")
        found_by_then = self.said.count("\nfound:")
        if self.run is None and found_by_then:
            found.append(f"{found_by_then} findings are not written")
        if self.run is not None and len(self.run["findings"]) < found_by_then:
            found.append(f"{len(self.run['findings'])} of {found_by_then} findings are written")
        return found

    def __str__(self) -> str:
        record = "no record" if self.run is None else f"{len(self.run['findings'])} findings"
        state = "over" if self.over else f"status {self.status}"
        told = "; ".join(self.problems) or "well"
        return (
            f"{self.moment}, {self.number.name} after {self.when:.2f} s: {state} "
            f"{self.took:.2f} s later, {record}: {told}"
        )


def signalled(words: Sequence[str], moment: Moment, number: signal.Signals) -> Outcome:
    """Start a run, send the signal at that moment, and see what becomes of it.

    `over` in the outcome: the run had come to its end before.
    """
    with World() as world:
        begun = time.monotonic()
        process = world.fuzz(*words)
        try:
            while not moment.seen(world) and process.poll() is None:
                time.sleep(0.005)
                assert time.monotonic() - begun < _LIMIT, f"{moment.name} is never seen"
            due = time.monotonic() + moment.delay
            while time.monotonic() < due and process.poll() is None:
                time.sleep(0.005)
            sent = time.monotonic()
            over = process.poll() is not None
            if not over:
                process.send_signal(number)
            status = process.wait(_LIMIT)
            took = time.monotonic() - sent
        finally:
            process.kill()
            process.wait()
        left = tuple(world.left())
        return Outcome(
            moment.name, number, sent - begun, took, status, over, world.run(), world.told, left
        )


def duration(words: Sequence[str]) -> float:
    """Seconds that a run takes which nobody interrupts."""
    with World() as world:
        begun = time.monotonic()
        assert world.fuzz(*words).wait(_LIMIT) in (0, 1), world.told
        return time.monotonic() - begun
