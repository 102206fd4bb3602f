"""How the oracle looks at a renderer: rendering what it needs, each variant once."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from ..case import Case
from ..rendering import Rendering
from ..transcript import canonical_transcript

REMEMBERED: Final = 64 * 2**20
"""The oldest renderings beyond so many bytes, their cases with them, are forgotten."""

_OVERHEAD: Final = 1024
"""Bytes that a rendering takes, roughly, beside its content; and so does each of its parts."""


class Lens:
    """Asks a renderer for renderings and remembers them, so that no variant costs twice.

    `renderings` counts what was asked of the renderer; `recent` are the last cases, newest first.
    With `remember` off every look is a new rendering: needed once a renderer shows state, and to
    confirm a finding.
    """

    def __init__(self, render: Callable[[Case], Rendering], *, remember: bool = True) -> None:
        self._render = render
        self._memo: dict[str, tuple[Rendering, int]] = {}
        self._remembered = 0
        self.remember = remember
        self.renderings = 0
        self.recent: deque[Case] = deque(maxlen=3)

    def look(self, case: Case) -> Rendering:
        """The rendering of the case, from memory where it was seen before."""
        if not self.remember:
            return self.look_again(case)
        known = self._memo.get(case.key)
        return known[0] if known is not None else self._keep(case.key, self.look_again(case))

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
        size = len(key) + _size_of(rendering)
        self._memo[key] = rendering, size
        self._remembered += size
        while self._remembered > REMEMBERED:
            _, forgotten = self._memo.pop(next(iter(self._memo)))
            self._remembered -= forgotten
        return rendering


def _size_of(rendering: Rendering) -> int:
    """About how many bytes of memory the rendering takes."""
    parts = [part for turn in rendering.turns for part in turn.parts]
    content = sum(len(part.text) + len(part.data) for part in parts)
    told = len(rendering.shown) + len(rendering.error or "")
    return content + told + _OVERHEAD * (1 + len(parts))
