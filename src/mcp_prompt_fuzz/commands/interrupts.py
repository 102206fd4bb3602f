"""Ctrl-C and SIGTERM, remembered: a run that was interrupted still writes what it found."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import NoReturn


@dataclass
class Interruption:
    """Whether somebody asked to stop."""

    came: bool = False


@contextmanager
def interruptible() -> Iterator[Interruption]:
    """Within the block both signals raise `KeyboardInterrupt`, and are remembered."""
    interruption = Interruption()
    if threading.current_thread() is not threading.main_thread():
        yield interruption  # signals only ever reach the main thread
        return

    def stop(_number: int, _frame: FrameType | None) -> NoReturn:
        interruption.came = True
        raise KeyboardInterrupt

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield interruption
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
