"""How the strategies of this package draw, and why it looks the way it does.

Cost and shrinking both follow the number of draws, so a case is a sequence of small integers, each
an index into a table. Three habits make it shrink to the optimum:

- Repetition is spelled with a *stop*: every loop first draws what comes next, and the lowest value
  ends it. So dropping any element is dropping a run of a few draws, which is what Hypothesis tries
  first, and no size has to be corrected at the same time. A loop that is full draws a stop all the
  same, so that what follows keeps its place when an element goes.
- What stands in for one another costs the same number of draws: a message is its head and one
  index, whatever its kind. So lowering a head leaves the rest in step. What only some need comes as
  a change, an element of the same loop: it alters what was drawn last. So a plain element needs no
  stop of its own. Menus of one loop begin alike, and what only some offer stands at the end.
- Tables stand from the plainest to the oddest, and entries with one trait in common are neighbours.

Four properties of Hypothesis shape the rest:

- Integers of up to seven bits are drawn evenly, wider ones lean toward small values; and integers
  from 100 on are now and then taken from the source of whatever modules are loaded, so that one
  seed would draw other cases elsewhere. Tables have at most 100 entries.
- Between fresh draws, Hypothesis copies one draw over another with the same label, five times as
  often as it draws afresh: 2,000 cases would hold what 400 can, and one in eight would be thrown
  away because it then needs more draws than it has. Labels of `sampled_from` tell its elements, so
  every draw of a case is from a range of its own.
- A number of at most 10 whose change alters the draws after it is taken for the branch of a
  ``one_of`` and rerandomised at length while shrinking. So a menu opens with eleven stops.
- A number is lowered to the first, by one, by two and by doubling steps; no other value is sure to
  be tried. So neighbours in a menu are alike, and where two traits alternate (who speaks, whether a
  value is given) two steps down keep the one and lower the other.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Final, TypeVar

from hypothesis import strategies as st

__all__ = ["LARGEST", "STOP", "Draw", "Menu", "choices", "leave_room", "pick"]

T = TypeVar("T")

STOP: Final = "stop"
"""What ends a loop."""

Menu = tuple[str, ...]
"""What may come next, by name. An entry that stands several times is drawn as many times as often.

Equal entries stand one or two apart, so that each shrinks to the first of them; further stops go
last.
"""


LARGEST: Final = 100
"""The most entries that a table may have."""

_STOPS: Final = 11


class Draw:
    """Hypothesis's ``draw``, and how many numbers it has drawn for this case."""

    def __init__(self, draw: st.DrawFn) -> None:
        self._draw = draw
        self._drawn = 0

    def __call__(self, strategy: st.SearchStrategy[T]) -> T:
        """What ``strategy`` draws."""
        return self._draw(strategy)

    def number(self, size: int) -> int:
        """A number below ``size``, shrinking toward 0."""
        assert size <= LARGEST, "larger numbers depend on which modules are loaded"
        self._drawn += 1
        return self._draw(_numbers(self._drawn << 10, size)) & 1023


@lru_cache(maxsize=16_384)
def _numbers(start: int, size: int) -> st.SearchStrategy[int]:
    return st.sampled_from(range(start, start + size))


def pick(draw: Draw, table: Sequence[T]) -> T:
    """One entry of ``table``, shrinking toward the first."""
    return table[draw.number(len(table))]


def choices(draw: Draw, menu: Sequence[T] | Callable[[], Sequence[T]], most: int) -> Iterator[T]:
    """Entries of ``menu`` until a stop, ``most`` at the utmost.

    Whoever loops over it may draw more for each entry before asking for the next. A ``menu`` that
    is called gives what there is to choose from each time.
    """
    for _ in range(most):
        number = draw.number(_STOPS + len(now := menu() if callable(menu) else menu))
        if number < _STOPS or (choice := now[number - _STOPS]) == STOP:
            return
        yield choice
    draw.number(_STOPS)


def _nested(strategy: st.SearchStrategy[object], times: int) -> st.SearchStrategy[object]:
    return _nested(st.tuples(strategy), times - 1) if times else strategy


_ONE: Final = st.text([chr(0xE000)], min_size=1, max_size=1)
"""Can only be drawn one way, and so never has to be shrunk."""

_ROOM: Final = tuple(_nested(_ONE, times) for times in range(6))


def leave_room(draw: Draw) -> None:
    """Make the plainest case a little longer than it has to be.

    The first fifty cases of a run may have five times the draws of the plainest that begins alike;
    one that needs more is discarded. Nothing here is a number, or has the label of another: numbers
    are raised while those before them are lowered, which would ask about the same case again. Nor
    can it be found in the source of a module, where Hypothesis looks for texts now and then.
    """
    for strategy in _ROOM:
        draw(strategy)
