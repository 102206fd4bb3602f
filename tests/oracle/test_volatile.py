"""What may vary from one rendering to the next, and what may not."""

from __future__ import annotations

import re

import pytest

from mcp_prompt_fuzz.oracle.volatile import (
    differs_in_words_alone,
    pattern_of_both,
    softened,
)


@pytest.mark.parametrize(
    ("literal", "other", "fits"),
    [
        ("[1 of 3]", "[12 of 30]", True),
        ("[1 of 3]", "[x of 3]", False),
        ("[1 of 3]", "[ of 3]", False),
        ("[1 of 3]", "(1 of 3)", False),
        ("```\n", "`````\n", True),
        ("```\n", "``\n", False),
        ("```\n", "~~~\n", False),
        ("``x", "```x", False),
        ("-----", "---", True),
        ("aaa", "aaaa", False),
        ("   ", "    ", False),
        ("___", "____", False),
        ("a.b", "axb", False),
        ("7", "8", True),
        ("user:", "assistant:", False),
        ("a1b---c", "a22b----c", True),
        ("a1b---c", "a22b----d", False),
    ],
)
def test_softened_fits_other_counters_and_longer_fences_only(
    literal: str, other: str, fits: bool
) -> None:
    assert bool(re.fullmatch(softened(literal), other)) is fits
    assert re.fullmatch(softened(literal), literal)


def _both(one: str, other: str, *, after: bool = False, before: bool = False) -> str | None:
    return pattern_of_both(one, other, after_hole=after, before_hole=before, spell=re.escape)


def test_a_line_away_from_holes_may_be_anything() -> None:
    pattern = _both("It is 12:30.\nGo", "It's late, really\nGo")
    assert pattern is not None
    assert re.fullmatch(pattern, "what ever!\nGo")
    assert not re.fullmatch(pattern, "what\never\nGo")
    assert not re.fullmatch(pattern, "what ever!\nStop")


def test_beside_a_hole_only_words_may_differ() -> None:
    pattern = _both("id a1 user: ", "id b2 user: ", before=True)
    assert pattern is not None
    assert re.fullmatch(pattern, "id c3 user: ")
    assert not re.fullmatch(pattern, "id c3 assistant: ")
    assert not re.fullmatch(pattern, "id c-3 user: ")
    assert not re.fullmatch(pattern, f"id {'x' * 65} user: ")
    assert re.fullmatch(pattern, f"id {'x' * 64} user: ")


@pytest.mark.parametrize(("after", "before"), [(True, False), (False, True)])
def test_beside_a_hole_another_number_of_words_is_no_pattern(after: bool, before: bool) -> None:
    assert _both("a b", "a b c", after=after, before=before) is None


def test_only_the_line_that_touches_a_hole_is_beside_it() -> None:
    assert _both("a b\nc", "a b d\nc", before=True) is not None
    assert _both("c\na b", "c\na b d", before=True) is None
    assert _both("c\na b", "c\na b d", after=True) is not None
    assert _both("a b\nc", "a b d\nc", after=True) is None


def test_punctuation_that_differs_is_no_word() -> None:
    assert _both("a.b", "a,b", after=True) is None
    assert _both("a b", "a ,", after=True) is None
    assert _both("a ,", "a b", after=True) is None


def test_another_number_of_lines_is_no_pattern() -> None:
    assert _both("a\nb", "a") is None


def test_what_is_equal_is_spelled_as_told() -> None:
    pattern = pattern_of_both(
        "n 1 of a", "n 1 of b", after_hole=True, before_hole=True, spell=softened
    )
    assert pattern is not None
    assert re.fullmatch(pattern, "n 22 of c")


@pytest.mark.parametrize(
    ("seen", "same"),
    [
        ("It is 1.\nid a1b2: hello", True),
        ("It is 77.\nid x9: hello", True),
        ("It is 77.\nid x9: hallo", False),
        ("It is 77.\nid x9: hello!", False),
        ("It is 77.\nid : hello", False),
        ("It is ?.\nid x9: hello", False),
        ("It was 77.\nid x9: hello", False),
        ("It is 77.\nid x9: \ufeffhello", False),
        ("It is 77. id x9: hello", False),
    ],
)
def test_only_the_words_that_vary_may_differ(seen: str, same: bool) -> None:
    first, again = "It is 1.\nid a1b2: hello", "It is 2.\nid c3d4: hello"
    assert differs_in_words_alone(first, again, seen) is same
