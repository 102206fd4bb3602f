"""What a client sees of the file system: the system's own folders and a few more, all read-only.

Everything else is not there: no home, no other project, no other temporary files, no sockets of
this machine's services. Linux, in a mount namespace of its own, whose root is put together anew.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import struct
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Final

_SYSTEM: Final = ("bin", "dev", "etc", "lib", "lib32", "lib64", "nix", "opt", "proc", "sbin")
_MORE: Final = ("sys", "usr")
_SCRATCH: Final = ("tmp", "var/tmp", "run", "dev/shm")
"""Empty, of its own, and writable: programs expect that they may write there."""

_MS_BIND, _MS_REC, _MNT_DETACH = 0x1000, 0x4000, 0x2
_SYS_MOUNT_SETATTR, _AT_FDCWD, _AT_RECURSIVE, _RDONLY = 442, -100, 0x8000, 0x1


def raise_walls(own: Path, seen: Iterable[Path]) -> None:
    """Leave this process and all that join its namespace with that view of the file system.

    `own` is where they may write, `seen` is what they see besides, where it is. Raises `OSError`
    where this system allows none of it; the process is of no use then.
    """
    root = own / "root"
    root.mkdir(exist_ok=True)
    _mount("tmpfs", root, "tmpfs", 0)
    for name in (*_SYSTEM, *_MORE):
        there = Path("/", name)
        if there.is_symlink():
            (root / name).symlink_to(there.readlink())
        elif there.is_dir():
            _bind(there, root)
    for name in _SCRATCH:
        if name != "dev/shm" or Path("/dev/shm").is_dir():
            (root / name).mkdir(parents=True, exist_ok=True)
            _mount("tmpfs", root / name, "tmpfs", 0)
    # A folder comes before those in it, which are then there already.
    for there in sorted({spelled for path in seen for spelled in (path, path.resolve())}):
        if there.is_dir() and not _under(root, there).exists():
            _bind(there, root)
    _bind(own, root, recursive=False)
    (root / "old").mkdir()
    _set_attributes(root, _AT_RECURSIVE, put=_RDONLY)
    for writable in (*_SCRATCH, own.relative_to("/")):
        if (root / writable).is_mount():
            _set_attributes(root / writable, 0, clear=_RDONLY)
    pivot = shutil.which("pivot_root", path="/usr/sbin:/sbin:/usr/bin:/bin")
    try:
        subprocess.run([pivot or "pivot_root", root, root / "old"], check=True)
    except subprocess.CalledProcessError as problem:
        raise OSError(str(problem)) from None
    os.chdir("/")
    _checked(_libc().umount2(b"/old", _MNT_DETACH), "/old")


def _under(root: Path, path: Path) -> Path:
    return root / path.relative_to("/")


def _bind(there: Path, root: Path, *, recursive: bool = True) -> None:
    """Show a folder below the new root, in the place where it is."""
    place = _under(root, there)
    place.mkdir(parents=True, exist_ok=True)
    _mount(str(there), place, None, _MS_BIND | (_MS_REC if recursive else 0))


def _mount(source: str, target: Path, kind: str | None, flags: int) -> None:
    kind_bytes = None if kind is None else kind.encode()
    done = _libc().mount(source.encode(), os.fsencode(target), kind_bytes, flags, None)
    _checked(done, str(target))


def _set_attributes(path: Path, flags: int, *, put: int = 0, clear: int = 0) -> None:
    """mount_setattr(2), Linux 5.12: what `put` and `clear` name, with `flags` on all below it."""
    attributes = struct.pack("4Q", put, clear, 0, 0)
    done = _libc().syscall(
        _SYS_MOUNT_SETATTR, _AT_FDCWD, os.fsencode(path), flags, attributes, len(attributes)
    )
    _checked(done, str(path))


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _checked(done: int, what: str) -> None:
    if done != 0:
        problem = ctypes.get_errno()
        raise OSError(problem, os.strerror(problem), what)
