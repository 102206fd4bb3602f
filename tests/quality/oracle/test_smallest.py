"""What a maintainer is shown is the smallest case that shows the fault."""

from __future__ import annotations

import pytest
from tests.fakes.registry import FAULTY, NOT_YET
from tests.quality.oracle.runs import SEEDS, discovered, is_stated, shrink

from mcp_prompt_fuzz.campaign import judge_case
from mcp_prompt_fuzz.reduction import size_of

MOST_RENDERINGS = 400

_STATED = [
    name for name, fake in FAULTY.items() if fake.smallest is not None and name not in NOT_YET
]


@pytest.mark.parametrize("name", _STATED)
@pytest.mark.parametrize("seed", SEEDS)
def test_smallest_case_is_at_the_optimum(name: str, seed: int) -> None:
    fake = FAULTY[name]
    smallest, renderings = shrink(discovered(name, seed))
    assert fake.smallest is not None
    assert size_of(smallest) == size_of(fake.smallest), smallest.to_json()
    assert renderings <= MOST_RENDERINGS


@pytest.mark.parametrize("name", _STATED)
def test_optimum_shows_the_fault(name: str) -> None:
    fake = FAULTY[name]
    assert fake.smallest is not None
    findings, _, _ = judge_case(fake.make(), fake.smallest)
    assert any(is_stated(fake, finding.fault) for finding in findings)
