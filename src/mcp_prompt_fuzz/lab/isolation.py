"""Keeping client processes to themselves: namespaces with loopback alone and a file system of
their own, as far as this system allows it.

Where it allows none, the proxies that programs are told of lead nowhere, which is a courtesy and no
wall: the run then says NOT ISOLATED.
"""

from __future__ import annotations

import shutil
import socket
import struct
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

WALLED: Final = "loopback only, files of its own (namespaces)"
NAMESPACE: Final = "network namespace, loopback only"
DEAD_PROXIES: Final = "NOT ISOLATED (dead proxies)"

_DEAD: Final = "http://127.0.0.1:9"
"""The discard port of this machine: nothing answers there."""

_POWERLESS: Final = ("setpriv", "--bounding-set=-all", "--inh-caps=-all", "--no-new-privs", "--")
"""Whoever joins a namespace with every capability could take the walls down."""

_IN_FOLDER: Final = ("/bin/sh", "-c", 'cd -- "$0" && exec "$@"')
"""Joining a mount namespace forgets the working folder."""


@dataclass(frozen=True, slots=True)
class Isolation:
    """How processes are kept apart. `holder` is the process whose namespaces are joined; `walled`
    says whether the file system is one of them (see `walls`)."""

    holder: int | None
    walled: bool = False

    @property
    def description(self) -> str:
        """What the run's record says."""
        if self.holder is None:
            return DEAD_PROXIES
        return WALLED if self.walled else NAMESPACE

    def prefix(self, folder: Path) -> list[str]:
        """What a command line must start with to run inside, in that folder."""
        if self.holder is None:
            return []
        inside = ["--user", "--net", *(["--mount"] if self.walled else [])]
        join = ["nsenter", "--target", str(self.holder), *inside, "--preserve-credentials", "--"]
        return [*join, *_POWERLESS, *_IN_FOLDER, str(folder)] if self.walled else join

    def variables(self) -> dict[str, str]:
        """What an environment must hold."""
        if self.holder is not None:
            return {}
        names = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY")
        dead = {spelled: _DEAD for name in names for spelled in (name, name.lower())}
        local = "127.0.0.1,localhost,::1"
        return {**dead, "NO_PROXY": local, "no_proxy": local}


def own_namespace_prefix(*, walled: bool) -> list[str]:
    """What starts a command in namespaces of its own; empty where there are none."""
    needed = ("unshare", "nsenter", *(("setpriv",) if walled else ()))
    if sys.platform != "linux" or not all(map(shutil.which, needed)):
        return []
    way_in = ["unshare", "--map-root-user", "--net", *(["--mount"] if walled else []), "--"]
    return way_in if _runs([*way_in, "true"]) else []


def can_enter(isolation: Isolation) -> bool:
    """Whether a process can be started inside."""
    return _runs([*isolation.prefix(Path("/")), sys.executable, "-S", "-c", ""])


def _runs(command: list[str]) -> bool:
    try:
        done = subprocess.run(command, check=False, capture_output=True, timeout=10)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def raise_loopback() -> None:
    """Bring the loopback interface of this process's network namespace up (Linux)."""
    import fcntl  # noqa: PLC0415 - exists on POSIX only

    get_flags, set_flags, up = 0x8913, 0x8914, 0x1
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        request = struct.pack("16sh22x", b"lo", 0)
        answer = fcntl.ioctl(control, get_flags, request)
        (flags,) = struct.unpack("16xh22x", answer)
        fcntl.ioctl(control, set_flags, struct.pack("16sh22x", b"lo", flags | up))
