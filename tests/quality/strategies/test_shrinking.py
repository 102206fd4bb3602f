"""Each predicate shrinks to the optimum that was stated beforehand, in few calls.

A call is one evaluation of the predicate after the first case that fulfils it, as Hypothesis makes
them; the table also tells how many of them were about a case that was not asked about before.
"""

import json
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

import hypothesis
import pytest
from hypothesis import HealthCheck, Phase, find, settings

from hypothesis_mcp import NEWEST, cases

from .budget import FULL
from .optima_asking import TEXTS_AND_ASKING
from .optima_content import CONTENT
from .stated import Optimum, size_of

SEEDS = range(10) if FULL else range(1)
OPTIMA = {optimum.name: optimum for optimum in (*CONTENT, *TEXTS_AND_ASKING)}
SETTINGS = settings(
    max_examples=30_000,
    database=None,
    deadline=None,
    phases=[Phase.generate, Phase.shrink],
    suppress_health_check=list(HealthCheck),
)


@dataclass(frozen=True)
class Shrunk:
    """The smallest case that Hypothesis found, and what shrinking to it took."""

    case: Any
    calls: int
    distinct: int


@cache
def shrunk(name: str, seed: int) -> Shrunk:
    """What Hypothesis makes of the predicate ``name`` with ``seed``."""
    optimum = OPTIMA[name]
    calls: list[str] = []
    before: set[str] = set()
    found = False

    def fulfils(case: Any) -> bool:
        nonlocal found
        key = json.dumps(case)
        if found:
            calls.append(key)
        else:
            before.add(key)
        holds = optimum.holds(case)
        found = found or holds
        return holds

    case = find(cases(), fulfils, settings=SETTINGS, random=Random(seed))
    return Shrunk(case, len(calls), len(set(calls) - before))


def percentile(counts: Iterable[int], share: int) -> int:
    """The count that ``share`` percent of ``counts`` don't exceed."""
    ordered = sorted(counts)
    return ordered[-(-len(ordered) * share // 100) - 1]


def test_there_are_forty_predicates_with_names_of_their_own() -> None:
    assert len(OPTIMA) == len(CONTENT) + len(TEXTS_AND_ASKING) >= 40


@pytest.mark.parametrize("optimum", OPTIMA.values(), ids=lambda optimum: optimum.name)
def test_the_stated_optimum_fulfils_its_predicate(optimum: Optimum) -> None:
    assert optimum.holds({**optimum.case, "revision": NEWEST})


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", OPTIMA)
def test_the_smallest_case_is_the_stated_optimum(name: str, seed: int) -> None:
    case = shrunk(name, seed).case
    assert size_of(case) == size_of(OPTIMA[name].case), case


def test_shrinking_takes_at_most_150_calls_at_the_95th_percentile(
    capsys: pytest.CaptureFixture[str],
) -> None:
    rows = {name: [shrunk(name, seed) for seed in SEEDS] for name in OPTIMA}
    if FULL:
        with capsys.disabled():
            sys.stdout.write(table(rows))
    assert percentile([each.calls for results in rows.values() for each in results], 95) <= 150


def table(rows: dict[str, list[Shrunk]]) -> str:
    """The calls for each predicate, and for all."""
    every = [each for results in rows.values() for each in results]
    lines = [f"\nHypothesis {hypothesis.__version__}, {len(SEEDS)} seeds: calls, distinct cases"]
    for name, results in [*rows.items(), ("all", every)]:
        calls, distinct = [each.calls for each in results], [each.distinct for each in results]
        shares = " ".join(
            f"p{share}={percentile(calls, share)}/{percentile(distinct, share)}"
            for share in (50, 95, 100)
        )
        lines.append(f"{shares}  {name}")
    return "\n".join(lines) + "\n"
