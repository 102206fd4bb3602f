"""No faithful fake is ever blamed: a harness that cries wolf is thrown away."""

from __future__ import annotations

import pytest
from tests.fakes.registry import FAITHFUL, NOT_YET
from tests.quality.oracle.runs import FULL, alarms

from mcp_prompt_fuzz.campaign import CampaignOptions

DRAWN = 20_000 if FULL else 60


@pytest.mark.parametrize("name", [name for name in FAITHFUL if name not in NOT_YET])
def test_no_false_alarm(name: str) -> None:
    assert alarms(FAITHFUL[name](), CampaignOptions(max_examples=DRAWN)) == []


@pytest.mark.parametrize("revision", ["2024-11-05", "2025-06-18", "2025-11-25"])
@pytest.mark.parametrize("name", ["merged_neighbours", "tagged_roles", "openai_chat"])
def test_no_false_alarm_under_older_revisions(name: str, revision: str) -> None:
    options = CampaignOptions(max_examples=DRAWN // 4, seed=1, revision=revision)
    assert alarms(FAITHFUL[name](), options) == []
