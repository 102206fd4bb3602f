"""What the rules see of one case."""

from __future__ import annotations

import pytest
from tests.fakes.blocks import Blocks, Reply
from tests.fakes.faulty import asking, document, link, said, shown
from tests.fakes.shapes_messages import one_part_a_message, with_volatile_system_message

from mcp_prompt_fuzz.case import Case
from mcp_prompt_fuzz.jsontypes import Json
from mcp_prompt_fuzz.oracle.sight import (
    Suspect,
    audience_of,
    literal_text,
    may_be_withheld,
    received_arguments,
    settled,
    with_content,
)
from mcp_prompt_fuzz.oracle.twin import hybrid
from mcp_prompt_fuzz.rendering import Rendering, Request
from mcp_prompt_fuzz.transcript import Part, Transcript, Turn

from .looking import a_case, asked, conditions, got, rendering_by, sight, turn

FAITHFUL = rendering_by(one_part_a_message)


@pytest.mark.parametrize(
    ("requests", "received"),
    [
        (None, None),
        ((), None),
        ((got(a="x"),), {"a": "x"}),
        ((got(a="x"), got(a="y")), {"a": "y"}),
        ((got(a="x"), got("q", a="y")), {"a": "x"}),
        ((got(a="x"), got(server="other", a="y")), {"a": "x"}),
        ((got(a="x"), asked("prompts/list", name="p", arguments={"a": "y"})), {"a": "x"}),
        ((got(a="x"), Request("prompts/get", got(a="y").params, phase="list")), {"a": "x"}),
        ((asked("prompts/get", name="p"),), {}),
        ((asked("prompts/get", name="p", arguments=None),), {}),
        ((asked("prompts/get"),), None),
    ],
)
def test_received_arguments(
    requests: tuple[Request, ...] | None, received: dict[str, str] | None
) -> None:
    assert received_arguments(Rendering(requests=requests), asking("a")) == received


def test_which_rules_are_wanted() -> None:
    assert conditions().wants("image")
    some = conditions(wanted=frozenset({"image", "roles"}))
    assert some.wants("image")
    assert some.wants("audio", "roles")
    assert not some.wants("audio", "order")
    assert not conditions(wanted=frozenset()).wants("image")


@pytest.mark.parametrize(
    ("part", "literal", "plain"),
    [
        (said("a"), "a", True),
        (said(["a ", {"argument": "x"}, " b"]), "a  b", False),
        (said(""), "", False),
        (said([]), "", False),
        (document("a"), "a", False),
        (shown(), "", False),
        (link(), "", False),
    ],
)
def test_texts(part: Json, literal: str, plain: bool) -> None:
    seen = sight(FAITHFUL, a_case(shown(), part, arguments={"x": "y"}))
    assert seen.literal(1) == literal_text(part["content"]) == literal
    assert seen.is_plain_text(1) is plain
    assert seen.has_text(1) is (part["content"].get("resource", part["content"]).keys() >= {"text"})


@pytest.mark.parametrize(
    ("annotations", "audience", "withheld"),
    [
        (None, None, False),
        ({}, None, False),
        ({"priority": 1}, None, False),
        ({"audience": ["user"]}, ["user"], True),
        ({"audience": ["user", "assistant"]}, ["user", "assistant"], False),
        ({"audience": ["assistant"]}, ["assistant"], False),
        ({"audience": []}, [], False),
    ],
)
def test_audiences(annotations: Json | None, audience: list[str] | None, withheld: bool) -> None:
    part = said("a", annotations=annotations)
    assert audience_of(part) == audience
    assert may_be_withheld(part) is withheld
    assert audience_of(said("a")) is None


def test_a_case_with_another_content() -> None:
    case = a_case(said("a"), said("b", "assistant"))
    other = with_content(case, 1, {"type": "text", "text": "c"})
    assert other.messages == (said("a"), said("c", "assistant"))


def test_a_settled_case_has_its_slots_filled() -> None:
    case = a_case(said(["a ", {"argument": "x"}]), shown(), arguments={"x": "y"})
    assert settled(case).messages == (said("a y"), shown())


def test_what_is_judged_holds_something() -> None:
    assert sight(FAITHFUL, a_case(said(""), said("a"), link())).judged == (1, 2)


def test_a_case_is_explained_by_its_twin() -> None:
    case = a_case(said("a"), said("b"))
    seen = sight(FAITHFUL, case)
    assert seen.explains(case, FAITHFUL(case))
    run_together = Rendering(turns=(turn("user", "a", "b"),))
    assert seen.explains(case, run_together)
    assert not seen.explains(case, Rendering(turns=(turn("user", "b", "a"),)))
    assert not seen.explains(case, Rendering(turns=FAITHFUL(case).turns, error="no"))


def test_a_variant_of_the_twin_is_like_it_or_not() -> None:
    def shape(blocks: Blocks) -> Reply:
        return one_part_a_message([b for b in blocks if b.kind != "image"])

    seen = sight(rendering_by(shape), a_case(said("a"), shown()))
    assert seen.alike(seen.twin.case.without_message(1))
    assert not seen.alike(seen.twin.case.without_message(0))
    assert not sight(lambda _: Rendering(error="no"), a_case(said("a"))).alike(a_case(said("a")))


def test_a_variant_may_vary_as_the_twin_does() -> None:
    def shape(blocks: Blocks) -> Reply:
        return with_volatile_system_message([b for b in blocks if b.kind != "image"])

    case = a_case(said("a"), shown())
    for volatile in (True, False):
        seen = sight(rendering_by(shape), case, volatile=volatile)
        assert seen.template.varies is volatile
        assert seen.alike(seen.twin.case.without_message(1)) is volatile
        assert not seen.alike(seen.twin.case.without_message(0))


def test_a_second_twin_that_is_refused_teaches_nothing() -> None:
    tried: list[Case] = []

    def render(case: Case) -> Rendering:
        tried.append(case)
        return FAITHFUL(case) if len(tried) == 1 else Rendering(error="no")

    seen = sight(render, a_case(said("a")), volatile=True)
    assert not seen.template.varies


def test_what_stands_in_the_hole_of_a_suspect() -> None:
    case = a_case(said("a"), said("b"))

    def suspect(*texts: str) -> Suspect:
        seen = sight(FAITHFUL, case)
        mixed = hybrid(seen.twin, {1})
        word = seen.twin.case.messages[0]["content"]["text"]
        turns = tuple(turn("user", text.format(word)) for text in texts)
        return Suspect(seen, 1, mixed, Rendering(turns=turns))

    part = suspect("{}", "B")
    assert (part.kind, part.content(part.hole), part.caught(part.hole)) == ("text", ("b",), "B")
    assert suspect("{}B").caught(part.hole) == "B"
    assert suspect("x", "B").caught(part.hole) is None


def test_what_the_server_was_given_counts_as_content() -> None:
    case = asking("a", given={"a": "x"}, messages=[said(["to ", {"argument": "a"}])])

    def render(which: Case) -> Rendering:
        return Rendering(turns=(turn("user", "to y"),), requests=(got(a="y"),))

    seen = sight(render, case, "session")
    assert seen.filling(case, render(case))(seen.twin.holes_of(0)[0]) == ("to x", "to y")


@pytest.mark.parametrize(
    ("second", "steady", "varying"),
    [
        ((turn("user", "x1", "call A1"),), True, True),
        ((turn("user", "x1", "call B2"),), False, True),
        ((turn("user", "x2", "call A1"),), False, False),
        ((turn("user", "x1", "call: B2"),), False, False),
        ((turn("tool", "x1", "call A1"),), False, False),
        ((turn("user", "x1", "call A1"), turn("user", "y")), False, False),
        ((turn("user", "x1"), turn("user", "call A1")), False, False),
        ((turn("user", "x1", Part("image", data=b"A1")),), False, False),
    ],
)
def test_two_cases_are_the_same_ids_aside(second: Transcript, steady: bool, varying: bool) -> None:
    one, other = a_case(said("1")), a_case(said("2"))
    ids = iter(("A1", "C3"))

    def render(case: Case) -> Rendering:
        if case == other:
            return Rendering(turns=second)
        return Rendering(turns=(turn("user", "x1", f"call {next(ids)}"),))

    assert sight(render, one, volatile=True).same(one, other) is varying
    ids = iter(("A1",))
    assert sight(render, one).same(one, other) is steady


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (turn("user", Part("link", uri="A1")), turn("user", Part("link", name="A1"))),
        (turn(None, "a"), turn("user", "a")),
        (turn("user", "a"), turn(None, "a")),
    ],
)
def test_what_stands_elsewhere_or_nowhere_is_not_the_same(first: Turn, second: Turn) -> None:
    one, other = a_case(said("1")), a_case(said("2"))

    def render(case: Case) -> Rendering:
        return Rendering(turns=(second if case == other else first,))

    assert not sight(render, one, volatile=True).same(one, other)


@pytest.mark.parametrize(
    ("data", "size", "same"), [(b"x", 1, True), (b"y", 1, False), (b"x", 2, False)]
)
def test_cases_with_media_are_the_same_where_the_media_are(
    data: bytes, size: int, same: bool
) -> None:
    one, other = a_case(said("1")), a_case(said("2"))
    numbers = iter(range(1000))

    def render(case: Case) -> Rendering:
        shown_, told = (data, size) if case == other else (b"x", 1)
        parts = Part("image", data=shown_), Part("link", uri="x:a", size=told)
        return Rendering(turns=(turn("user", *parts, f"id {next(numbers)}"),))

    assert sight(render, one, volatile=True).same(one, other) is same


def test_what_is_not_sent_is_the_same_as_nothing() -> None:
    one, other = a_case(said("1")), a_case(said("2"))

    def render(case: Case) -> Rendering:
        return Rendering(error="no") if case == other else Rendering()

    assert not sight(render, one).same(one, other)
    assert not sight(render, one).same(other, one)
    assert sight(render, one).same(one, one)
