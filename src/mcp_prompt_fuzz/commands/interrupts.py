"""Ctrl-C and SIGTERM, remembered: a run that was interrupted still writes what it found."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import Final

from ..unheard import say_nothing_of

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

    def heed(self) -> None:
        """Interrupt now what no signal could.

        What is raised in a finalizer or in a callback of the garbage collector is lost.
        """
        if self.came and not self._held:
            raise KeyboardInterrupt

    def ask(self) -> None:
        """Somebody asks: the first time that ends what is done, then it is already ending."""
        self.came = True
        self._times += 1
        if (self._times == 1 and not self._held) or self._times >= _INSISTS:
            raise KeyboardInterrupt


@contextmanager
def terminable() -> Iterator[None]:
    """Within the block SIGTERM raises `KeyboardInterrupt`, as SIGINT does."""
    if threading.current_thread() is not threading.main_thread():
        yield  # signals only ever reach the main thread
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


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
    hook = sys.unraisablehook
    say_nothing_of(KeyboardInterrupt)  # it is heeded later: see `Interruption.heed`
    _outer.append(interruption)
    try:
        yield interruption
    finally:
        _outer.clear()
        sys.unraisablehook = hook
        for number, handler in before.items():
            signal.signal(number, handler)
