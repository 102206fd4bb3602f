"""Threads in which a user's functions run, so that one which hangs can be left behind.

Python can't end a thread. A call that is over its time is abandoned: an `async` one is cancelled
first, a blocking one goes on in a daemon thread, which ends with the process and not before.
"""

from __future__ import annotations

import inspect
import queue
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any, Final, Protocol, TypeAlias

import anyio
from anyio.from_thread import BlockingPortal

Setup: TypeAlias = Callable[[], AbstractAsyncContextManager[Any]]
"""Opens what the calls of a `LoopHost` are given (a client session, say)."""

_GRACE: Final = 1.0
"""Seconds that a cancelled call, or a loop that is told to stop, may take."""


class HungError(Exception):
    """A call did not come back in time, and was left behind."""


class Host(Protocol):
    """Where calls are made, one at a time."""

    def call(self, function: Callable[..., Any], *args: Any, timeout: float) -> Any:
        """What `function(*args)` returns or raises. Raises `HungError`: the host is of no more
        use then."""
        ...

    def close(self) -> None:
        """End the thread, if it can be ended. May be called twice."""


class ThreadHost:
    """Calls plain functions in one daemon thread, as a program calls them in its main thread."""

    def __init__(self) -> None:
        self._jobs: queue.SimpleQueue[tuple[Future[Any], Callable[[], Any]] | None] = (
            queue.SimpleQueue()
        )
        threading.Thread(target=self._work, name="mcp-prompt-fuzz-call", daemon=True).start()

    def call(self, function: Callable[..., Any], *args: Any, timeout: float) -> Any:
        future: Future[Any] = Future()
        self._jobs.put((future, lambda: function(*args)))
        try:
            return future.result(timeout)
        except FutureTimeoutError:
            if future.done():  # the function itself raised it
                raise
            self.close()
            raise HungError from None

    def close(self) -> None:
        self._jobs.put(None)

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            future, call = job
            try:
                result = call()
                if inspect.isawaitable(result):
                    result = anyio.run(_await, result)
            except BaseException as error:
                future.set_exception(error)
            else:
                future.set_result(result)
            del job, future, call  # or the last result would live until the next call


class LoopHost:
    """Calls functions in one event loop, kept running in a daemon thread.

    With a `setup`, what it yields is each call's first argument. An awaitable result is awaited.
    Raises what `setup` raises.
    """

    def __init__(self, setup: Setup | None = None, *, timeout: float) -> None:
        self._ready: Future[tuple[BlockingPortal, Any]] = Future()
        self._thread = threading.Thread(
            target=self._work, args=(setup,), name="mcp-prompt-fuzz-loop", daemon=True
        )
        self._thread.start()
        self._portal, self._given = self._ready.result(timeout)

    def call(self, function: Callable[..., Any], *args: Any, timeout: float) -> Any:
        future = self._portal.start_task_soon(_awaited, function, (*self._given, *args))
        try:
            result = future.result(timeout)
        except FutureTimeoutError:
            if future.done():
                raise
            future.cancel()
            self.close()
            raise HungError from None
        if isinstance(result, _Raised):
            raise result.error
        return result

    def close(self) -> None:
        if self._thread.is_alive():
            self._portal.start_task_soon(self._portal.stop, True)
            self._thread.join(_GRACE)

    def _work(self, setup: Setup | None) -> None:
        try:
            anyio.run(self._main, setup)
        except BaseException as error:
            if not self._ready.done():
                self._ready.set_exception(error)

    async def _main(self, setup: Setup | None) -> None:
        if setup is None:
            await self._serve(())
            return
        async with setup() as given:
            await self._serve((given,))

    async def _serve(self, given: tuple[Any, ...]) -> None:
        async with BlockingPortal() as portal:
            self._ready.set_result((portal, given))
            await portal.sleep_until_stopped()


@dataclass(frozen=True, slots=True)
class _Raised:
    """A `SystemExit`, say: raised in a task, it would end the loop and not only the call."""

    error: BaseException


async def _awaited(function: Callable[..., Any], args: tuple[Any, ...]) -> Any:
    try:
        result = function(*args)
        return await result if inspect.isawaitable(result) else result
    except (Exception, anyio.get_cancelled_exc_class()):
        raise
    except BaseException as error:
        return _Raised(error)


async def _await(result: Awaitable[Any]) -> Any:
    return await result
