"""Exploring: the cases of a shard judged one by one, each distinct fault kept on its smallest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from ..case import Case
from ..finding import Fault, Finding
from ..oracle import Found
from ..reduction import plain_prompts
from ..reduction.size import rank
from .judging import Judge
from .shards import Shard, cases_of

_ONE_FAULT: Final = frozenset({"roles", "distinct", "arguments.order"})
"""Rules that can be broken in one way only, and cost a rendering each time they are judged."""


@dataclass(frozen=True)
class Example:
    """One case of a shard, judged.

    `found` are the findings that are new to the shard, or stand on a smaller case or take other
    kinds than before. `renderings` is what it took.
    """

    shard: Shard
    number: int
    checks: Mapping[str, int] = field(default_factory=dict)
    found: tuple[Finding, ...] = ()
    renderings: int = 0


def explore(
    judge: Judge, shard: Shard, begun: int = 0, seen: Mapping[Fault, Finding] | None = None
) -> Iterator[Example]:
    """Judge the cases of a shard from number `begun` on, `seen` being what it found before.

    What is found depends on the shard alone: nothing is taken over from another one, and what is
    already proven is not proven again only within the same one.
    """
    cases = cases_of(shard, judge.options, judge.renderer.identity)
    known = dict(seen or {})
    judge.renderer.prepare((*cases[begun:], *plain_prompts()))
    for number, case in enumerate(cases[begun:], begun):
        before = judge.lens.renderings
        spared = _ONE_FAULT & {fault.rule for fault in known}
        judgement = judge.judged(case, spared)
        improved = {
            finding.fault: finding
            for found in judgement.found
            if found.fault.rule in judge.rules
            and (finding := _improved(judge, case, found, known.get(found.fault))) is not None
        }
        known |= improved
        checks = {rule: n for rule, n in judgement.checks.items() if rule in judge.rules}
        taken = judge.lens.renderings - before
        yield Example(shard, number, checks, tuple(improved.values()), taken)


def smaller(one: Case, other: Case) -> bool:
    """Whether a maintainer would rather read the one than the other."""
    sizes = [len(each.messages) + len(each.before) for each in (one, other)]
    return sizes[0] < sizes[1] if sizes[0] != sizes[1] else rank(one) < rank(other)


def better(one: Finding, other: Finding | None) -> Finding:
    """The same fault on the smaller of two cases, with the kinds of both."""
    if other is None:
        return one
    kinds = tuple(sorted({*one.kinds, *other.kinds}))
    return replace(one if smaller(one.case, other.case) else other, kinds=kinds)


def _improved(judge: Judge, case: Case, found: Found, known: Finding | None) -> Finding | None:
    """The finding as it is told from now on, None where nothing about it is new."""
    shown = found.case if found.case is not None and found.case.before else case
    if known is None:
        return judge.finding(shown, found)
    kinds = tuple(sorted({*known.kinds, *found.kinds}))
    if smaller(shown, known.case):
        return replace(judge.finding(shown, found), kinds=kinds)
    return None if kinds == tuple(sorted(known.kinds)) else replace(known, kinds=kinds)
