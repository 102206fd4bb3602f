"""Processes of ours, told from anybody else's: by pid, start time and a token in their environment.

A pid alone is never trusted: it may have been given to a stranger since.
"""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

TOKEN_VARIABLE: Final = "MCP_PROMPT_FUZZ_TOKEN"
"""The environment variable that marks every process that a run has started."""

_PROC: Final = Path("/proc")
_GRACE: Final = 0.4
_LIMIT: Final = 0.9
_GONE: Final = (ProcessLookupError, PermissionError)


@dataclass(frozen=True, slots=True)
class Running:
    """One process: its pid, when it started (as the system spells it), the token it carries."""

    pid: int
    started: str
    token: str

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Running:
        return cls(int(data["pid"]), str(data["started"]), str(data["token"]))

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def started_at(pid: int) -> str | None:
    """When that process started; None if there is none, or nothing but its exit status is left."""
    if _PROC.is_dir():
        try:
            stat = (_PROC / str(pid) / "stat").read_text(errors="replace")
        except OSError:
            return None
        fields = stat.rpartition(")")[2].split()
        return None if fields[0] in "ZX" else fields[19]
    return _ps(pid, "lstart=") or None


def token_of(pid: int) -> str | None:
    """The token in that process's environment; None where there is none to be read."""
    prefix = TOKEN_VARIABLE + "="
    if _PROC.is_dir():
        try:
            given = (_PROC / str(pid) / "environ").read_bytes().decode(errors="replace").split("\0")
        except OSError:
            return None
    else:
        given = _ps(pid, "command=", "-E").split()
    return next((item.removeprefix(prefix) for item in given if item.startswith(prefix)), None)


def _ps(pid: int, column: str, *options: str) -> str:
    command = ["ps", *options, "-p", str(pid), "-o", column]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.strip()


def identify(pid: int, token: str) -> Running:
    """What it takes to know this process again. `token` is what it was started with."""
    return Running(pid, started_at(pid) or "", token)


def is_running(running: Running) -> bool:
    """Whether that very process still runs: pid, start time and token all match."""
    return started_at(running.pid) == running.started and token_of(running.pid) == running.token


def _carriers(token: str) -> Iterator[int]:
    """Processes that carry the token, wherever they have moved to."""
    if _PROC.is_dir():
        for entry in _PROC.iterdir():
            if entry.name.isdigit() and token_of(int(entry.name)) == token:
                yield int(entry.name)
        return
    command = ["ps", "-ax", "-E", "-o", "pid=,command="]
    listed = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    for line in listed.splitlines():
        pid, _, given = line.strip().partition(" ")
        if f"{TOKEN_VARIABLE}={token}" in given.split():
            yield int(pid)


def _signal_group(pid: int, number: signal.Signals) -> None:
    with suppress(*_GONE):
        os.killpg(pid, number)


def _group_lives(pid: int) -> bool:
    try:
        os.killpg(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def end_group(running: Running, poll: Callable[[], object] = bool) -> None:
    """End a process that leads its own group, and all its children, within a second.

    It is asked first, then forced. Children that left the group are found by the token. `poll`
    collects the exit status meanwhile, where the process is a child of this one. Does nothing to
    a process that isn't the one meant.
    """
    if is_running(running):
        _signal_group(running.pid, signal.SIGTERM)
        deadline = time.monotonic() + _GRACE
        while time.monotonic() < deadline and _group_lives(running.pid):
            poll()
            time.sleep(0.01)
        if _group_lives(running.pid):
            _signal_group(running.pid, signal.SIGKILL)
    end_carriers(running.token, poll)


def end_carriers(token: str, poll: Callable[[], object] = bool) -> None:
    """Force every other process that carries the token to end."""
    if not token:
        return
    deadline = time.monotonic() + _LIMIT
    while time.monotonic() < deadline:
        found = [pid for pid in _carriers(token) if pid != os.getpid()]
        if not found:
            return
        for pid in found:
            with suppress(*_GONE):
                os.kill(pid, signal.SIGKILL)
        poll()
        time.sleep(0.01)
