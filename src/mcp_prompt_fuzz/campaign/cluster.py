"""`--scheduler URL`: workers of a Dask cluster, on whichever machines.

Dask decides who does what, and does again elsewhere what was with a worker that died.
"""

from __future__ import annotations

import importlib
from concurrent.futures import Future
from contextlib import suppress
from typing import Any, Final
from urllib.parse import urlsplit

from ..renderer import RendererUnavailable
from ..renderers import UsageError
from . import worker

_SCHEMES: Final = ("tcp", "tls", "ws", "wss")
_PATIENCE: Final = 10
"""Seconds to wait for the scheduler, and for the first worker."""

_EXTRA: Final = "pip install 'mcp-prompt-fuzz[cluster]'"


class Cluster:
    """The workers of a scheduler.

    Raises `UsageError` for what is no address of one, `RendererUnavailable` where there are none.
    """

    def __init__(self, url: str, campaign: str) -> None:
        try:
            distributed: Any = importlib.import_module("distributed")
        except ImportError:
            raise RendererUnavailable("--scheduler needs the extra 'cluster'", _EXTRA) from None
        if urlsplit(url).scheme not in _SCHEMES:
            raise UsageError(
                f"--scheduler {url}: that is no address of a scheduler",
                "give tcp://HOST:PORT, as it says when it starts",
            )
        self._campaign = campaign
        self._client: Any = None
        try:
            self._client = distributed.Client(url, timeout=_PATIENCE, set_as_default=False)
            self._client.wait_for_workers(1, timeout=_PATIENCE)
        except (OSError, ValueError, TimeoutError) as error:
            self.close()
            raise RendererUnavailable(
                f"no cluster at {url}: {error}",
                "Start one: dask scheduler; dask worker tcp://HOST:8786, on each machine.",
            ) from None
        self._executor: Any = self._client.get_executor(pure=False)

    @property
    def width(self) -> int:
        threads: dict[str, int] = self._client.nthreads()
        return max(1, sum(threads.values()))

    def submit(self, order: str) -> Future[str]:
        future: Future[str] = self._executor.submit(worker.do, order)
        return future

    def hurry(self) -> None:
        self._client.run(worker.end, self._campaign, wait=False)

    def close(self) -> None:
        client, self._client = self._client, None
        if client is None:
            return
        with suppress(OSError, ValueError):  # a worker that has died has nothing open any more
            client.run(worker.end, self._campaign)
        client.close()
