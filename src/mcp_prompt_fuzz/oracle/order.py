"""`order`: messages and parts keep their order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

from ..case import Case
from ..finding import Fault
from .found import Found
from .pieces import Occurrence
from .sight import Sight


def swapped(case: Case, one: int, other: int) -> Case:
    """The case with two messages in each other's place."""
    messages = list(case.messages)
    messages[one], messages[other] = messages[other], messages[one]
    return replace(case, messages=tuple(messages))


def _spot(occurrence: Occurrence) -> tuple[int, int, int]:
    return (occurrence.place.turn, occurrence.place.part, occurrence.offset)


def _is_medium(sight: Sight, spots: list[Occurrence]) -> bool:
    """Whether the part arrives as something else than text."""
    place = spots[0].place
    return sight.twin_rendering.turns[place.turn].parts[place.part].kind != "text"


def check(sight: Sight) -> Iterator[Found]:
    """Parts that stand before one that was said earlier.

    Text against medium within one turn counts only if swapping them changes nothing: a provider may
    want media at the end, marked in the text.
    """
    spots = {
        message: found
        for message in sight.judged
        if (found := sight.template.whole(sight.main_hole(message)))
    }
    for one, other in combinations(spots, 2):
        first, last = min(map(_spot, spots[one])), max(map(_spot, spots[other]))
        if first < last:
            continue
        mixed = _is_medium(sight, spots[one]) != _is_medium(sight, spots[other])
        same_turn = first[0] == last[0]
        if mixed and same_turn and not sight.alike(swapped(sight.twin.case, one, other)):
            continue
        note = "what was said later stands before what was said earlier"
        yield Found(Fault("order"), note, other)
        return
