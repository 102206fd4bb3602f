"""Threads in which a user's functions run, so that one which hangs can be left behind.

Python can't end a thread. A call that is over its time is abandoned: an `async` one is cancelled
first, a blocking one goes on in a daemon thread, which ends with the process and not before.
"""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import queue
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import Future, wait
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any, Final, Protocol, TypeAlias

Setup: TypeAlias = Callable[[], AbstractAsyncContextManager[Any]]
"""Opens what the calls of a `LoopHost` are given (a client session, say)."""

_GRACE: Final = 0.4
"""Seconds that a loop may take to stop."""

_Job: TypeAlias = tuple[Callable[..., Any], tuple[Any, ...], "queue.SimpleQueue[Any]"]
"""What to call, with what, and where the result goes."""


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
    """Calls plain functions in one daemon thread, as a program calls them in its main thread.

    Two bare queues lead there and back: a `Future` takes longer than most renderers.
    """

    def __init__(self) -> None:
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        threading.Thread(target=self._work, name="mcp-prompt-fuzz-call", daemon=True).start()

    def call(self, function: Callable[..., Any], *args: Any, timeout: float) -> Any:
        answers: queue.SimpleQueue[Any] = queue.SimpleQueue()  # an abandoned call keeps its own
        self._jobs.put((function, args, answers))
        try:
            answer = answers.get(timeout=timeout)
        except queue.Empty:
            self.close()
            raise HungError from None
        if type(answer) is _Raised:
            raise answer.error
        return answer

    def close(self) -> None:
        self._jobs.put(None)

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            function, args, answers = job
            try:
                answer = function(*args)
                if inspect.isawaitable(answer):
                    answer = asyncio.run(_await(answer))
            except BaseException as error:
                answer = _Raised(error)
            answers.put(answer)
            del job, function, args, answers, answer  # or they would live until the next call


class LoopHost:
    """Calls functions in one event loop, kept running in a daemon thread.

    With a `setup`, what it yields is each call's first argument. An awaitable result is awaited.
    Raises what `setup` raises. Nothing here waits for the loop, which may be the very thing that
    hangs.
    """

    def __init__(self, setup: Setup | None = None, *, timeout: float) -> None:
        self._ready: Future[_Running] = Future()
        self._thread = threading.Thread(
            target=self._work, args=(setup,), name="mcp-prompt-fuzz-loop", daemon=True
        )
        self._thread.start()
        self._running = self._ready.result(timeout)

    def call(self, function: Callable[..., Any], *args: Any, timeout: float) -> Any:
        running = self._running
        work = _awaited(function, (*running.given, *args))
        future = asyncio.run_coroutine_threadsafe(work, running.loop)
        try:
            result = _result(future, timeout)
        except HungError:
            future.cancel()
            self.close()
            raise
        if isinstance(result, _Raised):
            raise result.error
        return result

    def close(self) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed already
            self._running.loop.call_soon_threadsafe(self._running.stop.set)
        self._thread.join(_GRACE)

    def _work(self, setup: Setup | None) -> None:
        try:
            asyncio.run(self._main(setup))
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
        stop = asyncio.Event()
        self._ready.set_result(_Running(asyncio.get_running_loop(), stop, given))
        await stop.wait()


@dataclass(frozen=True, slots=True)
class _Running:
    """A loop, how to stop it, and what each of its calls is given first."""

    loop: asyncio.AbstractEventLoop
    stop: asyncio.Event
    given: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class _Raised:
    """What a call raised, to be raised again where it was asked for.

    A `SystemExit`, say, would end a loop and not only the call.
    """

    error: BaseException


def _result(future: Future[Any], timeout: float) -> Any:
    """What the future comes to in that time. Raises `HungError`."""
    done, _ = wait((future,), timeout)
    if not done:
        raise HungError
    return future.result()  # which may raise a TimeoutError of the function's own


async def _awaited(function: Callable[..., Any], args: tuple[Any, ...]) -> Any:
    try:
        result = function(*args)
        return await result if inspect.isawaitable(result) else result
    except (Exception, asyncio.CancelledError):
        raise
    except BaseException as error:
        return _Raised(error)


async def _await(result: Awaitable[Any]) -> Any:
    return await result
