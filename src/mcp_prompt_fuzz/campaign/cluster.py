"""`--scheduler URL`: workers of a Dask cluster, on whichever machines.

Dask decides who does what, and does again elsewhere what was with a worker that died.
"""

from __future__ import annotations

import asyncio
import importlib
import time
from concurrent.futures import Future
from contextlib import suppress
from typing import Any, Final
from urllib.parse import urlsplit

from ..formats import shortened
from ..renderer import RendererUnavailable
from ..renderers import UsageError
from . import worker

_SCHEMES: Final = ("tcp", "tls", "ws", "wss")
_PATIENCE: Final = 10
"""Seconds to wait for the scheduler, and for the first worker."""

_WITHOUT_WORKERS: Final = 30
"""Seconds after which a cluster without workers is given up."""

_EXTRA: Final = "pip install 'mcp-prompt-fuzz[cluster]'"


async def _workers(distributed: Any, url: str) -> dict[str, int]:
    """The workers of the scheduler there, and their threads.

    Raises what the library raises, `TimeoutError` where nobody speaks. This is no work for the
    library's client: it waits for ever for one who accepts and says nothing, and can't be closed
    without noise once it has met somebody who is no scheduler.
    """
    security = distributed.Security().get_connection_args("client")
    scheduler = distributed.core.rpc(url, timeout=_PATIENCE, connection_args=security)
    try:
        found: dict[str, int] = await asyncio.wait_for(scheduler.ncores(workers=None), _PATIENCE)
    except TimeoutError as error:
        raise TimeoutError(str(error) or f"no answer within {_PATIENCE} s") from None
    finally:
        await scheduler.close_rpc()
    return found


class Cluster:
    """The workers of a scheduler.

    Raises `UsageError` for what is no address of one, `RendererUnavailable` where there are none.
    """

    def __init__(self, url: str, campaign: str) -> None:
        if urlsplit(url).scheme not in _SCHEMES or not urlsplit(url).netloc:
            raise UsageError(
                f"--scheduler {url}: that is no address of a scheduler",
                "give tcp://HOST:PORT, as it says when it starts",
            )
        try:
            distributed: Any = importlib.import_module("distributed")
        except ImportError as error:
            problem = f"--scheduler needs the extra 'cluster': {error}"
            raise RendererUnavailable(problem, _EXTRA) from None
        self._campaign = campaign
        self._url = url
        self._distributed = distributed
        self._alone_since: float | None = None
        self._client: Any = None
        try:
            asyncio.run(_workers(distributed, url))
            self._client = distributed.Client(url, timeout=_PATIENCE, set_as_default=False)
            self._client.wait_for_workers(1, timeout=_PATIENCE)
        except Exception as error:  # whatever a library raises for what it did not expect to hear
            self.close()
            raise RendererUnavailable(
                f"no cluster at {url}: {shortened(str(error) or type(error).__name__)}",
                "Start one: dask scheduler; dask worker tcp://HOST:8786, on each machine.",
            ) from None
        self._executor: Any = self._client.get_executor(pure=False)

    @property
    def width(self) -> int:
        try:
            threads: dict[str, int] = self._client.nthreads()
        except Exception as error:  # whatever the library raises once the scheduler is gone
            raise RendererUnavailable(
                f"the scheduler at {self._url} is gone: {shortened(str(error))}",
                "Start it again, and its workers.",
            ) from error
        return max(1, sum(threads.values()))

    def submit(self, order: str) -> Future[str]:
        future: Future[str] = self._executor.submit(worker.do, order)
        return future

    def look(self) -> None:
        """Workers may come back, or be started anew: they are given a while."""
        try:
            gone = not asyncio.run(_workers(self._distributed, self._url))
        except Exception:  # whatever the library raises once the scheduler is gone
            gone = True
        if not gone:
            self._alone_since = None
            return
        self._alone_since = self._alone_since or time.monotonic()
        if time.monotonic() - self._alone_since > _WITHOUT_WORKERS:
            raise RendererUnavailable(
                f"no worker of the cluster at {self._url} is left",
                "Start some, with mcp-prompt-fuzz installed where they run; their logs say more.",
            )

    def hurry(self) -> None:
        with suppress(Exception):  # there may be nobody any more
            self._client.run(worker.end, self._campaign, wait=False)

    def close(self) -> None:
        client, self._client = self._client, None
        if client is None:
            return
        with suppress(Exception):  # a worker that has died has nothing open any more
            client.run(worker.end, self._campaign)
        client.close()
