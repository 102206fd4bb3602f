"""Keeping client processes off the network: a namespace with loopback alone, where allowed.

Where the system allows none, the proxies that programs are told of lead nowhere, which is a
courtesy and no wall: the run then says NOT ISOLATED.
"""

from __future__ import annotations

import shutil
import socket
import struct
import subprocess
import sys
from dataclasses import dataclass
from typing import Final

NAMESPACE: Final = "network namespace, loopback only"
DEAD_PROXIES: Final = "NOT ISOLATED (dead proxies)"

_DEAD: Final = "http://127.0.0.1:9"
"""The discard port of this machine: nothing answers there."""


@dataclass(frozen=True, slots=True)
class Isolation:
    """How processes are kept from the network. `holder` is the process whose namespace it is."""

    holder: int | None

    @property
    def description(self) -> str:
        """What the run's record says."""
        return DEAD_PROXIES if self.holder is None else NAMESPACE

    def prefix(self) -> list[str]:
        """What a command line must start with to run inside."""
        if self.holder is None:
            return []
        inside = ["--user", "--net", "--preserve-credentials"]
        return ["nsenter", "--target", str(self.holder), *inside, "--"]

    def variables(self) -> dict[str, str]:
        """What an environment must hold."""
        if self.holder is not None:
            return {}
        names = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY")
        dead = {spelled: _DEAD for name in names for spelled in (name, name.lower())}
        local = "127.0.0.1,localhost,::1"
        return {**dead, "NO_PROXY": local, "no_proxy": local}


def own_namespace_prefix() -> list[str]:
    """What starts a command in a network namespace of its own; empty where there are none."""
    if sys.platform != "linux" or not (shutil.which("unshare") and shutil.which("nsenter")):
        return []
    return ["unshare", "--map-root-user", "--net", "--"]


def can_enter(isolation: Isolation) -> bool:
    """Whether a process can be started inside."""
    try:
        done = subprocess.run(
            [*isolation.prefix(), sys.executable, "-S", "-c", ""],
            check=False,
            capture_output=True,
            timeout=10,
        )
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
