"""What runs on this machine on behalf of a test, whatever group or session it has moved to."""

from __future__ import annotations

import os
from pathlib import Path


def processes_of(folder: Path) -> dict[int, str]:
    """The command lines of the processes in whose environment the folder stands, by pid."""
    found = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                if str(folder).encode() in (entry / "environ").read_bytes():
                    words = (entry / "cmdline").read_text("utf-8", "replace")
                    found[int(entry.name)] = words.replace("\0", " ")
            except OSError:
                continue
    return found
