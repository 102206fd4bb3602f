"""A child process that is spoken to in lines, and that can't outstay, flood or stall its host.

Its output is read up to a limit; it gets a process group of its own, which is ended whole, and a
token in its environment, by which descendants that left the group are found. What may block for
long has a thread of its own: what its input does not take at once, its standard error, and all
where pipes can't be polled. The rest is done without one: waking a thread takes longer than a
short exchange.
"""

from __future__ import annotations

import contextlib
import os
import queue
import secrets
import select
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Sequence
from typing import IO, Final

from ..lab.process_table import TOKEN_VARIABLE, end_carriers
from ..rendering import Breakage, BreakageKind
from .errors import last_words

STDERR_KEPT: Final = 64 * 1024
"""Bytes of standard error that are kept: the last ones."""

_CHUNK: Final = 64 * 1024
_POLLED: Final = hasattr(select, "poll")
_POLL: Final = 0.05
_GRACE: Final = 0.5
"""Seconds for output that is still on its way, or for an end of its own accord."""


class BrokenLine(Exception):
    """The process gave no line: it is of no more use."""

    def __init__(self, kind: BreakageKind, detail: str) -> None:
        super().__init__(detail)
        self.breakage = Breakage(kind, detail)


class LineProcess:
    """One run of a program. Raises `OSError` if it can't be started."""

    def __init__(self, argv: Sequence[str]) -> None:
        self._token = f"driver-{secrets.token_hex(8)}"
        self._process = subprocess.Popen(
            list(argv),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            env={**os.environ, TOKEN_VARIABLE: self._token},
            start_new_session=sys.platform != "win32",
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )
        self._lines: deque[bytes | None] = deque()  # None is the end of the output
        self._came = threading.Event()
        self._outgoing: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._stderr = bytearray()
        self._allowance = _CHUNK
        self._received = 0
        self._flooded = False
        self._halfway = False
        self._ended = False
        self._given = self._written = 0
        self._threads = [
            threading.Thread(target=work, args=(pipe,), daemon=True)
            for work, pipe in (
                (self._write, self._process.stdin),
                *(() if _POLLED else ((self._read, self._process.stdout),)),
                (self._read_stderr, self._process.stderr),
            )
        ]
        self._unfinished = bytearray()
        self._readable = _poll_of(self._process.stdout, "POLLIN")
        self._writable = _poll_of(self._process.stdin, "POLLOUT")
        if self._writable is not None and self._process.stdin is not None:
            os.set_blocking(self._process.stdin.fileno(), False)
        for thread in self._threads:
            thread.start()

    def ask(self, line: bytes, *, limit: int, timeout: float) -> bytes:
        """Write a line and return the next one. Raises `BrokenLine`.

        `limit` is how many bytes may come before the end of that line, `timeout` its seconds.
        """
        self._allowance, self._received = limit, 0
        self.tell(line)
        return self._next(time.monotonic() + timeout, f"no answer within {timeout:g} s")

    def tell(self, line: bytes) -> None:
        """Write a line that has no answer."""
        line += b"\n"
        rest = line[self._written_at_once(line) :]
        if rest:
            self._given += 1
            self._outgoing.put(rest)

    def _written_at_once(self, line: bytes) -> int:
        """Write what takes no time; how many bytes that were."""
        pipe = self._process.stdin
        if self._writable is None or pipe is None or self._given != self._written or self._ended:
            return 0
        try:
            return os.write(pipe.fileno(), line)
        except BlockingIOError:
            return 0
        except (OSError, ValueError):
            return len(line)  # nobody reads any more: the end of its output tells how it went

    def unasked(self, wait: float | None = 0.0) -> bool:
        """Whether a whole line has come without being asked for.

        With `wait` None only what came along with the last answer is looked at.
        """
        if wait is not None:
            self._await_line(wait)
        return bool(self._lines) and self._lines[0] is not None

    def words(self) -> str:
        """The end of what it printed to standard error, fit for a terminal."""
        return last_words(bytes(self._stderr))

    def end(self, politely: bool = False) -> int | None:
        """End the process and all of its group; its exit status if it ended by itself.

        With `politely` it may first end by itself, once its input has ended.
        """
        if self._ended:
            return self._process.returncode
        self._ended = True
        self._outgoing.put(None)
        if politely:
            deadline = time.monotonic() + _GRACE
            while not self._has_exited() and time.monotonic() < deadline:
                time.sleep(_POLL / 10)
        exited = self._has_exited()
        self._kill_group()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=_GRACE)
        for thread in self._threads:
            thread.join(_GRACE)
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            # A reader that is stuck in a pipe (held by an escaped descendant) keeps it.
            if pipe is not None and not any(thread.is_alive() for thread in self._threads):
                with contextlib.suppress(OSError):
                    pipe.close()
        return self._process.returncode if exited else None

    def _next(self, deadline: float, late: str) -> bytes:
        gone = None
        now = time.monotonic()
        while True:
            self._await_line(max(0.0, min(_POLL, deadline - now)))
            if self._lines:
                line = self._lines.popleft()
                if line is not None:
                    return line
                if not self._flooded:
                    raise self._exit()
            # Only now is it worth asking how the process is.
            if self._flooded:
                raise BrokenLine("flood", f"more than {self._allowance} bytes in one answer")
            now = time.monotonic()
            if gone is None and self._has_exited():
                gone = now  # what it wrote last may still be on its way
            if now >= (deadline if gone is None else min(deadline, gone + _GRACE)):
                if gone is not None:
                    raise self._exit()
                raise BrokenLine("hang", self._with_words(late))

    def _await_line(self, wait: float) -> None:
        """Take in what comes, waiting so long for it where no line is there yet."""
        if self._readable is None:
            self._came.clear()
            if not self._lines:
                self._came.wait(wait)
        elif not self._lines and not self._ended and self._readable.poll(wait * 1000):
            assert self._process.stdout is not None
            self._read_some(self._process.stdout)

    def _exit(self) -> BrokenLine:
        """Its output has ended: tell how, once it has had the time to end itself."""
        deadline = time.monotonic() + _GRACE
        while not self._has_exited() and time.monotonic() < deadline:
            time.sleep(_POLL / 10)
        exited = self._has_exited()
        status = self.end()
        how = "closed its output" if not exited or status is None else f"exited with {status}"
        if self._halfway:
            how += " in the middle of a line"
        return BrokenLine("exit", self._with_words(how))

    def _with_words(self, text: str) -> str:
        words = self.words()
        return f"{text}; its standard error ends: {words}" if words else text

    def _has_exited(self) -> bool:
        """Whether the process is gone, without reaping it: its group id stays ours until then."""
        if self._process.returncode is not None:
            return True
        if sys.platform == "win32" or not hasattr(os, "waitid"):
            return self._process.poll() is not None
        try:
            found = os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:
            return True
        return found is not None

    def _kill_group(self) -> None:
        if sys.platform == "win32":
            subprocess.run(
                ["taskkill", "/T", "/F", "/PID", str(self._process.pid)],
                capture_output=True,
                check=False,
            )
            self._process.kill()
            return
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        end_carriers(self._token)

    def _write(self, pipe: IO[bytes]) -> None:
        while (line := self._outgoing.get()) is not None:
            try:
                left = memoryview(line)
                while left:
                    if self._writable is not None:
                        self._writable.poll()
                    with contextlib.suppress(BlockingIOError):
                        left = left[os.write(pipe.fileno(), left) :]
                self._written += 1
            except (OSError, ValueError):
                return
        with contextlib.suppress(OSError, ValueError):
            pipe.close()

    def _read(self, pipe: IO[bytes]) -> None:
        more = True
        while more:
            more = self._read_some(pipe)
            self._came.set()

    def _read_some(self, pipe: IO[bytes]) -> bool:
        """Read what is there, and say whether there may be more."""
        try:
            chunk = os.read(pipe.fileno(), _CHUNK)
        except (OSError, ValueError):
            chunk = b""
        self._received += len(chunk)
        if self._received > self._allowance:
            self._flooded = True
        if not chunk or self._flooded:
            self._halfway = bool(self._unfinished)
            self._lines.append(None)
            return False
        *whole, rest = chunk.split(b"\n")
        if whole:
            self._unfinished += whole[0]
            whole[0] = bytes(self._unfinished)
            self._unfinished.clear()
            self._lines.extend(whole)
        self._unfinished += rest
        return True

    def _read_stderr(self, pipe: IO[bytes]) -> None:
        with contextlib.suppress(OSError, ValueError):
            while chunk := os.read(pipe.fileno(), _CHUNK):
                self._stderr += chunk
                del self._stderr[:-STDERR_KEPT]


def _poll_of(pipe: IO[bytes] | None, event: str) -> select.poll | None:
    """What waits for the pipe, None where pipes can't be waited for."""
    if not _POLLED or pipe is None:
        return None
    poll = select.poll()
    poll.register(pipe.fileno(), getattr(select, event))
    return poll
