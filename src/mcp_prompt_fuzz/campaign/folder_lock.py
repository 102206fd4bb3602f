"""One run at a time in a folder: two would write into each other's journal and reports."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Any

try:
    import fcntl
except ImportError:  # where there are no such locks, nothing is locked
    locks: Any = None
else:
    locks = fcntl


class FolderInUseError(Exception):
    """Another run is at work there."""


class FolderLock:
    """A lock on the folder itself, which leaves no file behind and ends with the process."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._handle: int | None = None

    def take(self) -> None:
        """Take it; it may be ours already. Raises `FolderInUseError`, `OSError` for no folder."""
        if locks is None or self._handle is not None:
            return
        handle = os.open(self._folder, os.O_RDONLY)
        try:
            locks.flock(handle, locks.LOCK_EX | locks.LOCK_NB)
        except BlockingIOError:
            os.close(handle)
            raise FolderInUseError(str(self._folder)) from None
        except OSError:  # a file system without locks
            os.close(handle)
            return
        self._handle = handle

    def release(self) -> None:
        """Let another run have it. May be called twice."""
        handle, self._handle = self._handle, None
        if handle is not None:
            with suppress(OSError):
                os.close(handle)
