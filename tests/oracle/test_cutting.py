"""A rendering in pieces, and what two renderings of one twin have in common."""

from __future__ import annotations

import re
from base64 import b64decode
from typing import Any

import pytest
from tests.fakes.faulty import document, link, said, shown

from mcp_prompt_fuzz.jsontypes import Json
from mcp_prompt_fuzz.oracle.atoms import Place
from mcp_prompt_fuzz.oracle.cutting import Cutter, merged_rows
from mcp_prompt_fuzz.oracle.pieces import Occurrence, Piece, Row, Slot, Varying
from mcp_prompt_fuzz.oracle.spelling import LABEL_FORMS, data_spellings
from mcp_prompt_fuzz.oracle.twin import Hole, plain_twin
from mcp_prompt_fuzz.reference import data_of

from .looking import a_case

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


def _cutter(*messages: Json, received: dict[str, str] | None = None, **members: Any) -> Cutter:
    return Cutter(plain_twin(a_case(*messages, **members)), received)


def _hole(cutter: Cutter, field: str, message: int = 0) -> Hole:
    return next(h for h in cutter.twin.holes if (h.message, h.field) == (message, field))


def test_bytes_are_one_slot() -> None:
    cutter = _cutter(said("a"), shown(), shown())
    hole = _hole(cutter, "data", 2)
    data = data_of(cutter.twin.case.messages[2]["content"])
    place = Place(2, 0, "data")
    assert cutter.cut(place, data) == Slot(hole, ("bytes",))
    assert cutter.found[hole] == [Occurrence(place, 0, ("bytes",), True, "")]
    assert cutter.cut(place, data[:-1]) == data[:-1]
    assert cutter.cut(place, b"\xff") == b"\xff"
    assert cutter.cut(place, b"plain") == b"plain"
    assert set(cutter.found) == {hole}


def test_bytes_that_hold_a_token_are_cut_as_text() -> None:
    cutter = _cutter(document("words"))
    hole = _hole(cutter, "text")
    assert cutter.cut(TEXT, f"<{hole.anchor}>".encode()) == ("<", Slot(hole, ("raw",)), ">")


def test_what_is_no_text_is_left_whole() -> None:
    cutter = _cutter(said("a"))
    word = _hole(cutter, "text").anchor
    for place, value in ((ROLE, word), (Place(0, 0, "kind"), word), (TEXT, 12), (TEXT, None)):
        assert cutter.cut(place, value) == value
    assert cutter.found == {}
    assert cutter.cut(TEXT, "") == ("",)
    assert cutter.cut(TEXT, "plain") == ("plain",)


def test_a_text_is_cut_at_each_of_its_slots() -> None:
    cutter = _cutter(said("a"), said("b"))
    one, other = _hole(cutter, "text"), _hole(cutter, "text", 1)
    value = f"{one.anchor}{other.anchor}, {one.anchor}"
    slots = [Slot(hole, ("raw",)) for hole in (one, other)]
    assert cutter.cut(TEXT, value) == (*slots, ", ", slots[0])
    assert [(o.offset, o.before, o.whole) for o in cutter.found[one]] == [
        (0, "", True),
        (22, f"{one.anchor}{other.anchor}, ", True),
    ]


def test_what_stands_before_a_slot_is_kept_in_part() -> None:
    cutter = _cutter(said("a"))
    hole = _hole(cutter, "text")
    before = "".join(chr(0x4E00 + n) for n in range(100))
    cutter.cut(TEXT, before + hole.anchor)
    assert cutter.found[hole] == [Occurrence(TEXT, 100, ("raw",), True, before[-80:])]


def test_a_uri_is_whole_with_what_its_scheme_and_extension_are() -> None:
    cutter = _cutter(link(uri="file:///some/where.txt"))
    hole = _hole(cutter, "uri")
    uri = cutter.twin.case.messages[0]["content"]["uri"]
    raw = tuple(f for f in LABEL_FORMS if LABEL_FORMS[f](uri) == uri)
    assert "raw" in raw
    assert cutter.cut(TEXT, f"see {uri}.") == ("see ", Slot(hole, raw), ".")
    assert cutter.cut(TEXT, uri.removeprefix("file:")) == (
        "///",
        Slot(hole, ()),
        ".txt",
    )
    escaped = uri.replace(":", "%3A").replace("/", "%2F")
    assert cutter.cut(TEXT, escaped) == (Slot(hole, ("percent",)),)
    assert [o.whole for o in cutter.found[hole]] == [True, False, True]


def test_data_is_found_in_every_spelling_and_as_often_as_it_stands() -> None:
    cutter = _cutter(shown(), shown(number=1))
    one, other = (_hole(cutter, "data", message) for message in (0, 1))
    plain, second = (m["content"]["data"] for m in cutter.twin.case.messages)
    forms = [
        tuple(f for f, s in data_spellings(b64decode(d)).items() if s == d) for d in (plain, second)
    ]
    assert "base64" in forms[0]
    assert "hex" not in forms[0]
    slots = Slot(one, forms[0]), Slot(other, forms[1])
    assert cutter.cut(TEXT, f"{plain} {second}{plain}") == (slots[0], " ", slots[1], slots[0])
    assert [o.offset for o in cutter.found[one]] == [0, len(plain) + 1 + len(second)]
    assert cutter.cut(TEXT, plain) == (slots[0],)
    assert cutter.cut(TEXT, f"{plain};{plain};{plain}") == (slots[0], ";", slots[0], ";", slots[0])


def test_the_longest_spelling_wins_where_spellings_overlap() -> None:
    cutter = _cutter(shown())
    plain = cutter.twin.case.messages[0]["content"]["data"]
    assert plain.endswith("==")
    padded = data_spellings(b64decode(plain))
    forms = tuple(form for form, spelled in padded.items() if spelled == plain)
    assert cutter.cut(TEXT, f"{plain}!") == (Slot(_hole(cutter, "data"), forms), "!")


def test_tokens_of_no_hole_are_foreign_and_literal() -> None:
    cutter = _cutter(said("a"))
    assert cutter.cut(TEXT, "old vqbbbbbbbbxz") == ("old vqbbbbbbbbxz",)
    assert cutter.foreign == set()
    assert cutter.cut(TEXT, "old vqbbbbbbxz") == ("old vqbbbbbbxz",)
    assert cutter.foreign == {"vqbbbbbbxz"}


def test_a_text_with_slots_is_cut_by_what_the_server_received() -> None:
    slots = said(["about ", {"argument": "a"}])
    cutter = _cutter(slots, arguments={"a": "x"}, received={"a": "y"})
    word = _hole(cutter, "text")
    given = cutter.twin.case.arguments["a"]
    assert cutter.cut(TEXT, f"{word.anchor}y.") == (Slot(word, ("raw",)), ".")
    assert cutter.cut(TEXT, f"{word.anchor}{given}.") == (Slot(word, ("raw",)), ".")
    assert cutter.cut(TEXT, f"{word.anchor}z") == (Slot(word, ()), "z")


def test_the_longer_of_two_texts_is_what_stands_there() -> None:
    slots = said(["about ", {"argument": "a"}])
    given = _cutter(slots, arguments={"a": "x"}).twin.case.arguments["a"]
    cutter = _cutter(slots, arguments={"a": "x"}, received={"a": f"{given}y"})
    hole = _hole(cutter, "text")
    assert cutter.cut(TEXT, f"{hole.anchor}{given}y.") == (Slot(hole, ("raw",)), ".")
    assert cutter.cut(TEXT, f"{hole.anchor}{given}.") == (Slot(hole, ("raw",)), ".")


def test_an_argument_is_spelled_as_it_is() -> None:
    cutter = _cutter(said("b"), arguments={"a": "x"})
    hole = _hole(cutter, "argument", -1)
    assert cutter.cut(TEXT, f"a={hole.anchor}") == ("a=", Slot(hole, ("raw",)))
