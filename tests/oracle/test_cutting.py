"""What two renderings of one twin have in common."""

from __future__ import annotations

import re

import pytest

from mcp_prompt_fuzz.oracle.atoms import Place
from mcp_prompt_fuzz.oracle.cutting import merged_rows
from mcp_prompt_fuzz.oracle.pieces import Piece, Row, Slot, Varying
from mcp_prompt_fuzz.oracle.twin import Hole

TEXT, ROLE = Place(0, 0, "text"), Place(0, -1, "role")
SLOT = Slot(Hole(0, "text", "word"), ("raw",))


def _merged(one: tuple[Piece, ...], other: tuple[Piece, ...]) -> tuple[Piece, ...] | None:
    rows = merged_rows([(TEXT, one)], [(TEXT, other)])
    if rows is None:
        return None
    ((place, pieces),) = rows
    assert place == TEXT
    assert isinstance(pieces, tuple)
    return pieces


def test_what_is_equal_stays() -> None:
    rows: list[Row] = [(ROLE, "user"), (TEXT, ("a ", SLOT))]
    assert merged_rows(rows, list(rows)) == tuple(rows)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ((ROLE, "user"), (ROLE, "tool")),
        ((ROLE, "user"), (TEXT, "user")),
        ((TEXT, ("a",)), (TEXT, ("a", SLOT))),
        ((TEXT, ("a", SLOT)), (TEXT, (SLOT, "a"))),
        ((TEXT, ("a",)), (TEXT, SLOT)),
        ((TEXT, SLOT), (TEXT, ("a",))),
        ((TEXT, b"ab"), (TEXT, b"cd")),
    ],
)
def test_what_may_not_differ(one: Row, other: Row) -> None:
    assert merged_rows([one], [other]) is None
    assert merged_rows([one, (TEXT, ("same",))], [other, (TEXT, ("same",))]) is None


def test_another_number_of_rows() -> None:
    row: Row = (ROLE, "user")
    assert merged_rows([row, row], [row]) is None


def test_a_literal_that_differs_varies_strictly_and_softly() -> None:
    merged = _merged(("of 3: a1",), ("of 3: b2",))
    assert merged is not None
    (varying,) = merged
    assert isinstance(varying, Varying)
    assert re.fullmatch(varying.pattern, "of 3: c")
    assert not re.fullmatch(varying.pattern, "of 4: c")
    assert re.fullmatch(varying.soft_pattern, "of 4: c")


@pytest.mark.parametrize(
    ("one", "other", "may"),
    [
        (("a b",), ("a b c",), True),
        (("a b", SLOT), ("a b c", SLOT), False),
        ((SLOT, "a b"), (SLOT, "a b c"), False),
        (("a b\n", SLOT), ("a b c\n", SLOT), True),
        ((SLOT, "\na b"), (SLOT, "\na b c"), True),
        ((SLOT, "\na b\n", SLOT), (SLOT, "\na b c\n", SLOT), True),
        ((SLOT, "a b\n", SLOT), (SLOT, "a b c\n", SLOT), False),
        ((SLOT, "\na b", SLOT), (SLOT, "\na b c", SLOT), False),
        ((SLOT, "!", SLOT, "a b\n"), (SLOT, "!", SLOT, "a b c\n"), False),
        (("\na b", SLOT, "!", SLOT), ("\na b c", SLOT, "!", SLOT), False),
    ],
)
def test_any_words_may_stand_only_away_from_holes(
    one: tuple[Piece, ...], other: tuple[Piece, ...], may: bool
) -> None:
    assert (_merged(one, other) is not None) is may
