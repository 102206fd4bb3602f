"""The journal of a run: what was learned, line by line, for a run that goes on after a kill.

It stands under `private/` whole, since any line may hold what must stay there. While the reports
are written, which replaces that folder, it is set aside in a hidden folder of the same mode beside
it, so that no moment is without it.
"""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from ..formats import FormatError
from ..jsontypes import Json
from .folder_lock import FolderLock
from .wire import Event, event_from_json, event_to_json

FORMAT: Final = "mcp-prompt-journal/1"
_FILE: Final = "journal.jsonl"
_FOLDER: Final = "private"
_ASIDE: Final = ".journal"


@dataclass(frozen=True)
class Header:
    """What a run must have in common with the one that goes on from it.

    `versions` are those of everything that decides which cases are drawn and what is made of them.
    """

    renderer: str
    version: str
    max_examples: int
    seed: int
    revision: str
    rules: tuple[str, ...]
    versions: Json


class Journal:
    """Keeps events in a run's folder as they come (see `campaign.Keeper`).

    Nothing is written before `open`: a renderer that can't be reached leaves no trace. From then
    on, or from when a journal was read, until `close`, the folder is this run's alone.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._lock = FolderLock(folder)
        self._handle: int | None = None
        self._torn = False
        self._began = time.time()
        self.header: Header | None = None
        self.started: str | None = None
        self.earlier_seconds = 0.0
        self.events: list[Event] = []

    @classmethod
    def of(cls, folder: Path) -> Journal | None:
        """The journal that an unfinished run left in its folder, None where there is none.

        Raises `FolderInUseError` where that run is not over, `FormatError` for a journal of
        another version, or one that can't be read.
        """
        if not folder.is_dir():
            return None
        journal = cls(folder)
        journal._lock.take()
        try:
            journal._put_back()
            if journal.path.exists():
                journal._read()
                if journal.header is None:
                    raise FormatError(str(journal.path), "$", f"does not begin as a {FORMAT} does")
                return journal
        except BaseException:
            journal.close()
            raise
        journal.close()
        return None

    @property
    def path(self) -> Path:
        """The file."""
        return self.folder / _FOLDER / _FILE

    def open(self, header: Header, started: str) -> None:
        """Begin, or go on where one was read. Raises `OSError`, `FolderInUseError`."""
        private = self.path.parent
        self.folder.mkdir(parents=True, exist_ok=True)
        self._lock.take()
        private.mkdir(exist_ok=True)
        private.chmod(0o700)
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT
        self._handle = os.open(self.path, flags | (0 if self.header else os.O_TRUNC), 0o600)
        if self.header is None:
            self.header, self.started = header, started
            self._write({"format": FORMAT, "started": started, "header": asdict(header)})

    def keep(self, event: Event) -> None:
        """Add a line; once this returns, killing this process does not lose it."""
        seconds = round(self.earlier_seconds + time.time() - self._began, 3)
        self._write({**event_to_json(event), "at": seconds})

    @contextmanager
    def set_aside(self) -> Iterator[None]:
        """Within, the folder `private/` may be replaced."""
        self._stop_writing()
        aside = self.folder / _ASIDE
        if self.path.exists():
            aside.mkdir(mode=0o700, exist_ok=True)
            self.path.replace(aside / _FILE)
        try:
            yield
        finally:
            self._put_back()

    def end(self) -> None:
        """Remove it: the run is complete."""
        self._stop_writing()
        self.path.unlink(missing_ok=True)
        private = self.path.parent
        if private.is_dir() and not any(private.iterdir()):
            private.rmdir()

    def _write(self, line: Json) -> None:
        if self._handle is None:
            return
        # An interruption that comes between two writes leaves half a line: it gets an end of its
        # own then, and the reader skips it.
        data = ("\n" * self._torn + json.dumps(line) + "\n").encode("ascii")
        self._torn = True
        while data:
            data = data[os.write(self._handle, data) :]
        self._torn = False

    def _put_back(self) -> None:
        aside = self.folder / _ASIDE
        if (aside / _FILE).exists():
            self.path.parent.mkdir(mode=0o700, exist_ok=True)
            (aside / _FILE).replace(self.path)
        shutil.rmtree(aside, ignore_errors=True)

    def close(self) -> None:
        """Leave the folder to others. May be called twice."""
        self._stop_writing()
        self._lock.release()

    def _stop_writing(self) -> None:
        handle, self._handle = self._handle, None
        if handle is not None:
            os.close(handle)

    def _read(self) -> None:
        with self.path.open("rb") as file:
            for raw in file:
                self._torn = not raw.endswith(b"\n")
                try:
                    line = json.loads(raw)
                    if self.header is None:
                        self._begin(line)
                    else:
                        self.earlier_seconds = line.pop("at")
                        self.events.append(event_from_json(line))
                except (ValueError, KeyError, TypeError, AttributeError):
                    if self.header is None:
                        return

    def _begin(self, line: Json) -> None:
        if line["format"] != FORMAT:
            raise KeyError(line["format"])
        told = line["header"]
        self.started = line["started"]
        self.header = Header(**{**told, "rules": tuple(told["rules"])})
