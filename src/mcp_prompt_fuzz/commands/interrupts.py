"""Ctrl-C and SIGTERM, remembered: a run that was interrupted still writes what it found."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import Final

_INSISTS: Final = 3
"""So many signals are meant: the last one is not held back any more."""


@dataclass
class Interruption:
    """Whether somebody asked to stop."""

    came: bool = False
    _times: int = 0
    _held: bool = False

    def hold(self) -> None:
        """From here on a signal is remembered, and interrupts nothing."""
        self._held = True

    def ask(self) -> None:
        """Somebody asks: the first time that ends what is done, then it is already ending."""
        self.came = True
        self._times += 1
        if (self._times == 1 and not self._held) or self._times >= _INSISTS:
            raise KeyboardInterrupt


_outer: list[Interruption] = []


@contextmanager
def interruptible() -> Iterator[Interruption]:
    """Within the block both signals raise `KeyboardInterrupt`, and are remembered.

    A block in another one is the same interruption, so that what follows the inner one can `hold`.
    """
    if _outer:
        yield _outer[-1]
        return
    interruption = Interruption()
    if threading.current_thread() is not threading.main_thread():
        yield interruption  # signals only ever reach the main thread
        return

    def stop(_number: int, _frame: FrameType | None) -> None:
        interruption.ask()

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    _outer.append(interruption)
    try:
        yield interruption
    finally:
        _outer.clear()
        for number, handler in before.items():
            signal.signal(number, handler)
