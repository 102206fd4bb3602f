"""A campaign from its survey to its record, whoever does the work."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, Protocol, TypeAlias

from ..finding import Finding
from ..renderer import RendererUnavailable
from ..rules import RULES
from ..run_record import Counts, RunRecord
from ..versions import versions
from .explore import Example
from .gathered import Gathered
from .judging import Brief, Survey
from .options import CampaignOptions, Progress
from .shards import Shard, plan
from .shrink import Shrunk
from .tasks import ExploreTask, ShrinkTask, Task
from .wire import Event

ATTEMPTS: Final = 3
"""After so many failures a piece of work is given up, and the rest stands."""

_TO_EXPLORE: Final = 2 / 3
"""The share of the time limit that may go into exploring; the rest is for shrinking."""


@dataclass(frozen=True)
class Job:
    """A piece of work. `next` is what remains of it by what is known, None once it is done."""

    name: str
    next: Callable[[], Task | None]


Tell: TypeAlias = Callable[[Event], None]
GiveUp: TypeAlias = Callable[[str, str], None]
"""Is told the name of a job that failed too often, and why."""


class Crew(Protocol):
    """Who does the work: this process, several, or a cluster."""

    def survey(self, options: CampaignOptions) -> Survey:
        """Look at the renderer. Raises `RendererUnavailable`."""
        ...

    def work(self, jobs: Sequence[Job], brief: Brief, tell: Tell, give_up: GiveUp) -> None:
        """Do the jobs, and tell what is learned as it comes.

        Raises `RendererUnavailable` once the renderer is lost for good.
        """
        ...

    def stop(self, tell: Tell) -> None:
        """End what is under way, at once; tell what it came to."""


class Keeper(Protocol):
    """Keeps a campaign's events for a later one that goes on from there."""

    @property
    def events(self) -> Iterable[Event]:
        """What an earlier campaign has learned."""
        ...

    @property
    def earlier_seconds(self) -> float:
        """How long the earlier campaign took."""
        ...

    @property
    def started(self) -> str | None:
        """When the earlier campaign began, None where there was none."""
        ...

    def keep(self, event: Event) -> None:
        """Keep it now: the process may be killed at any moment."""


class Campaign:
    """One campaign. `keeper` holds what is known from before, and gets what is learned."""

    def __init__(
        self,
        crew: Crew,
        options: CampaignOptions,
        progress: Progress,
        keeper: Keeper | None = None,
    ) -> None:
        self._crew = crew
        self._options = options
        self._progress = progress
        self._keeper = keeper
        self._known = Gathered()
        self._shards: tuple[Shard, ...] = ()
        self._notes: list[str] = []
        self._faults: set[object] = set()
        self._interrupted = self.unfinished = False
        self._began = time.time()
        self._earlier_seconds = 0.0
        self._started = datetime.now(UTC).isoformat(timespec="seconds")

    def run(self) -> RunRecord:
        """Explore and shrink; what was found so far where that is interrupted.

        Raises `RendererUnavailable` if the renderer could not be reached at all.
        """
        self.work()
        return self.record()

    @property
    def reached(self) -> bool:
        """Whether there is anything to be recorded."""
        return self._known.survey is not None

    def work(self) -> None:
        """The part of `run` that may be interrupted, which `record` may not."""
        try:
            survey = self._begin()
            self._explore(survey)
            self._shrink(survey)
        except KeyboardInterrupt:
            self._interrupted = True
            self._crew.stop(self._late)
            if not self.reached:
                raise
        except (RendererUnavailable, OSError) as lost:
            if not self._known.examples:
                raise
            self._interrupted = True
            self._notes.append(f"the renderer was lost: {lost}")
            self._crew.stop(self._late)

    def _begin(self) -> Survey:
        if self._keeper is not None:
            for event in self._keeper.events:
                self._known.add(event)
            self._earlier_seconds = self._keeper.earlier_seconds
            self._started = self._keeper.started or self._started
        self._progress.stage("looking at the renderer", None)
        survey = self._known.survey
        if survey is None:
            survey = self._crew.survey(self._options)
            self._learn(survey)
        self._shards = plan(self._options, survey.identity)
        if survey.leak is not None:
            self._tell_if_new(survey.leak)
            self._notes.append(
                "the renderer keeps state from one prompt to the next: only `isolated` and "
                "`robust` can be judged"
            )
        return survey

    def _explore(self, survey: Survey) -> None:
        deadline = self._deadline(_TO_EXPLORE)

        def job_of(shard: Shard) -> Job:
            def rest() -> Task | None:
                begun = self._known.judged(shard)
                if begun >= shard.count or _is_past(deadline):
                    return None
                return ExploreTask(shard, begun, self._known.sightings(shard), deadline)

            return Job(shard.name, rest)

        self._progress.stage("exploring", sum(shard.count for shard in self._shards))
        self._progress.advance(self._known.examples)
        self._work([job_of(shard) for shard in self._shards], survey)
        if _is_past(deadline) and self._has_unexplored():
            self._unfinished("the time limit ended the exploring early")

    def _has_unexplored(self) -> bool:
        return any(self._known.judged(shard) < shard.count for shard in self._shards)

    def _shrink(self, survey: Survey) -> None:
        deadline = self._deadline(1)

        def job_of(finding: Finding) -> Job:
            def rest() -> Task | None:
                if self._known.is_shrunk(finding) or _is_past(deadline):
                    return None
                return ShrinkTask(finding, self._known.answers(finding), deadline)

            return Job(f"shrinking {finding.slug}", rest)

        sightings = self._known.smallest_sightings(self._shards)
        self._progress.stage("shrinking", len(sightings))
        self._progress.advance(sum(map(self._known.is_shrunk, sightings)))
        self._work([job_of(finding) for finding in sightings], survey)
        rest = sum(not self._known.is_shrunk(finding) for finding in sightings)
        if rest and _is_past(deadline):
            self._unfinished(
                f"the time limit ended the shrinking early: {rest} findings may stand on cases "
                "that could be smaller, and are not confirmed"
            )

    def _work(self, jobs: list[Job], survey: Survey) -> None:
        todo = [job for job in jobs if job.next() is not None]
        if todo:
            self._crew.work(todo, Brief(self._options, survey), self._learn, self._give_up)

    def _deadline(self, share: float) -> float | None:
        limit = self._options.time_limit
        return None if limit is None else self._began + share * limit

    def _learn(self, event: Event) -> None:
        # Kept first: an interruption may come between any two lines.
        self._keep(event)
        self._known.add(event)
        if isinstance(event, Example):
            for finding in event.found:
                self._tell_if_new(finding)
            self._progress.advance()
        elif isinstance(event, Shrunk):
            self._progress.advance()

    def _late(self, event: Event) -> None:
        """What comes in after an interruption, when nobody watches any more."""
        self._keep(event)
        self._known.add(event)

    def _keep(self, event: Event) -> None:
        if self._keeper is None:
            return
        try:
            self._keeper.keep(event)
        except OSError as error:
            self._keeper = None
            self._notes.append(f"from here on the run could not be kept for --resume: {error}")

    def _tell_if_new(self, finding: Finding) -> None:
        if finding.fault not in self._faults:
            self._faults.add(finding.fault)
            self._progress.found(finding)

    def _give_up(self, name: str, why: str) -> None:
        self._interrupted = True
        self._notes.append(f"given up after {ATTEMPTS} failures: {name}: {why}")

    def _unfinished(self, note: str) -> None:
        self.unfinished = True
        self._notes.append(note)

    def record(self) -> RunRecord:
        """What is known by now."""
        known, options = self._known, self._options
        survey = known.survey
        assert survey is not None, "nothing is recorded of a renderer that was never reached"
        identity = survey.identity
        self.unfinished = self.unfinished or self._interrupted
        findings = known.findings(self._shards)
        seconds = self._earlier_seconds + time.time() - self._began
        return RunRecord(
            identity=identity,
            started=self._started,
            status="interrupted" if self._interrupted else "complete",
            revision=options.revision,
            seed=options.seed,
            options=options.recorded,
            versions=versions(),
            counts=Counts(known.examples, known.renderings, round(max(0.0, seconds), 3)),
            rules={rule: known.outcome(rule, findings, identity) for rule in RULES},
            findings=findings,
            errors=tuple(self._notes),
        )


def _is_past(deadline: float | None) -> bool:
    return deadline is not None and time.time() > deadline
