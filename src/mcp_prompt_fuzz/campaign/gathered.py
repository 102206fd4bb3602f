"""What a campaign knows so far, put together from events in whatever order they came."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from ..finding import LEVELS, Fault, Finding, Level
from ..renderer import Identity
from ..rules import RULES, SEVERITIES, Verdict, observable
from ..run_record import RuleOutcome
from .explore import Example, better
from .judging import Survey
from .shards import Shard
from .shrink import Answer, Shrunk, key_of
from .wire import Event


class Gathered:
    """Adds up events. Equal events come to an equal outcome, whatever their order."""

    def __init__(self) -> None:
        self.survey: Survey | None = None
        self.checks: Counter[str] = Counter()
        self.examples = 0
        self.renderings = 0
        self._judged: Counter[Shard] = Counter()
        self._sightings: dict[Shard, dict[Fault, Finding]] = {}
        self._answers: dict[str, dict[str, bool]] = {}
        self._shrunk: dict[str, Shrunk] = {}

    def add(self, event: Event) -> None:
        """Take in one event.

        A case of a shard counts once, and only in its turn: what a journal has lost is done again.
        """
        if isinstance(event, Example) and event.number != self._judged[event.shard]:
            return
        self.renderings += event.renderings
        match event:
            case Survey():
                self.survey = event
                self.checks["isolated"] += event.leak is not None
            case Example():
                self.examples += 1
                self.checks.update(event.checks)
                self._judged[event.shard] += 1
                own = self._sightings.setdefault(event.shard, {})
                own.update({finding.fault: finding for finding in event.found})
            case Answer():
                self._answers.setdefault(event.finding, {})[event.candidate] = event.shows
            case Shrunk():
                self._shrunk[event.key] = event

    def judged(self, shard: Shard) -> int:
        """How many cases of the shard have been judged: those with the lowest numbers."""
        return self._judged[shard]

    def sightings(self, shard: Shard) -> dict[Fault, Finding]:
        """What was found in that shard alone."""
        return self._sightings.get(shard, {})

    def smallest_sightings(self, shards: Iterable[Shard]) -> list[Finding]:
        """Each fault on the smallest case that any of the shards holds, in the shards' order."""
        merged: dict[Fault, Finding] = {}
        if self.survey is not None and self.survey.leak is not None:
            merged[self.survey.leak.fault] = self.survey.leak
        for shard in shards:
            for fault, finding in self.sightings(shard).items():
                merged[fault] = better(finding, merged.get(fault))
        return list(merged.values())

    def answers(self, finding: Finding) -> dict[str, bool]:
        """What is known of candidates from shrinking that finding."""
        return self._answers.get(key_of(finding), {})

    def is_shrunk(self, finding: Finding) -> bool:
        """Whether the finding needs no more shrinking."""
        shrunk = self._shrunk.get(key_of(finding))
        return shrunk is not None and shrunk.finished

    def findings(self, shards: Iterable[Shard]) -> tuple[Finding, ...]:
        """Each fault once, on the smallest case known: two may have shrunk to one."""
        merged: dict[Fault, Finding] = {}
        for sighting in self.smallest_sightings(shards):
            shrunk = self._shrunk.get(key_of(sighting))
            finding = sighting if shrunk is None else shrunk.finding
            kinds = tuple(sorted({*finding.kinds, *sighting.kinds}))
            merged[finding.fault] = better(replace(finding, kinds=kinds), merged.get(finding.fault))
        return tuple(sorted(merged.values(), key=_order))

    def outcome(self, rule: str, findings: Iterable[Finding], identity: Identity) -> RuleOutcome:
        """What the campaign says of one rule."""
        own = [f for f in findings if f.fault.rule == rule or rule in f.kinds]
        if own:
            levels = [f.fault.level for f in own if f.fault.level is not None]
            worst: Level | None = max(levels, key=LEVELS.index) if levels else None
            ids = tuple(f.id for f in own)
            return RuleOutcome("broken", worst, max(1, self.checks[rule]), ids)
        verdict: Verdict = "unchecked"
        if self.checks[rule]:
            verdict = "kept"
        elif rule == "provider" and self.examples:
            verdict = "not_observable"  # what was rendered is no provider's request
        elif not observable(rule, identity.view, identity.rules):
            verdict = "not_observable"
        return RuleOutcome(verdict, checks=self.checks[rule])


def _order(finding: Finding) -> tuple[int, int, str]:
    """Worst first, then in the order of the rules."""
    severity = SEVERITIES.index(finding.severity)
    return (-severity, list(RULES).index(finding.fault.rule), finding.id)
