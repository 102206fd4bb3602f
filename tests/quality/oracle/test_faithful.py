"""No faithful fake is ever blamed: a harness that cries wolf is thrown away."""

from __future__ import annotations

import pytest
from tests.fakes.registry import FAITHFUL, NOT_YET
from tests.quality.oracle.runs import FULL, alarms, cases_for

DRAWN = 20_000 if FULL else 60


@pytest.mark.parametrize("name", [name for name in FAITHFUL if name not in NOT_YET])
def test_no_false_alarm(name: str) -> None:
    renderer = FAITHFUL[name]()
    cases = cases_for(renderer.identity.view, DRAWN)
    blamed = [
        f"{found.fault}: {found.note} | {case.title}" for case, found in alarms(renderer, cases)
    ]
    assert blamed == []


@pytest.mark.parametrize("revision", ["2024-11-05", "2025-06-18", "2025-11-25"])
@pytest.mark.parametrize("name", ["merged_neighbours", "tagged_roles", "openai_chat"])
def test_no_false_alarm_under_older_revisions(name: str, revision: str) -> None:
    renderer = FAITHFUL[name]()
    cases = cases_for("result", DRAWN // 4, seed=1, revision=revision)
    assert [found.fault for _, found in alarms(renderer, cases, revision)] == []
