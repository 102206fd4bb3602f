"""Shrinking: a finding on the smallest case that shows it, and how reliably it does."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Final

from ..case import Case
from ..finding import Fault, Finding, Flaky
from ..oracle import Found
from ..reduction import reduce
from .judging import Judge

CONFIRMATIONS: Final = 3
"""How often each smallest case is rendered afresh."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Whether a candidate still shows the fault, as learned while `finding` (a key) is shrunk."""

    finding: str
    candidate: str
    shows: bool
    renderings: int = 0


@dataclass(frozen=True)
class Shrunk:
    """The finding of that key on its smallest case; not `finished` where time was up first."""

    key: str
    finding: Finding
    finished: bool = True
    renderings: int = 0


def key_of(finding: Finding) -> str:
    """Equal for the same fault on the same case: what was learned of the one serves the other."""
    fault = finding.fault
    named = [fault.rule, fault.part, fault.level, fault.aspect, finding.case.key]
    return _digest(repr(named))


def shrink(
    judge: Judge,
    finding: Finding,
    answers: Mapping[str, bool],
    note: Callable[[Answer], None],
    deadline: float | None = None,
) -> Shrunk:
    """Make the finding's case as small as it gets, and confirm what is left.

    `answers` are those of an earlier try, which make this one go the same way without asking
    again; each new one is handed to `note`, which may end the try by raising. After `deadline`
    (seconds of `time.time`) the smallest so far is taken, unconfirmed.
    """
    fault, key = finding.fault, key_of(finding)
    # A rule in a case says what it is kept for, and may get it a listing of its own.
    start = replace(finding.case, rule=None)
    seen: dict[str, Found] = {}
    late = False

    def shows(candidate: Case) -> bool:
        nonlocal late
        if fault.rule == "isolated" and not candidate.before:
            return False  # without a history, what shows is left by the reducer's last try
        digest = _digest(candidate.key)
        if digest in answers:
            return answers[digest]
        late = late or (deadline is not None and time.time() > deadline)
        if late:
            return False
        before = judge.lens.renderings
        found = _sight(judge, fault, candidate)
        if found is not None:
            seen[candidate.key] = found
        note(Answer(key, digest, found is not None, judge.lens.renderings - before))
        return found is not None

    smallest, least = reduce(start, shows, coming=judge.renderer.prepare), finding
    before = judge.lens.renderings
    if smallest.key != start.key:
        found = seen.get(smallest.key) or _sight(judge, fault, smallest)
        if found is not None:
            kinds = tuple(sorted({*finding.kinds, *found.kinds}))
            least = replace(judge.finding(smallest, found), kinds=kinds)
    if not late:
        again = smallest if least is not finding else start
        least = replace(least, flaky=_confirmed(judge, least.fault, again))
    return Shrunk(key, least, not late, judge.lens.renderings - before)


def _sight(judge: Judge, fault: Fault, case: Case) -> Found | None:
    """The fault on the case: the same one, or one that only says better what kind it is of."""
    vague = fault.aspect == "other"
    for found in judge.by_rule(fault.rule, case):
        if found.fault == fault or (vague and _same_but_aspect(found.fault, fault)):
            return found
    return None


def _confirmed(judge: Judge, fault: Fault, case: Case) -> Flaky | None:
    failed = sum(judge.shows_afresh(fault, case) for _ in range(CONFIRMATIONS))
    return None if failed == CONFIRMATIONS else Flaky(failed + 1, CONFIRMATIONS + 1)


def _same_but_aspect(one: Fault, other: Fault) -> bool:
    return replace(one, aspect=None) == replace(other, aspect=None)


def _digest(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:20]
