"""Folders that something is going to be written to."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryFile


def claim(folder: Path) -> None:
    """Make the folder, and see that it can be written, before hours go into what it is for.

    Raises `OSError`.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryFile(dir=folder):
        pass
