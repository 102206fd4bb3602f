"""Cases drawn by Hypothesis, all of them before any is rendered.

Drawing first lets a real client be told of every definition at once, and makes a run the same
whatever the renderer does.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from hypothesis import HealthCheck, Phase, given, seed, settings

from hypothesis_mcp import cases

from .case import Case
from .jsontypes import canonical
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
    return _named_apart(drawn) if view == "server" else drawn


def _named_apart(cases: list[Case]) -> list[Case]:
    """The cases with plain names made unique for each definition.

    Then one listing can hold them all; odd names are left as they are, since they are the point.
    """
    definitions: dict[str, str] = {}
    apart = []
    for case in cases:
        name = case.prompt["name"]
        if _PLAIN_NAME.fullmatch(name) and not case.before:
            own = definitions.setdefault(canonical(case.prompt), f"{name}{len(definitions)}")
            case = replace(case, prompt={**case.prompt, "name": own})  # noqa: PLW2901
        apart.append(case)
    return apart


_PLAIN_NAME: Final = re.compile("[a-z]{1,12}")
