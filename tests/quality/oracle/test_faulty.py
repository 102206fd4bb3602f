"""Every fault is found, under its own rule, and no other rule is blamed for it."""

from __future__ import annotations

import pytest
from tests.fakes.registry import FAULTY, NOT_YET
from tests.quality.oracle.runs import SEEDS, discovered

from mcp_prompt_fuzz.rules import RULES


@pytest.mark.parametrize("name", [name for name in FAULTY if name not in NOT_YET])
@pytest.mark.parametrize("seed", SEEDS)
def test_fault_is_found_under_its_own_rule(name: str, seed: int) -> None:
    discovery = discovered(name, seed)
    assert discovery.finding is not None, f"not found in {discovery.examples} examples"
    assert discovery.others == {}


def test_every_rule_has_two_faulty_fakes() -> None:
    faults = [fake.rule for fake in FAULTY.values()]
    assert {rule: faults.count(rule) for rule in RULES if faults.count(rule) < 2} == {}


def test_what_is_not_yet_right_names_fakes() -> None:
    from tests.fakes.registry import FAITHFUL  # noqa: PLC0415 - beside the one that uses it

    assert set(NOT_YET) <= {*FAULTY, *FAITHFUL}
