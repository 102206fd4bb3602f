"""Several processes of a real client find what one finds."""

from __future__ import annotations

import sys
from typing import Any

import pytest
from tests.signals.run import World

pytest.importorskip("mcp_types", reason="the lab needs mcp 2.x")


def ran(workers: str) -> Any:
    words = ("opencode", "--seed", "1", "--max-examples", "1", "--rules", "image,text.verbatim")
    with World() as world:
        status = world.fuzz(*words, "--workers", workers).wait(1200)
        assert status == 1, world.told
        assert not world.left()
        return world.run()


@pytest.mark.network
def test_two_workers_find_what_one_finds() -> None:
    alone, together = ran("1"), ran("2")
    found = [[(f["id"], f["case"]) for f in run["findings"]] for run in (alone, together)]
    assert found[0]
    assert found[0] == found[1]
    assert alone["counts"]["examples"] == together["counts"]["examples"]
    rates = [run["counts"]["renderings"] / run["counts"]["seconds"] for run in (alone, together)]
    sys.stdout.write(f"two workers render {rates[1] / rates[0]:.2f} times as fast as one\n")
