"""A program that nobody here wrote, as a child process: bounded output, ended with its group."""

from __future__ import annotations

import os
import struct
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Final

from .process_table import TOKEN_VARIABLE, Running, end_group, identify

KEPT_BYTES: Final = 64 * 1024
"""How much of a child's output is kept: its end."""


class Tail:
    """Reads a stream to its end in a thread and keeps the last bytes of it.

    `received` counts all that ever came, `last` is when the latest of it did (`time.monotonic`).
    """

    def __init__(self, stream: IO[bytes], kept: int = KEPT_BYTES) -> None:
        self._stream = stream
        self._kept = kept
        self.received = 0
        self.last = time.monotonic()
        self._buffer = bytearray()
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        while True:
            try:
                block = os.read(self._stream.fileno(), 65536)
            except (OSError, ValueError):
                break
            if not block:
                break
            with self._lock:
                self._buffer += block
                self.last = time.monotonic()  # first, for whoever looks without the lock
                self.received += len(block)
                del self._buffer[: -self._kept]

    @property
    def text(self) -> str:
        """What was kept, decoded as far as it goes."""
        with self._lock:
            return self._buffer.decode("utf-8", "replace")

    def since(self, received: int) -> str:
        """What came after `received` was that, as far as it was kept."""
        with self._lock:
            new = self.received - received
            return self._buffer[-new:].decode("utf-8", "replace") if new > 0 else ""

    def close(self) -> None:
        """Wait for the reader, briefly: a process that escaped may hold the stream open."""
        self._thread.join(0.5)
        if not self._thread.is_alive():
            self._stream.close()


def _open_pty(rows: int, columns: int) -> tuple[IO[bytes], IO[bytes], int]:
    """A new pseudo-terminal: its keyboard, its screen, and the end for the program inside."""
    import fcntl  # noqa: PLC0415 - exist on POSIX only
    import termios  # noqa: PLC0415

    outside, inside = os.openpty()
    fcntl.ioctl(inside, termios.TIOCSWINSZ, struct.pack("4H", rows, columns, 0, 0))
    keyboard = os.fdopen(os.dup(outside), "wb", buffering=0)
    return keyboard, os.fdopen(outside, "rb", buffering=0), inside


class Child:
    """A running child process in a session of its own.

    With `talk`, its standard input and output are `stdin` and `stdout`, for the caller to use;
    otherwise input is empty and output is kept as `output`. Standard error is kept as `errors`.
    With `terminal` (rows and columns), all three are a pseudo-terminal: `stdin` is its keyboard,
    and `output` and `errors` are both what came to its screen.
    """

    def __init__(
        self,
        command: Sequence[str],
        environment: Mapping[str, str],
        folder: Path,
        *,
        talk: bool = False,
        terminal: tuple[int, int] | None = None,
    ) -> None:
        keyboard, screen, inner = (None, None, None) if terminal is None else _open_pty(*terminal)
        outer = subprocess.PIPE if inner is None else inner
        given = subprocess.PIPE if talk else subprocess.DEVNULL
        try:
            self._process = subprocess.Popen(
                list(command),
                env=dict(environment),
                cwd=folder,
                stdin=given if inner is None else inner,
                stdout=outer,
                stderr=outer,
                start_new_session=True,
                bufsize=0 if not talk else -1,
            )
        except BaseException:
            for end in filter(None, (keyboard, screen)):
                end.close()
            raise
        finally:
            if inner is not None:
                os.close(inner)
        self.running: Running = identify(self._process.pid, environment.get(TOKEN_VARIABLE, ""))
        self.stdin = keyboard or self._process.stdin
        stdout, stderr = screen or self._process.stdout, screen or self._process.stderr
        assert stdout is not None
        assert stderr is not None
        self.stdout = stdout
        self.output = None if talk else Tail(stdout)
        self.errors = self.output if screen and self.output else Tail(stderr)

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def exit_status(self) -> int | None:
        """The exit status, negative for a signal; None while it runs."""
        return self._process.poll()

    def wait(self, seconds: float) -> int | None:
        """The exit status, if it ends within that time."""
        try:
            return self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None

    def last_words(self) -> str:
        """The end of what it printed, for an error message: standard error, else output."""
        printed = self.errors.text.strip() or (self.output.text.strip() if self.output else "")
        return printed[-2000:]

    def end(self) -> None:
        """End it and its children within a second. May be called twice."""
        end_group(self.running, self._process.poll)
        deadline = time.monotonic() + 0.5
        while self._process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.01)
        if self.stdin is not None and not self.stdin.closed:
            with suppress(OSError):
                self.stdin.close()
        for tail in (self.output, self.errors):
            if tail is not None:
                tail.close()
        if self.output is None and not self.stdout.closed:
            self.stdout.close()
