"""How the strategies of this package draw, and why it looks the way it does.

Cost and shrinking both follow the number of draws, so a case is a sequence of small integers, each
an index into a table. Three habits make it shrink to the optimum:

- Repetition is spelled with a *stop*: every loop first draws what comes next, and the lowest value
  ends it. So dropping any element is dropping a run of a few draws, which is what Hypothesis tries
  first, and no size has to be corrected at the same time. A loop that is full draws a stop all the
  same, so that what follows keeps its place when an element goes.
- What stands in for one another costs the same number of draws: a message is its head and one
  index, whatever its kind. So lowering a head leaves the rest in step. What only some need comes as
  a change, an element of a loop.
- Tables stand from the plainest to the oddest, and entries with one trait in common are neighbours.

Two properties of Hypothesis shape the numbers:

- Integers of up to seven bits are drawn evenly, wider ones lean toward small values. Tables stay
  below 128 entries.
- An integer whose range starts at 0 and whose value is at most 10 is taken for the branch of a
  ``one_of`` and rerandomised at length while shrinking. Choices here start at 1, which says that
  they aren't.
- Choices of equal value are lowered together, so a head that happened to equal an index would stay
  put with it. What comes next is numbered -1, -2 and so on, and a table is entered at 1, 2 and so
  on.
- A number is lowered to the first, by one, by two and by doubling steps; no other value is sure to
  be tried. So neighbours in a menu are alike, and where two traits alternate (who speaks, whether a
  value is given) two steps down keep the one and lower the other. Further stops go last.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, TypeVar

from hypothesis import strategies as st

__all__ = ["STOP", "Menu", "choices", "draw_index", "pick", "pick_next"]

T = TypeVar("T")

STOP: Final = "stop"
"""The entry of a menu that ends its loop; always the first."""

Menu = tuple[str, ...]
"""What may come next, by name. An entry that stands several times is drawn as many times as often.

Equal entries stand one or two apart, so that each shrinks to the first of them.
"""


@lru_cache(maxsize=256)
def _integers(low: int, size: int) -> st.SearchStrategy[int]:
    return st.integers(low, low + size - 1)


def draw_index(draw: st.DrawFn, size: int) -> int:
    """An index into a table of ``size`` entries, shrinking toward 0."""
    return draw(_integers(1, size)) - 1


def pick(draw: st.DrawFn, table: Sequence[T]) -> T:
    """One entry of ``table``, shrinking toward the first."""
    return table[draw_index(draw, len(table))]


def pick_next(draw: st.DrawFn, menu: Sequence[T]) -> T:
    """One entry of ``menu``, of the things that may come next, shrinking toward the first."""
    return menu[-1 - draw(_integers(-len(menu), len(menu)))]


def choices(draw: st.DrawFn, menu: Menu, most: int) -> Iterator[str]:
    """Entries of ``menu`` until a stop, ``most`` at the utmost.

    Whoever loops over it may draw more for each entry before asking for the next.
    """
    for _ in range(most):
        choice = pick_next(draw, menu)
        if choice == STOP:
            return
        yield choice
    pick_next(draw, (STOP,))
