"""`order`: messages and parts keep their order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

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
    spots = {message: found for message in sight.judged if (found := sight.whole(message))}
    for one, other in _out_of_order(spots):
        mixed = _is_medium(sight, spots[one]) != _is_medium(sight, spots[other])
        same_turn = min(map(_spot, spots[one]))[0] == max(map(_spot, spots[other]))[0]
        if mixed and same_turn and not sight.alike(swapped(sight.twin.case, one, other)):
            continue
        note = "what was said later stands before what was said earlier"
        yield Found(Fault("order"), note, other)
        return


def _out_of_order(spots: Mapping[int, list[Occurrence]]) -> Iterator[tuple[int, int]]:
    """Messages of which the one said later stands before the one said earlier.

    Nearly always there are none, which one walk shows.
    """
    begun: dict[int, tuple[int, int, int]] = {}
    furthest = (-1, -1, -1)
    for message, found in spots.items():
        end = max(map(_spot, found))
        if end <= furthest:
            yield from ((one, message) for one, begin in begun.items() if end <= begin)
        begun[message] = min(map(_spot, found))
        furthest = max(furthest, begun[message])
