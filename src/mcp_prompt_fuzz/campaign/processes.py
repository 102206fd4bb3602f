"""`--workers N`: processes on this machine, each with a renderer of its own."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from concurrent.futures import Future, ProcessPoolExecutor
from multiprocessing.process import BaseProcess
from types import FrameType
from typing import Final

from ..unheard import say_nothing_of
from . import worker

_POSIX: Final = sys.platform != "win32"
_LEAVING: Final = 5.0
"""Seconds that a worker gets to close its renderer before it is killed."""


class Processes:
    """So many executors of one process each, so that it is plain whose task killed a process."""

    def __init__(self, workers: int) -> None:
        self._pools: list[ProcessPoolExecutor | None] = [None] * workers
        self._last: list[Future[str] | None] = [None] * workers
        self._processes: list[BaseProcess] = []

    @property
    def width(self) -> int:
        return len(self._pools)

    def submit(self, order: str) -> Future[str]:
        place = next(place for place, last in enumerate(self._last) if last is None or last.done())
        last, pool = self._last[place], self._pools[place]
        if pool is None or (last is not None and last.exception() is not None):
            if pool is not None:
                pool.shutdown(wait=False)
            pool = self._pools[place] = self._started()
            future = self._begun(pool, order)
        else:
            future = pool.submit(worker.do, order)
        self._last[place] = future
        return future

    @staticmethod
    def _started() -> ProcessPoolExecutor:
        # Nothing of this process is to be in the other one: threads, locks, open renderers.
        context = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(max_workers=1, mp_context=context, initializer=begin)

    def _begun(self, pool: ProcessPoolExecutor, order: str) -> Future[str]:
        """Submit what starts a new process, which no signal may hit before it is ready for it."""
        before = set(multiprocessing.active_children())
        if _POSIX:
            blocked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
        try:
            future = pool.submit(worker.do, order)
            self._processes += set(multiprocessing.active_children()) - before
        finally:
            if _POSIX:
                signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
        return future

    def look(self) -> None:
        """A process that has died ends its task, and is replaced."""

    def hurry(self) -> None:
        for process in self._processes:
            process.terminate()

    def close(self) -> None:
        pools, self._pools = self._pools, [None] * len(self._pools)
        for pool in pools:
            if pool is not None:
                pool.shutdown(wait=False, cancel_futures=True)
        processes, self._processes = self._processes, []
        # A process without work ends by itself; one that hangs in a rendering is told again.
        busy = [last for last in self._last if last is not None and not last.done()]
        for process in processes if busy else ():
            process.terminate()
        for process in processes:
            process.join(_LEAVING)
            if process.is_alive():
                process.terminate()
                process.join(_LEAVING)
            if process.is_alive():
                process.kill()
                process.join()


def begin() -> None:
    """Make a new process ready: the terminal's Ctrl-C is for the run, which then tells us."""
    signal.signal(signal.SIGINT, _ignore)
    signal.signal(signal.SIGTERM, _leave)
    if _POSIX:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT, signal.SIGTERM})
    say_nothing_of(SystemExit)  # a request to leave, which is made again
    threading.Thread(target=_watch_over_the_run, daemon=True).start()


_asked: Final[list[int]] = []


class _Leaving(BaseException):
    """Told twice to leave, in the middle of a rendering."""


def _ignore(_number: int, _frame: FrameType | None) -> None:
    """A handler and not SIG_IGN, which programs that are started here would inherit."""


def _leave(_number: int, _frame: FrameType | None) -> None:
    """First end after the example in hand, then leave at once, closing what is open."""
    worker.stop()
    _asked.append(1)
    if len(_asked) > 1:
        raise SystemExit(0) from _Leaving()


def _watch_over_the_run() -> None:
    """Leave when the run is gone without a word."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return
    parent.join()
    os.kill(os.getpid(), signal.SIGTERM)
    leaving = threading.Event()
    leaving.wait(_LEAVING)
    worker.end_all()
    os._exit(0)
