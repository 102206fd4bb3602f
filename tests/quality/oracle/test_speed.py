"""Judging costs no more than drawing."""

from __future__ import annotations

import time

from hypothesis import HealthCheck, Phase, given, seed, settings
from tests.quality.oracle.runs import FULL, median

from hypothesis_mcp import cases
from mcp_prompt_fuzz.case import Case
from mcp_prompt_fuzz.oracle import Conditions, Lens, judge
from mcp_prompt_fuzz.reference import expected
from mcp_prompt_fuzz.rendering import Rendering

EXAMPLES = 1_000 if FULL else 150
ALLOWED = 1.0 if FULL else 1.5
"""On a machine that does other things, a ratio of CPU times still swings."""


def _drawn(number: int) -> list[Case]:
    drawn: list[Case] = []

    @seed(number)
    @settings(
        max_examples=EXAMPLES,
        phases=[Phase.generate],
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(cases(listings=False))
    def collect(case: dict[str, object]) -> None:
        drawn.append(Case.from_json(case))

    collect()
    return drawn


def ratio(number: int) -> float:
    """CPU time for judging a faithful renderer, over that for drawing the cases."""
    began = time.process_time()
    drawn = _drawn(number)
    drawing = time.process_time() - began
    lens = Lens(lambda case: Rendering(turns=expected(case)))
    conditions = Conditions("result", "2026-07-28")
    began = time.process_time()
    for case in drawn:
        judge(case, lens, conditions)
    return (time.process_time() - began) / drawing


def test_judging_costs_no_more_than_drawing() -> None:
    _drawn(0)  # whatever is set up once is no matter of speed
    assert median(ratio(number) for number in range(5)) <= ALLOWED
