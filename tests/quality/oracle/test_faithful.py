"""No faithful fake is ever blamed: a harness that cries wolf is thrown away."""

from __future__ import annotations

from functools import cache

import pytest
from tests.fakes.registry import FAITHFUL, NOT_YET
from tests.quality.oracle.runs import FULL, Line, faithful_lines

from mcp_prompt_fuzz.campaign import CampaignOptions

DRAWN = 20_000 if FULL else 60
NAMES = [name for name in FAITHFUL if name not in NOT_YET]


@cache
def judged() -> dict[str, Line]:
    """Every faithful fake, judged on the same cases: drawing them is what takes longest."""
    return {line.name: line for line in faithful_lines(NAMES, CampaignOptions(DRAWN))}


@pytest.mark.parametrize("name", NAMES)
def test_no_false_alarm(name: str) -> None:
    assert judged()[name].examples >= DRAWN
    assert judged()[name].blamed == {}


@pytest.mark.parametrize("revision", ["2024-11-05", "2025-06-18", "2025-11-25"])
def test_no_false_alarm_under_older_revisions(revision: str) -> None:
    options = CampaignOptions(DRAWN // 4, seed=1, revision=revision)
    lines = faithful_lines(["merged_neighbours", "tagged_roles", "openai_chat"], options)
    assert {line.name: line.blamed for line in lines if line.blamed} == {}
