"""A pseudo-terminal that is typed into, and what comes to its screen.

Not by pexpect: the sandbox starts every process itself, and reads all that it prints already.
"""

from __future__ import annotations

import os
import re
import select
import time
from dataclasses import dataclass
from typing import Final

from mcp_prompt_fuzz.lab.child import Child, Tail

from .program import ProgramBroke

SIZE: Final = (50, 160)
"""Rows and columns: wide enough that few errors are wrapped."""

TICK: Final = 0.01
AT_REST: Final = 0.2
"""Seconds without output after which nothing is being drawn: spinners turn faster."""

_DRAWN: Final = 0.12
_DRAWN_LATE: Final = 0.5
"""As much after a paste, where nothing turns but a menu opens as one types. Until that is up to
date, Enter picks from what it was before: the second is for when it may have."""

_READABLE: Final = re.compile(r"[!-~ ]{1,30}")
"""The start of a line that is drawn as it was typed, whatever the program makes of the rest."""

_COLLAPSED: Final = "[Pasted "
"""What stands in the place of a long paste."""

_SLOWER: Final = 4
"""A program that takes long to show a key is given so many times as long to come to rest."""

INVITATION: Final = "Type your message"
"""Where one types, while nothing has been typed."""

_TAKEN_LIMIT: Final = 1.0
"""Seconds in which a line that was taken has gone from where one types."""

_SHOWN_LIMIT: Final = 3.0
"""Seconds in which a key shows."""

_WIPE: Final = "\x03"
"""Control and C, which empties a line that is not empty."""

_ERASE: Final = "\x7f"

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


@dataclass(frozen=True, slots=True)
class Menu:
    """How a program's menu opens beneath what is pasted.

    The line is drawn `draws` times until the menu is up to date, and not before what stands
    beneath it is free of all the words of `stale`.
    """

    draws: int
    stale: tuple[str, ...]


class Terminal:
    """The terminal at which a child of the sandbox sits. `timeout` bounds how long one types."""

    def __init__(self, child: Child, timeout: float, menu: Menu) -> None:
        assert child.output is not None
        assert child.stdin is not None
        self._child = child
        self._output: Tail = child.output
        self._keyboard = child.stdin.fileno()
        self._timeout = timeout
        self._menu = menu
        self._slow = 0.0

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

    @property
    def silence(self) -> float:
        """Seconds since something came to the screen."""
        return time.monotonic() - self._output.last

    def is_at_rest(self, quiet: float = AT_REST) -> bool:
        """Whether nothing came for so many seconds, or for more where the program is slow."""
        return self.silence >= max(quiet, self._slow)

    def say(self, line: str) -> tuple[int, bool]:
        """Paste a line and press Enter.

        Returns how much had come to the screen before Enter, and whether the line was taken. Where
        Enter picks from a menu instead, the line is still there afterwards: it is wiped and typed
        once more, with more time for the menu.
        """
        mark = self._typed(line, _DRAWN)
        taken = self._is_taken(mark)
        if not taken and self.exit_status is None and self._wipe():
            mark = self._typed(line, _DRAWN_LATE)
            taken = self._is_taken(mark)
        return mark, taken

    def takes_lines(self) -> bool:
        """Whether one types into an empty line, and not into a dialog.

        A letter that comes and goes shows what stands there; what is left over is wiped.
        """
        before = self.received
        self._press(" ")
        self.rest(before, 0.0, _SHOWN_LIMIT)
        before = self.received
        self._press(_ERASE)
        self.rest(before, AT_REST, _SHOWN_LIMIT)
        return self.shows(INVITATION, before) or (self.exit_status is None and self._wipe())

    def _is_taken(self, mark: int) -> bool:
        return self.comes_to_show(INVITATION, mark, max(_TAKEN_LIMIT, self._slow))

    def _wipe(self) -> bool:
        """Empty the line; whether it is empty then."""
        before = self.received
        self._press(_WIPE)
        return self.comes_to_show(INVITATION, before, _SHOWN_LIMIT)

    def _typed(self, line: str, quiet: float) -> int:
        before, self._slow = self.received, 0.0
        self._press("".join([_PASTE[0], line, _PASTE[1]]))
        self._wait_until_drawn(line, before)
        self.rest(before, quiet, 5.0)
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

    def _wait_until_drawn(self, line: str, mark: int) -> None:
        """Wait until the menu must be up to date, and learn how slow the program is just now."""
        begun = time.monotonic()
        start = _READABLE.match(line)
        words = "|".join(re.escape(w) for w in (start[0].rstrip() if start else "", _COLLAPSED))
        drawn = re.compile(f"> (?:{words})")
        while self.exit_status is None and time.monotonic() < begun + 5.0:
            draws = drawn.split(self.since(mark))
            if len(draws) > 1 and not self._slow:
                self._slow = _SLOWER * (time.monotonic() - begun)
            if len(draws) > self._menu.draws and not any(w in draws[-1] for w in self._menu.stale):
                return
            if self.received > mark and self.is_at_rest(_DRAWN_LATE):
                return
            time.sleep(TICK)

    def wait_for(self, words: str, mark: int, seconds: float) -> None:
        """Wait until that stands on the screen. Raises `ProgramBroke`."""
        if self.comes_to_show(words, mark, seconds):
            return
        if self.exit_status is not None:
            raise ProgramBroke("exit", f"it ended with status {self.exit_status}: {self.end()}")
        raise ProgramBroke("hang", f"{words!r} is never shown, but: {self.end()}")

    def comes_to_show(self, words: str, mark: int, seconds: float) -> bool:
        """Wait so long for that to stand on the screen; whether it does."""
        deadline = time.monotonic() + seconds
        while not self.shows(words, mark):
            if time.monotonic() > deadline or self.exit_status is not None:
                return False
            time.sleep(TICK)
        return True

    def shows(self, words: str, mark: int) -> bool:
        """Whether that has come to the screen since `received` was `mark`."""
        return words in self.since(mark)

    def rest(self, mark: int, quiet: float, limit: float) -> None:
        """Wait until something came after `mark` and then nothing for `quiet` seconds."""
        deadline = time.monotonic() + limit
        while time.monotonic() < deadline and self.exit_status is None:
            if self.received > mark and self.is_at_rest(quiet):
                return
            time.sleep(TICK)

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
