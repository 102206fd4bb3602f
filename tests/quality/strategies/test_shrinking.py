"""Each predicate shrinks to the optimum that was stated beforehand, in few calls.

A call is one evaluation of the predicate after the first case that fulfils it, on a case that was
not asked about before: who pays for an evaluation keeps a memo, as the harness does for renderings.
"""

import json
from functools import cache
from random import Random
from typing import Any

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


@cache
def shrunk(name: str, seed: int) -> tuple[Any, int]:
    """The smallest case that Hypothesis finds, and the calls that shrinking took."""
    optimum = OPTIMA[name]
    calls = 0
    found = False
    memo: set[str] = set()

    def fulfils(case: Any) -> bool:
        nonlocal calls, found
        key = json.dumps(case)
        calls += found and key not in memo
        memo.add(key)
        holds = optimum.holds(case)
        found = found or holds
        return holds

    return find(cases(), fulfils, settings=SETTINGS, random=Random(seed)), calls


def test_there_are_forty_predicates_with_names_of_their_own() -> None:
    assert len(OPTIMA) == len(CONTENT) + len(TEXTS_AND_ASKING) >= 40


@pytest.mark.parametrize("optimum", OPTIMA.values(), ids=lambda optimum: optimum.name)
def test_the_stated_optimum_fulfils_its_predicate(optimum: Optimum) -> None:
    assert optimum.holds({**optimum.case, "revision": NEWEST})


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", OPTIMA)
def test_the_smallest_case_is_the_stated_optimum(name: str, seed: int) -> None:
    case, _ = shrunk(name, seed)
    assert size_of(case) == size_of(OPTIMA[name].case), case


def test_shrinking_takes_at_most_150_calls_at_the_95th_percentile() -> None:
    calls = sorted(shrunk(name, seed)[1] for name in OPTIMA for seed in SEEDS)
    assert calls[len(calls) * 95 // 100] <= 150
