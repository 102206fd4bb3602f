"""Cases drawn by Hypothesis, all of them before any is rendered.

Drawing first lets a real client be told of every definition at once, and makes a run the same
whatever the renderer does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import HealthCheck, Phase, given, seed, settings

from hypothesis_mcp import cases

from .case import Case
from .rules import View

if TYPE_CHECKING:
    from .campaign import CampaignOptions


def draw_cases(options: CampaignOptions, view: View, *, sandboxed: bool) -> list[Case]:
    """At most `options.max_examples` cases; the same for the same seed and Hypothesis version."""
    drawn: list[Case] = []
    if options.max_examples <= 0:
        return drawn

    @seed(options.seed)
    @settings(
        max_examples=options.max_examples,
        phases=[Phase.generate],
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(cases(revision=options.revision, listings=view == "server", sandboxed=sandboxed))
    def collect(case: dict[str, object]) -> None:
        drawn.append(Case.from_json(case))

    collect()
    return drawn
