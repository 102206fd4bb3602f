"""How the oracle looks at a renderer: rendering what it needs, each variant once."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from ..case import Case
from ..rendering import Rendering
from ..transcript import canonical_transcript

_REMEMBERED: Final = 4096
"""The oldest renderings beyond so many are forgotten."""


class Lens:
    """Asks a renderer for renderings and remembers them, so that no variant costs twice.

    `renderings` counts what was asked of the renderer; `recent` are the last cases, newest first.
    With `remember` off every look is a new rendering: needed once a renderer shows state, and to
    confirm a finding.
    """

    def __init__(self, render: Callable[[Case], Rendering], *, remember: bool = True) -> None:
        self._render = render
        self._memo: dict[str, Rendering] = {}
        self.remember = remember
        self.renderings = 0
        self.recent: deque[Case] = deque(maxlen=3)

    def look(self, case: Case) -> Rendering:
        """The rendering of the case, from memory where it was seen before."""
        if not self.remember:
            return self.look_again(case)
        known = self._memo.get(case.key)
        return known if known is not None else self._keep(case.key, self.look_again(case))

    def look_again(self, case: Case) -> Rendering:
        """A new rendering of the case, in canonical form; what stands in `before` comes first."""
        for earlier in case.before:
            self._ask(earlier)
        return self._ask(replace(case, before=()))

    def _ask(self, case: Case) -> Rendering:
        self.renderings += 1
        self.recent.appendleft(case)
        rendering = self._render(case)
        return replace(rendering, turns=canonical_transcript(rendering.turns))

    def _keep(self, key: str, rendering: Rendering) -> Rendering:
        self._memo[key] = rendering
        if len(self._memo) > _REMEMBERED:
            del self._memo[next(iter(self._memo))]
        return rendering
