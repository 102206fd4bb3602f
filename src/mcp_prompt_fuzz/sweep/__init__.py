"""The fixed cases that come before any drawing: rarity is the bottleneck of finding.

Between them they hold every hard string, every canary, every kind in both roles, every argument
trap and every shape of a listing. The densest come first, so that most faults show at once.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..case import Case
from ..rules import View
from .arguments import argument_cases
from .listings import listing_cases
from .parts import part_cases, richest
from .pieces import plain_content
from .texts import canary_cases, document_cases, text_cases

__all__ = ["plain_content", "richest", "sweep"]

_IN_TURN = 5
"""So many of each subject in turn; then each subject to its end: a change of the listing costs a
real client seconds."""


def sweep(revision: str, view: View, *, sandboxed: bool = False) -> list[Case]:
    """The fixed cases for a renderer with that view, under that revision."""
    subjects = [
        list(part_cases(revision)),
        list(canary_cases(revision, sandboxed=sandboxed)),
        list(text_cases(revision)),
    ]
    if view != "result":
        subjects.append(list(argument_cases(revision)))
    if view == "server":
        subjects.append(list(listing_cases(revision)))
    subjects.append(list(document_cases(revision)))
    return list(_in_turn(subjects))


def _in_turn(subjects: list[list[Case]]) -> Iterator[Case]:
    for place in range(_IN_TURN):
        for cases in subjects:
            yield from cases[place : place + 1]
    for cases in subjects:
        yield from cases[_IN_TURN:]
