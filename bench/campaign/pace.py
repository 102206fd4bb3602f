"""What a start of a real client, a rendering and a change of definitions cost."""

import time
from collections.abc import Iterable
from contextlib import closing
from statistics import median
from typing import Final

from mcp_prompt_fuzz.case import NEWEST_REVISION, Case
from mcp_prompt_fuzz.renderer import Renderer
from mcp_prompt_fuzz.renderers import open_renderer

STARTS: Final = 3
WARM: Final = 10
CHANGES: Final = 3


def pace(name: str) -> list[str]:
    """Medians of wall seconds, all in one run, and their ratios."""
    cold: list[float] = []
    warm: list[float] = []
    changed: list[float] = []
    for number in range(STARTS):
        begun = time.perf_counter()
        opened = open_renderer(
            name, revision=NEWEST_REVISION, timeout=60, progress=lambda message: None
        )
        with closing(opened):
            opened.render(_saying("the first", f"{number}"))
            cold.append(time.perf_counter() - begun)
            same = [_saying(f"content {each}", f"{number}") for each in range(WARM)]
            warm += _seconds(opened, same)
            # Distinct names, of which only the one in hand is known to come.
            anew = [_saying("x", f"{number} anew {each}") for each in range(CHANGES)]
            changed += _seconds(opened, anew)
    start, one, change = map(median, (cold, warm, changed))
    return [
        f"{name}: a cold start (lab, program, listing, first rendering) takes {start:.2f} s, "
        f"a warm rendering {one:.3f} s, a change of definitions with its rendering {change:.2f} s",
        f"  a cold start, to a warm rendering: {start / one:.0f} (target: at least 20); "
        f"to a change of definitions: {start / change:.1f}",
    ]


def _seconds(renderer: Renderer, cases: Iterable[Case]) -> list[float]:
    taken = []
    for case in cases:
        begun = time.perf_counter()
        renderer.render(case)
        taken.append(time.perf_counter() - begun)
    return taken


def _saying(text: str, name: str) -> Case:
    message = {"role": "user", "content": {"type": "text", "text": text}}
    return Case("", NEWEST_REVISION, {"name": f"prompt {name}"}, (message,))
