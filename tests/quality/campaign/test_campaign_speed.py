"""A campaign costs at most twice what drawing its cases does, the function under test aside."""

from __future__ import annotations

import os
from statistics import median

from bench.campaign.lanes import ROUNDS, function_round

FULL = os.environ.get("MCP_PROMPT_FUZZ_QUALITY") == "full"
EXAMPLES = 1_000 if FULL else 100
ALLOWED = 2.0 if FULL else 2.5
"""On a machine that does other things, a ratio of CPU times still swings."""


def test_all_but_the_function_costs_at_most_twice_the_drawing() -> None:
    rounds = [function_round(EXAMPLES, number) for number in range(ROUNDS)]
    assert median(each.ratio for each in rounds) <= ALLOWED, rounds
