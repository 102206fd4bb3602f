"""The smallest case that still shows what was seen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.fakes.faulty import asking, blob, case, document, link, said, shown

from mcp_prompt_fuzz.case import Case, fill, kind_of, template_text
from mcp_prompt_fuzz.formats import check_case
from mcp_prompt_fuzz.jsontypes import Json, canonical
from mcp_prompt_fuzz.reduction import CALLS, plain_prompts, reduce, size_of
from mcp_prompt_fuzz.reference import data_of
from mcp_prompt_fuzz.sweep import sweep


def texts(which: Case) -> list[str]:
    """The filled texts of a case's text parts."""
    return [
        fill(text, which.arguments)
        for m in which.messages
        if kind_of(m["content"]) == "text" and (text := template_text(m["content"])) is not None
    ]


def holds(kind: str) -> Callable[[Case], bool]:
    return lambda which: any(kind_of(m["content"]) == kind for m in which.messages)


BUSY = case(
    said("first words", annotations={"priority": 1}),
    shown("image/jpeg", "assistant", 7, annotations={"audience": ["user", "assistant"]}, _meta={}),
    document("some <b>words</b>", "assistant", mimeType="text/x-python"),
    shown("audio/mpeg"),
    blob("application/pdf", "assistant"),
    link(title="T", description="D", size=12, mimeType="text/html", annotations={}),
    said(["about ", {"argument": "topic"}, "!"]),
    prompt={
        "name": "busy",
        "title": "T",
        "description": "D",
        "arguments": [{"name": "topic", "required": True, "description": "D"}, {"name": "other"}],
    },
    arguments={"topic": "two words", "other": "x"},
    result={"description": "R"},
    capabilities={"prompts": {"listChanged": True}},
)


@pytest.mark.parametrize(
    ("kind", "smallest"),
    [
        ("text", case(said(""))),
        ("image", case(shown())),
        ("audio", case(shown("audio/wav"))),
        ("resource.text", case(document(""))),
        ("resource_link", case(link())),
    ],
)
def test_one_plain_part_is_left(kind: str, smallest: Case) -> None:
    reduced = reduce(BUSY, holds(kind))
    assert size_of(reduced) <= size_of(smallest)
    assert [m["role"] for m in reduced.messages] == ["user"]
    assert reduced.prompt == {"name": "p"}
    assert (reduced.arguments, reduced.result) == ({}, {})
    check_case(reduced.to_json())


def test_a_blob_loses_its_type_and_keeps_some_bytes() -> None:
    reduced = reduce(
        BUSY,
        lambda c: any(
            kind_of(m["content"]) == "resource.blob" and data_of(m["content"]) for m in c.messages
        ),
    )
    assert [kind_of(m["content"]) for m in reduced.messages] == ["resource.blob"]
    assert size_of(reduced) <= size_of(case(blob("application/pdf")))


@pytest.mark.parametrize(
    ("text", "shows", "smallest"),
    [
        ("some words <b>bold</b> here", lambda t: "<" in t, "<"),
        ("line one\r\nline two", lambda t: "\r\n" in t, "\r\n"),
        ("  spaced  out  ", lambda t: "  " in t, "  "),
        ("x" * 5000, lambda t: len(t) > 1000, "a" * 1001),
        ("caf\u00e9 au lait", lambda t: not t.isascii(), "\u00e9"),
        (" trailing ", lambda t: t != t.strip(), " "),
        ("Some Words", lambda t: t.lower() != t, "S"),
        ("abc", bool, "a"),
    ],
)
def test_texts_are_shortened(text: str, shows: Callable[[str], bool], smallest: str) -> None:
    reduced = reduce(case(said("x"), said(text), said("y")), lambda c: any(map(shows, texts(c))))
    assert len(texts(reduced)) == 1
    assert len(texts(reduced)[0]) == len(smallest)
    assert shows(texts(reduced)[0])


LOREM = "Lorem ipsum dolor sit amet. " * 200
NEEDLE = f"{LOREM}<b>{LOREM}"


@pytest.mark.parametrize(
    ("text", "shows", "smallest", "most"),
    [
        (LOREM, lambda t: len(t) > 1000, "a" * 1001, 25),
        (LOREM, lambda t: len(t) > 31, "a" * 32, 25),
        (NEEDLE, lambda t: "<b>" in t, "<b>", 50),
        (NEEDLE, lambda t: "<" in t, "<", 45),
    ],
)
def test_long_texts_are_cut_by_bisection(
    text: str, shows: Callable[[str], bool], smallest: str, most: int
) -> None:
    for whole, read in (
        (case(said(text)), texts),
        (asking("a", given={"a": text}), lambda c: list(c.arguments.values())),
    ):
        asked: list[Case] = []

        def showing(which: Case) -> bool:
            asked.append(which)  # noqa: B023 - called within this turn of the loop alone
            return any(map(shows, read(which)))  # noqa: B023

        assert read(reduce(whole, showing)) == [smallest]
        assert len(asked) <= most


def test_the_rest_of_a_long_case_is_left_out_before_its_text_is_cut() -> None:
    shown_: list[Case] = []

    def shows(which: Case) -> bool:
        if any(len(text) > 2000 for text in texts(which)):
            shown_.append(which)
            return True
        return False

    words = [said(f"{n} {LOREM[:900]}") for n in range(8)]
    reduced = reduce(case(*words, said(LOREM)), shows)
    assert texts(reduced) == ["a" * 2001]
    assert len(shown_) < 16  # a hang costs a time limit each


def test_plain_letters_are_preferred_to_others_of_their_number() -> None:
    reduced = reduce(case(said("Strange")), lambda c: len(texts(c)[0]) == 7 if texts(c) else False)
    assert texts(reduced) == ["aaaaaaa"]


def test_equal_texts_are_shortened_together() -> None:
    reduced = reduce(
        case(said("the same"), said("the same")),
        lambda c: len(texts(c)) == 2 and texts(c)[0] == texts(c)[1] != "",
    )
    assert texts(reduced) == ["a", "a"]


def test_text_of_a_document() -> None:
    reduced = reduce(
        case(document("long\ntext", mimeType="text/plain")),
        lambda c: any("\n" in m["content"].get("resource", {}).get("text", "") for m in c.messages),
    )
    assert size_of(reduced) == size_of(case(document("\n")))


def test_a_role_that_matters_stays() -> None:
    reduced = reduce(BUSY, lambda c: any(m["role"] == "assistant" for m in c.messages))
    assert [m["role"] for m in reduced.messages] == ["assistant"]
    assert size_of(reduced) <= size_of(case(said("", "assistant")))


@pytest.mark.parametrize("member", ["title", "description", "size", "mimeType", "annotations"])
def test_a_member_that_matters_stays_alone(member: str) -> None:
    reduced = reduce(
        BUSY,
        lambda c: any(
            kind_of(m["content"]) == "resource_link" and member in m["content"] for m in c.messages
        ),
    )
    content = reduced.messages[0]["content"]
    assert set(content) == {"type", "uri", "name", member}


def test_an_annotation_that_matters_stays_alone() -> None:
    both = case(said("a", annotations={"audience": ["user"], "priority": 0, "lastModified": "x"}))
    reduced = reduce(
        both, lambda c: any("priority" in m["content"].get("annotations", {}) for m in c.messages)
    )
    assert reduced.messages[0]["content"]["annotations"] == {"priority": 0}


def listings(asked: list[Case], whole: Case) -> int:
    """How many definitions a client has to learn beside the plain ones and the whole case's."""
    known = [whole.prompt, *(plain.prompt for plain in plain_prompts())]
    return len({canonical(c.prompt) for c in asked if c.prompt not in known})


MANY = asking(*"abcdefgh", given=dict.fromkeys("abcdefgh", "b") | {"e": "two\nlines"})


def test_a_value_among_many_needs_no_definition_but_the_plain_ones() -> None:
    asked: list[Case] = []

    def shows(which: Case) -> bool:
        asked.append(which)
        return any("\n" in value for value in which.arguments.values())

    reduced = reduce(MANY, shows)
    assert (reduced.prompt, reduced.arguments) == (plain_prompts()[1].prompt, {"a": "\n"})
    assert listings(asked, MANY) == 0
    assert len(asked) < 40


def test_content_needs_no_definition_but_the_plainest() -> None:
    for kind in ("text", "image", "resource_link"):
        asked: list[Case] = []

        def shows(which: Case) -> bool:
            asked.append(which)  # noqa: B023 - called within this turn of the loop alone
            return holds(kind)(which)  # noqa: B023

        reduce(BUSY, shows)
        assert listings(asked, BUSY) == 0


def test_definitions_are_told_of_before_they_are_tried() -> None:
    named = case(said("words"), prompt={"name": "an odd name", "description": "D"})
    told = {canonical(plain.prompt) for plain in plain_prompts()} | {canonical(named.prompt)}
    late: list[Json] = []

    def shows(which: Case) -> bool:
        if canonical(which.prompt) not in told:
            late.append(which.prompt)
        return len(which.prompt["name"]) > 2

    reduced = reduce(
        named, shows, coming=lambda cases: told.update(canonical(c.prompt) for c in cases)
    )
    assert len(reduced.prompt["name"]) == 3
    assert [prompt["name"] for prompt in late] == ["an odd name"]  # one can't stand beside itself


def test_arguments_that_matter_stay() -> None:
    reduced = reduce(
        asking(
            "first",
            "second",
            "third",
            given={"second": "two words", "third": "x"},
            required=["first"],
        ),
        lambda c: any(" " in value for value in c.arguments.values()),
    )
    assert len(reduced.arguments) == 1
    assert next(iter(reduced.arguments.values())) in (" ", "a ", " a", "a a")
    declared = reduced.prompt.get("arguments", [])
    assert len(declared) <= 1
    assert not any("required" in argument for argument in declared)


def test_declared_arguments_that_matter_stay() -> None:
    reduced = reduce(BUSY, lambda c: len(c.prompt.get("arguments", ())) > 1)
    assert [set(a) for a in reduced.prompt["arguments"]] == [{"name"}, {"name"}]
    assert len({a["name"] for a in reduced.prompt["arguments"]}) == 2
    assert (reduced.arguments, reduced.messages) == ({}, ())


def test_a_slot_that_matters_stays() -> None:
    kept = reduce(
        BUSY, lambda c: any(isinstance(m["content"].get("text"), list) for m in c.messages)
    )
    assert kept.messages[0]["content"]["text"] in ([], [{"argument": "a"}], [{"argument": "topic"}])


SURROUNDINGS: dict[str, Any] = {
    "result": {"description": "R"},
    "relist": ({"prompts": ["@"]},),
    "beside": {"b": {"pages": [{"prompts": []}]}},
    "capabilities": {},
    "error": {"on": "prompts/get", "code": 0, "message": "e"},
    "pages": ({"prompts": [], "cursor": "c"}, {"prompts": ["@"]}),
}


@pytest.mark.parametrize("member", SURROUNDINGS)
def test_surroundings_that_matter_stay_alone(member: str) -> None:
    whole = case(said("a"), **SURROUNDINGS)
    plain = case()
    reduced = reduce(whole, lambda c: getattr(c, member) != getattr(plain, member))
    assert reduced.messages == ()
    changed = [name for name in SURROUNDINGS if getattr(reduced, name) != getattr(plain, name)]
    assert changed == [member]
    check_case(reduced.to_json())


def test_other_prompts_of_a_page_are_dropped() -> None:
    other = {"prompt": {"name": "other"}, "messages": [said("x")]}
    first = {"prompts": [other], "cursor": "1"}
    second = {"prompts": [other], "cursor": "2"}
    reduced = reduce(
        case(said("a"), pages=(first, second, {"prompts": [other, "@"]})),
        lambda c: len(c.pages) > 1,
    )
    assert [page["prompts"] for page in reduced.pages] == [[], ["@"]]


def test_the_prompt_stays_listed() -> None:
    reduced = reduce(case(said("a"), pages=({"prompts": ["@"]},)), lambda c: True)
    assert reduced.pages == ({"prompts": ["@"]},)


def test_a_history_that_matters_stays() -> None:
    earlier = case(said("long words"), shown())
    reduced = reduce(
        case(said("b"), before=(earlier, earlier)),
        lambda c: any(texts(e) and texts(e)[0] for e in c.before),
    )
    assert len(reduced.before) == 1
    assert len(reduced.before[0].messages) == 1


@pytest.mark.parametrize("shows", [lambda c: True, lambda c: bool(c.messages)])
def test_whatever_will_do(shows: Callable[[Case], bool]) -> None:
    reduced = reduce(BUSY, shows)
    assert size_of(reduced) <= size_of(case(said("")))


def test_what_cannot_be_smaller_stays() -> None:
    assert reduce(BUSY, lambda c: c.key == BUSY.key) == BUSY


def test_no_more_calls_than_allowed() -> None:
    calls = 0

    def counting(which: Case) -> bool:
        nonlocal calls
        calls += 1
        return len(texts(which)) > 0

    reduce(BUSY, counting, calls=5)
    assert calls <= 5
    calls = 0
    reduce(BUSY, lambda c: counting(c) and False)
    assert calls <= CALLS


def test_no_case_is_tried_twice() -> None:
    seen: list[str] = []

    def remembering(which: Case) -> bool:
        seen.append(which.key)
        return holds("image")(which)

    reduce(BUSY, remembering)
    assert len(seen) == len(set(seen))


def test_candidates_of_the_sweep_are_valid() -> None:
    bad: list[str] = []

    def checking(which: Case) -> bool:
        try:
            check_case(which.to_json())
        except Exception as error:  # whatever is wrong with it
            bad.append(f"{which.to_json()}: {error}")
        return False

    for whole in sweep("2026-07-28", "server")[::12]:
        reduce(whole, checking, calls=60)
    assert bad == []


@pytest.mark.parametrize(
    ("whole", "size"),
    [
        (case(), 4),
        (case(said("")), 9),
        (case(said("abc")), 12),
        (case(said(["a", {"argument": "x"}])), 13),
        (case(link()), 10),
        (case(document("ab")), 13),
        (asking("a", given={"a": "xyz"}), 9),
        (case(said("", "assistant"), capabilities={}), 10),
        (case(said("a"), origin="o", issue="i", rule="image"), 10),
    ],
)
def test_size(whole: Case, size: int) -> None:
    assert size_of(whole) == size


def test_bytes_count() -> None:
    assert size_of(case(shown())) - size_of(case(shown("audio/wav"))) == len(
        data_of(shown()["content"])
    ) - len(data_of(shown("audio/wav")["content"]))
