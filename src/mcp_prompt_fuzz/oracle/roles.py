"""`roles`: who says what can still be told."""

from __future__ import annotations

from collections.abc import Iterator

from ..case import Case
from ..finding import Fault
from .found import Found
from .sight import Sight, may_be_withheld


def flipped(case: Case, message: int) -> Case:
    """The case with that message said by the other one."""
    old = case.messages[message]
    other = "user" if old["role"] == "assistant" else "assistant"
    return case.with_message(message, {**old, "role": other})


def check(sight: Sight) -> Iterator[Found]:
    """Parts under another speaker, or under none, whose speaker nothing else tells.

    A flip is rendered for one message of a case only (all of them if the judgement is thorough).
    """
    doubtful: list[int] = []
    turns = sight.twin_rendering.turns
    for message in sight.judged:
        if may_be_withheld(sight.case.messages[message]):
            continue
        spots = sight.whole(message)
        if not spots:
            continue
        said = sight.case.messages[message]["role"]
        told = {turns[spot.place.turn].role for spot in spots}
        if said in told:
            continue
        if said == "user" and "assistant" in told:
            note = "what the user says stands in an assistant's turn"
            yield Found(Fault("roles"), note, message)
            return
        doubtful.append(message)
    if not sight.conditions.thorough and doubtful:
        doubtful = [doubtful[sight.pick % len(doubtful)]]
    for message in doubtful:
        other = flipped(sight.twin.case, message)
        if sight.alike(other):
            role = sight.case.messages[message]["role"]
            yield Found(
                Fault("roles"),
                f"said by the {role} or by the other one, the message is rendered the same",
                message,
                pair=flipped(sight.case, message),
            )
            return
