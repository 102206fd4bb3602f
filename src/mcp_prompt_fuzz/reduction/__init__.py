"""Makes a case as small as it can be while it still shows the same fault.

A reducer of our own over the case's JSON, and not the choices that drew it: it serves a case of the
sweep, of the corpus and of a strategy alike, and its result is judged by what a maintainer reads:
fewest messages, then fewest arguments and optional members, then the plainest text.

A real client reads its listing anew for each definition that it does not know, which costs seconds,
while content costs none. So the plainest definitions are few and always the same (`plain_prompts`),
and can be published before anything is rendered; then content is made smaller, and only what is
left asks for definitions of its own, which are told of before they are tried.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, TypeAlias

from ..case import Case
from .arguments import (
    fewer_arguments,
    fewer_given,
    plainer_values,
    plainest_arguments,
)
from .parts import fewer_messages, plainer_parts
from .plain import plain_prompts
from .search import Search
from .size import size_of
from .surroundings import bare, plainer_offers, plainer_prompt, plainer_result, plainer_surroundings
from .texts import cut_long_texts, equal_texts, plainer_texts

__all__ = ["CALLS", "Shows", "plain_prompts", "reduce", "size_of"]

Shows: TypeAlias = Callable[[Case], bool]
"""Whether a case still shows the fault."""

CALLS: Final = 400
"""After so many calls the smallest case so far is taken."""

_Pass: TypeAlias = Callable[[Case], Iterator[Case]]

_FIRST: Final[tuple[_Pass, ...]] = (fewer_messages, bare, fewer_given, plainest_arguments)
_OF_CONTENT: Final[tuple[_Pass, ...]] = (
    plainer_result,
    plainer_parts,
    equal_texts,
    plainer_texts,
    plainer_values,
)
_OF_LISTINGS: Final[tuple[_Pass, ...]] = (
    plainer_surroundings,
    fewer_arguments,
    plainer_prompt,
    plainer_offers,
)


def reduce(
    case: Case,
    shows: Shows,
    *,
    calls: int = CALLS,
    coming: Callable[[list[Case]], None] | None = None,
) -> Case:
    """The smallest case found that still `shows` what `case` shows, which must hold for it.

    `coming` is told which cases come next where their definitions may be new to the renderer.
    """
    search = Search(case, shows, calls)
    for pass_ in _FIRST:
        search.exhaust(pass_)
    cut_long_texts(search)
    before = None
    while search.best is not before and search.goes_on:
        before = search.best
        for pass_ in (*_FIRST, *_OF_CONTENT):
            search.exhaust(pass_)
        for pass_ in _OF_LISTINGS:
            search.exhaust(pass_, coming)
    return search.best
