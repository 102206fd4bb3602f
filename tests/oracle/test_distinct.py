"""Where one text ends and the next begins, and pairs that a case brings itself."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.fakes.blocks import Blocks, Reply, Shape
from tests.fakes.faulty import asking, document, said, shown
from tests.fakes.shapes_messages import merged_neighbours, one_part_a_message
from tests.fakes.shapes_strings import tagged_roles

from mcp_prompt_fuzz.case import Case
from mcp_prompt_fuzz.finding import Fault
from mcp_prompt_fuzz.oracle.distinct import edited
from mcp_prompt_fuzz.rendering import Rendering

from .looking import a_case, faults, got, judgement, of_shape, only, rendering_by

BOUNDARY = [Fault("distinct", aspect="boundary")]


def _joined(separator: str) -> Shape:
    def shape(blocks: Blocks) -> Reply:
        words = separator.join(b.text for b in blocks)
        return {"messages": [{"role": "user", "content": words}]}

    return shape


def test_texts_without_a_border() -> None:
    case = a_case(said("one"), said("two"))
    found = only(judgement(rendering_by(_joined("")), case).found)
    assert [found.fault] == BOUNDARY
    assert found.severity == "loss"
    assert found.message == 0
    assert found.note == "where one text ends and the next one begins can't be told"
    assert found.pair is not None
    assert found.pair.messages == (said("on"), said("etwo"))


def test_borders_can_be_judged_alone() -> None:
    case = a_case(said("one"), said("two"))
    assert faults(rendering_by(_joined("")), case, wanted=frozenset({"distinct"})) == BOUNDARY


def test_a_result_has_no_slots_any_more() -> None:
    slots = said(["one ", {"argument": "a"}])
    case = a_case(slots, said("two"), arguments={"a": "x"})
    assert faults(rendering_by(_joined("")), case) == BOUNDARY


@pytest.mark.parametrize("separator", ["\n", " ", "; "])
def test_any_border_will_do(separator: str) -> None:
    assert of_shape(_joined(separator), said("one"), said("two")) == []


@pytest.mark.parametrize("shape", [merged_neighbours, one_part_a_message, tagged_roles])
def test_parts_are_borders(shape: Shape) -> None:
    assert of_shape(shape, said("one"), said("two"), said("three")) == []


def test_only_neighbouring_texts_are_tried() -> None:
    assert of_shape(_joined(""), said("one"), said(""), said("two")) == []
    assert of_shape(_joined(""), said("one")) == []


def test_a_border_is_seen_without_another_rendering() -> None:
    asked: list[Case] = []

    def render(case: Case) -> Rendering:
        asked.append(case)
        return rendering_by(_joined(" "))(case)

    many = a_case(*(said(f"text {number}") for number in range(20)))
    assert faults(render, many, wanted=frozenset({"distinct"})) == []
    assert len(asked) == 2


def test_only_the_last_two_texts_touch() -> None:
    def shape(blocks: Blocks) -> Reply:
        *first, one, other = [b.text for b in blocks]
        said_ = [*first, one + other]
        return {"messages": [{"role": "user", "content": words} for words in said_]}

    case = a_case(said("a"), said("b"), said("c"), said("d"))
    assert faults(rendering_by(shape), case, thorough=False) == BOUNDARY


def test_texts_that_touch_and_stand_apart_as_well() -> None:
    def shape(blocks: Blocks) -> Reply:
        apart = "; ".join(b.text for b in blocks)
        words = "".join(b.text for b in blocks)
        return {"messages": [{"role": "user", "content": f"{words} ({apart})"}]}

    assert of_shape(shape, said("a"), said("b"), said("c")) == []


def test_another_fault_of_the_same_text_explains_it() -> None:
    def shape(blocks: Blocks) -> Reply:
        words = "".join(b.text for b in blocks[:1])
        return {"messages": [{"role": "user", "content": words}]}

    assert [f.rule for f in of_shape(shape, said("a"), said("b"))] == ["text.verbatim"]


@pytest.mark.parametrize("texts", [(" one", "two"), ("one", "two ")])
def test_a_change_of_either_text_explains_it(texts: tuple[str, str]) -> None:
    def shape(blocks: Blocks) -> Reply:
        return _joined("")([replace(b, text=b.text.strip()) for b in blocks])

    trimmed = [Fault("text.verbatim", "text", "altered", "trim")]
    assert of_shape(shape, *map(said, texts)) == trimmed
    alone = frozenset({"distinct"})
    assert of_shape(shape, *map(said, texts), wanted=alone) == []


def test_documents_are_not_tried() -> None:
    def shape(blocks: Blocks) -> Reply:
        words = "".join(b.text + (b.uri or "") for b in blocks)
        return {"messages": [{"role": "user", "content": words}]}

    assert of_shape(shape, document("a"), said("b")) == []


def _pair(changes_meaning: bool, value: object, path: str = "/messages/0/content/data") -> Case:
    edit = {
        "kind": "bytes",
        "changes_meaning": changes_meaning,
        "patch": [{"op": "replace", "path": path, "value": value}],
    }
    return a_case(shown(), edit=edit)


def test_the_other_half_of_a_pair() -> None:
    case = _pair(True, "AAAA")
    other = edited(case)
    assert other.messages[0]["content"]["data"] == "AAAA"
    assert other.edit is None
    assert case.messages[0] == shown()


def _of_images(case: Case) -> Rendering:
    return rendering_by(one_part_a_message)(case)


def test_a_pair_that_differs_in_meaning() -> None:
    assert faults(_of_images, _pair(True, shown(number=1)["content"]["data"])) == []


def test_a_pair_that_collides_is_explained_by_another_rule_first() -> None:
    def shape(blocks: Blocks) -> Reply:
        said_ = [{"role": b.role, "content": b.text or "[image]"} for b in blocks]
        return {"messages": said_}

    case = _pair(True, shown(number=1)["content"]["data"])
    assert [f.rule for f in faults(rendering_by(shape), case)] == ["image"]


def test_a_pair_that_collides_unexplained() -> None:
    edit = {
        "kind": "size",
        "changes_meaning": True,
        "patch": [{"op": "add", "path": "/messages/0/content/_meta", "value": {"a": 1}}],
    }
    found = only(judgement(_of_images, a_case(shown(), edit=edit)).found)
    assert found.fault == Fault("distinct", aspect="size")
    assert found.pair is not None
    assert "(size)" in found.note


def test_a_pair_of_one_meaning_that_is_told_apart() -> None:
    declared = asking("a", "b").prompt["arguments"]
    edit = {
        "kind": "declaration",
        "changes_meaning": False,
        "patch": [{"op": "replace", "path": "/prompt/arguments", "value": declared[::-1]}],
    }
    case = replace(asking("a", "b", messages=[said("x")]), edit=edit)

    def render(which: Case) -> Rendering:
        names = " ".join(a["name"] for a in which.prompt["arguments"])
        rendering = rendering_by(one_part_a_message)(which)
        return replace(rendering, requests=(got(),), shown=names)

    def naming(which: Case) -> Rendering:
        first = which.prompt["arguments"][0]["name"]
        said_ = replace(which, messages=(said(f"first {first}"), *which.messages))
        return replace(rendering_by(one_part_a_message)(said_), requests=(got(),))

    assert faults(render, case, "session") == []
    assert {f.rule for f in faults(naming, case, "session")} == {"arguments.order"}
    found = only(judgement(naming, case).found)
    assert found.note == "the order in which arguments are declared changes the rendering"
    assert (found.fault, found.pair) == (Fault("arguments.order"), edited(case))

    def misbinding(which: Case) -> Rendering:
        return replace(naming(which), requests=(got(b=which.arguments["a"]),))

    given = replace(case, arguments={"a": "x"})
    assert {f.rule for f in faults(misbinding, given, "session")} == {"arguments.named"}


def test_a_half_that_is_refused_tells_nothing() -> None:
    def render(case: Case) -> Rendering:
        if case.messages[0]["content"]["data"] == "AAAA":
            return Rendering(error="no")
        return _of_images(case)

    assert faults(render, _pair(True, "AAAA")) == []
    assert faults(render, _pair(False, "AAAA")) == []
    assert faults(_of_images, _pair(False, "AAAA")) == [Fault("arguments.order")]
