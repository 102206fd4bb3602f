"""Where a client lives: folders of its own, an environment built from nothing, processes we end.

A sandbox's processes are written down beside the others of this user, so that what a killed run
left is ended at the next start.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from hypothesis_mcp.canaries import MARKER_FILE, MENTION_FILE

from .child import Child
from .isolation import Isolation
from .process_table import TOKEN_VARIABLE, Running, end_carriers, end_group, is_running, started_at

_PREFIX: Final = "mcp-prompt-fuzz-"
_FOLDERS: Final = ("home", "config", "cache", "data", "state", "runtime", "tmp", "work")
_OPEN: Final = Isolation(None)
SYSTEM_PATH: Final = "/usr/local/bin:/usr/bin:/bin"


class Sandbox:
    """Folders and processes of one client. `record` is the folder for notes on what runs."""

    def __init__(self, record: Path) -> None:
        self.token = secrets.token_hex(8)
        self.root = Path(tempfile.mkdtemp(prefix=_PREFIX)).resolve()
        self.isolation = _OPEN
        self._record = record / f"{self.token}.json"
        self._children: list[Child] = []
        self._started = 0
        try:
            for name in _FOLDERS:
                (self.root / name).mkdir(mode=0o700)
            make_working_folder(self.work)
            self._write_down()
        except BaseException:
            self.close()
            raise

    @property
    def home(self) -> Path:
        return self.root / "home"

    @property
    def work(self) -> Path:
        """The client's working folder: a repository that holds the file for mention canaries."""
        return self.root / "work"

    def environment(self, more: Mapping[str, str] | None = None) -> dict[str, str]:
        """The whole environment of a client: nothing of the user's is in it."""
        at = {name: str(self.root / name) for name in _FOLDERS}
        return {
            "HOME": at["home"],
            "XDG_CONFIG_HOME": at["config"],
            "XDG_CACHE_HOME": at["cache"],
            "XDG_DATA_HOME": at["data"],
            "XDG_STATE_HOME": at["state"],
            "XDG_RUNTIME_DIR": at["runtime"],
            "TMPDIR": at["tmp"],
            "PATH": SYSTEM_PATH,
            "SHELL": "/bin/sh",
            "USER": "user",
            "LOGNAME": "user",
            "LANG": "C.UTF-8",
            "TZ": "UTC",
            "TERM": "dumb",
            **self.isolation.variables(),
            **(more or {}),
        }

    def spawn(
        self,
        command: Sequence[str],
        more: Mapping[str, str] | None = None,
        *,
        folder: Path | None = None,
        talk: bool = False,
        terminal: tuple[int, int] | None = None,
        prefix: Sequence[str] | None = None,
    ) -> Child:
        """Start a program inside. `prefix` replaces the way into the namespaces."""
        self._started += 1
        marked = {**(more or {}), TOKEN_VARIABLE: f"{self.token}.{self._started}"}
        place = folder or self.work
        way_in = self.isolation.prefix(place) if prefix is None else prefix
        child = Child(
            [*way_in, *command],
            self.environment(marked),
            place,
            talk=talk,
            terminal=terminal,
        )
        self._children.append(child)
        self._write_down()
        return child

    @property
    def processes(self) -> list[Running]:
        """What is still running, as far as known."""
        return [child.running for child in self._children if child.exit_status is None]

    def take_markers(self) -> tuple[str, ...]:
        """The names of the marker files that canaries have made since; they are removed."""
        found = []
        for folder in (self.work, self.home, self.root / "tmp"):
            marker = folder / MARKER_FILE
            if marker.exists():
                found.append(MARKER_FILE)
                with suppress(OSError):
                    marker.unlink()
        return tuple(dict.fromkeys(found))

    def close(self) -> None:
        """End every process and remove every folder. May be called twice."""
        for child in reversed(self._children):
            child.end()
        for number in range(1, self._started + 1):
            end_carriers(f"{self.token}.{number}")
        shutil.rmtree(self.root, ignore_errors=True)
        self._record.unlink(missing_ok=True)

    def _write_down(self) -> None:
        me = Running(os.getpid(), started_at(os.getpid()) or "", "")
        note = {
            "harness": me.to_json(),
            "root": str(self.root),
            "processes": [running.to_json() for running in self.processes],
        }
        self._record.parent.mkdir(parents=True, exist_ok=True)
        draft = self._record.with_suffix(".new")
        draft.write_text(json.dumps(note), encoding="utf-8")
        draft.replace(self._record)


def make_working_folder(folder: Path) -> None:
    """Make a folder look like a user's project: an empty repository and a file to mention.

    Clients find their project by its repository; a mention is then resolved in it.
    """
    name, content = MENTION_FILE
    (folder / name).write_text(content, encoding="utf-8")
    repository = folder / ".git"
    for part in ("objects/info", "objects/pack", "refs/heads", "refs/tags"):
        (repository / part).mkdir(parents=True)
    (repository / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
    settings = "[core]\n\trepositoryformatversion = 0\n\tbare = false\n"
    (repository / "config").write_text(settings, encoding="utf-8")


def reap_leftovers(record: Path) -> int:
    """End what runs that were killed have left, and remove their folders; how many runs.

    A process is ended only if pid, start time and token all match what was written down.
    """
    reaped = 0
    for note_file in record.glob("*.json") if record.is_dir() else ():
        try:
            note = json.loads(note_file.read_text(encoding="utf-8"))
            harness = Running.from_json(note["harness"])
            processes = [Running.from_json(item) for item in note["processes"]]
            root = Path(note["root"])
        except (ValueError, KeyError, TypeError, OSError):
            note_file.unlink(missing_ok=True)
            continue
        if started_at(harness.pid) == harness.started:
            continue
        for running in filter(is_running, processes):
            end_group(running)
        if root.name.startswith(_PREFIX):
            shutil.rmtree(root, ignore_errors=True)
        note_file.unlink(missing_ok=True)
        reaped += 1
    return reaped


__all__ = ["SYSTEM_PATH", "Sandbox", "make_working_folder", "reap_leftovers"]
