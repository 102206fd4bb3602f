"""A crew of several workers over anything that takes tasks as `concurrent.futures` does."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Collection, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass
from typing import Final, Protocol

from ..jsontypes import Json
from ..renderer import Identity, RendererUnavailable
from ..renderers import UsageError
from .campaign import ATTEMPTS, GiveUp, Job, Tell
from .judging import Brief, Survey
from .options import CampaignOptions
from .tasks import task_to_json
from .wire import event_from_json, identity_from_json, options_to_json
from .worker import Opening, brief_to_json, deciding_versions, order_for

_LOOK: Final = 5.0
"""Seconds without news after which it is asked whether there still are workers."""

_LAST_WORDS: Final = 3.0
"""Seconds that workers get to hand back what they have, once the run is interrupted."""


class Workers(Protocol):
    """Where tasks go."""

    @property
    def width(self) -> int:
        """How many tasks are worth handing out at a time."""
        ...

    def submit(self, order: str) -> Future[str]:
        """Have a worker do what `worker.do` does."""
        ...

    def look(self) -> None:
        """Raise `RendererUnavailable` once nobody is left who could do what was submitted."""
        ...

    def hurry(self) -> None:
        """Have every worker end after the example in hand."""
        ...

    def close(self) -> None:
        """End the workers and whatever they have open. May be called twice."""
        ...


@dataclass
class _Under:
    """A job under way."""

    job: Job
    failures: int = 0


class _Failed(Exception):
    """A worker could not do its task."""


class Team:
    """Hands jobs out, piece by piece, and tries again what fails (see `campaign.Crew`)."""

    def __init__(self, workers: Workers, opening: Opening) -> None:
        self._workers = workers
        self._opening = opening
        self._running: dict[Future[str], _Under] = {}

    def identity(self) -> Identity:
        """Who the renderer is. Raises `RendererUnavailable` and `UsageError`."""
        return identity_from_json(self._first({})["identity"])

    def survey(self, options: CampaignOptions) -> Survey:
        """Have one worker look at the renderer."""
        (event,) = self._first({"look": options_to_json(options)})["events"]
        survey = event_from_json(event)
        assert isinstance(survey, Survey), "a look comes to a survey"
        return survey

    def _first(self, order: Json) -> Json:
        for attempt in range(1, ATTEMPTS + 1):
            try:
                future = self._workers.submit(order_for(self._opening, **order))
                self._some_done([future])
                return _read(future)
            except _Failed as failure:
                if attempt == ATTEMPTS:
                    raise RendererUnavailable(
                        f"no worker could look at it: {failure}",
                        "try without --workers and --scheduler; what a worker prints may tell more",
                    ) from None
        raise AssertionError("one attempt is always made")

    def work(self, jobs: Sequence[Job], brief: Brief, tell: Tell, give_up: GiveUp) -> None:
        """Do the jobs. Whoever goes on with one gets what is known of it by then."""
        briefed = brief_to_json(brief)
        waiting = deque(_Under(job) for job in jobs)
        while waiting or self._running:
            while waiting and len(self._running) < self._workers.width:
                under = waiting.popleft()
                task = under.job.next()
                if task is not None:
                    order = order_for(self._opening, task=task_to_json(task), brief=briefed)
                    self._running[self._workers.submit(order)] = under
            for future in self._some_done(self._running):
                under = self._running[future]
                try:
                    events = _read(future)["events"]
                except (_Failed, RendererUnavailable) as failure:
                    under.failures += 1
                    if under.failures == ATTEMPTS:
                        if isinstance(failure, RendererUnavailable):
                            raise
                        give_up(under.job.name, str(failure))
                    else:
                        waiting.append(under)
                else:
                    for event in events:
                        tell(event_from_json(event))
                    waiting.appendleft(under)
                del self._running[future]

    def _some_done(self, futures: Collection[Future[str]]) -> Iterable[Future[str]]:
        """Those that are done, once there are some; none of none."""
        while True:
            done, _ = wait(futures, timeout=_LOOK, return_when=FIRST_COMPLETED)
            if done or not futures:
                return done
            self._workers.look()

    def stop(self, tell: Tell) -> None:
        """End what is under way, and tell what it came to by now."""
        self._workers.hurry()
        running, self._running = dict(self._running), {}
        for future in running:
            future.cancel()
        for future in wait(running, timeout=_LAST_WORDS).done:
            if not future.cancelled():
                try:
                    events = _read(future)["events"]
                except (_Failed, RendererUnavailable, UsageError):
                    continue
                for event in events:
                    tell(event_from_json(event))

    def close(self) -> None:
        """End the workers."""
        self._workers.close()


def _read(future: Future[str]) -> Json:
    """What a worker came to. Raises `RendererUnavailable`, `UsageError`, `_Failed`."""
    try:
        result: Json = json.loads(future.result())
    except Exception as error:  # whatever an executor raises where a worker has died
        raise _Failed(f"{type(error).__name__}: {error}") from error
    if "unavailable" in result:
        raise RendererUnavailable(*result["unavailable"])
    if "usage" in result:
        raise UsageError(*result["usage"])
    if "failed" in result:
        raise _Failed(result["failed"])
    there, here = result["versions"], deciding_versions()
    if there != here:
        raise _Failed(f"a worker has {there}, this machine has {here}")
    return result
