"""A pseudo-terminal that is typed into, and what comes to its screen.

Not by pexpect: the sandbox starts every process itself, and reads all that it prints already.
"""

from __future__ import annotations

import os
import re
import select
import time
from typing import Final

from mcp_prompt_fuzz.lab.child import Child, Tail

from .program import ProgramBroke

SIZE: Final = (50, 160)
"""Rows and columns: wide enough that few errors are wrapped."""

TICK: Final = 0.02
AT_REST: Final = 0.25
"""Seconds without output after which nothing is being drawn: spinners turn faster. A menu that
opens as one types is up to date then; until then, Enter picks from what it was before."""

_ENTER_AGAIN: Final = 0.4
_MOST_ENTERS: Final = 8
_ROOM: Final = 256
"""Bytes that a terminal takes without waiting, where it says that it takes any."""

_PASTE: Final = ("\x1b[200~", "\x1b[201~")
_ESCAPES: Final = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]"  # CSI
    r"|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)"  # OSC
    r"|\x1b[PX^_].*?\x1b\\"  # DCS, SOS, PM, APC
    r"|\x1b[ -/]*[0-~]",
    re.DOTALL,
)
_FAILED: Final = re.compile(r"^\W*[✕✖] +(.*)$", re.MULTILINE)


class Terminal:
    """The terminal at which a child of the sandbox sits. `timeout` bounds how long one types."""

    def __init__(self, child: Child, timeout: float) -> None:
        assert child.output is not None
        assert child.stdin is not None
        self._child = child
        self._output: Tail = child.output
        self._keyboard = child.stdin.fileno()
        self._timeout = timeout

    @property
    def exit_status(self) -> int | None:
        """That of the program, None while it runs."""
        return self._child.exit_status

    @property
    def received(self) -> int:
        """How much has come to the screen."""
        return self._output.received

    def since(self, mark: int) -> str:
        """What has come to the screen since `received` was that, without escape sequences."""
        return plain(self._output.since(mark))

    def say(self, line: str) -> int:
        """Paste a line and press Enter; how much had come to the screen before Enter."""
        before = self.received
        self._press("".join([_PASTE[0], line, _PASTE[1]]))
        self.rest(before, AT_REST, 5.0)
        mark = self.received
        # Enter is ignored for a moment after a paste. A second one does nothing where the first
        # one did: by then there is no text to be sent.
        for _ in range(_MOST_ENTERS):
            self._press("\r")
            deadline = time.monotonic() + _ENTER_AGAIN
            while self.received == mark and time.monotonic() < deadline:
                time.sleep(TICK)
            if self.received != mark:
                break
        return mark

    def wait_for(self, words: str, mark: int, seconds: float) -> None:
        """Wait until that stands on the screen, then until the screen is at rest."""
        deadline = time.monotonic() + seconds
        while words not in self.since(mark):
            if self.exit_status is not None:
                raise ProgramBroke("exit", f"it ended with status {self.exit_status}: {self.end()}")
            if time.monotonic() > deadline:
                raise ProgramBroke("hang", f"{words!r} is never shown, but: {self.end()}")
            time.sleep(TICK)
        self.rest(mark, AT_REST, 5.0)

    def rest(self, mark: int, quiet: float, limit: float) -> None:
        """Wait until something came after `mark` and then nothing for `quiet` seconds."""
        deadline = time.monotonic() + limit
        while time.monotonic() < deadline and self.exit_status is None:
            if self.received > mark and self.is_at_rest(quiet):
                return
            time.sleep(TICK)

    def is_at_rest(self, seconds: float) -> bool:
        """Whether nothing comes for so long."""
        seen = self.received
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            time.sleep(TICK)
            if self.received != seen:
                return False
        return True

    def end(self) -> str:
        """The end of what came to the screen, for an error message."""
        return plain(self._child.last_words()).strip()[-500:]

    def _press(self, keys: str) -> None:
        """Type, without waiting for ever for a program that does not read."""
        left = keys.encode("utf-8", "replace")
        deadline = time.monotonic() + self._timeout
        while left:
            if time.monotonic() > deadline:
                raise ProgramBroke("hang", "it does not read what is typed")
            # Never made non-blocking: whoever reads the screen shares that with the keyboard.
            if select.select([], [self._keyboard], [], 0.1)[1]:
                try:
                    left = left[os.write(self._keyboard, left[:_ROOM]) :]
                except OSError as problem:
                    raise ProgramBroke("exit", f"its terminal is gone: {problem}") from None


def plain(screen: str) -> str:
    """What came to a screen, without escape sequences and the columns that were left blank."""
    text = _ESCAPES.sub("", screen).replace("\r", "")
    return "\n".join(line.rstrip() for line in text.split("\n"))


def failure(screen: str) -> str | None:
    """The last error that was shown, None where there was none."""
    found = _FAILED.findall(screen)
    return found[-1].strip(" │█") if found else None
