"""Makes a case as small as it can be while it still shows the same fault.

A reducer of our own over the case's JSON, and not the choices that drew it: it serves a case of the
sweep, of the corpus and of a strategy alike, and its result is judged by what a maintainer reads:
fewest messages, then fewest arguments and optional members, then the plainest text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, TypeAlias

from ..case import Case
from .arguments import fewer_arguments, plainest_arguments
from .parts import fewer_messages, plainer_parts
from .size import rank, size_of
from .surroundings import bare, plainer_offers, plainer_prompt
from .texts import equal_texts, shorter_texts

__all__ = ["CALLS", "Shows", "reduce", "size_of"]

Shows: TypeAlias = Callable[[Case], bool]
"""Whether a case still shows the fault."""

CALLS: Final = 400
"""After so many calls the smallest case so far is taken."""

_PASSES: Final[tuple[Callable[[Case], Iterator[Case]], ...]] = (
    plainest_arguments,
    fewer_messages,
    bare,
    fewer_arguments,
    plainer_parts,
    plainer_prompt,
    plainer_offers,
    equal_texts,
    shorter_texts,
)


def reduce(case: Case, shows: Shows, *, calls: int = CALLS) -> Case:
    """The smallest case found that still `shows` what `case` shows, which must hold for it."""
    best = case
    tried = {case.key}
    improved = True
    while improved and calls > 0:
        improved = False
        for pass_ in _PASSES:
            again = True
            while again and calls > 0:
                again = False
                for candidate in pass_(best):
                    seen = candidate.key in tried
                    if seen or not _is_listed(candidate) or rank(candidate) >= rank(best):
                        continue
                    tried.add(candidate.key)
                    calls -= 1
                    if shows(candidate):
                        best, again, improved = candidate, True, True
                        break
                    if calls <= 0:
                        break
    return best


def _is_listed(case: Case) -> bool:
    """Whether some page lists the case's prompt, as every case must."""
    return any("@" in page["prompts"] for page in (*case.pages, *(case.relist or ())))
