"""What became of each part, on the twin: lost, announced, altered, refused, or there."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import replace

import pytest
from tests.fakes.blocks import Block, Blocks, Reply, Shape, bytes_of, of_kind
from tests.fakes.faulty import blob, document, link, said, shown
from tests.fakes.renderers import Refused
from tests.fakes.shapes_messages import merged_neighbours, one_part_a_message
from tests.fakes.shapes_strings import tagged_roles

from mcp_prompt_fuzz.finding import Fault
from mcp_prompt_fuzz.jsontypes import Json
from mcp_prompt_fuzz.oracle.presence import blanked

from .looking import a_case, judgement, of_shape, only, rendering_by

PARTS: dict[str, Json] = {
    "image": shown(),
    "audio": shown("audio/wav"),
    "resource.text": document("words"),
    "resource.blob": blob("application/pdf"),
    "resource_link": link(),
}


@pytest.mark.parametrize("kind", PARTS)
@pytest.mark.parametrize("role", ["user", "assistant"])
def test_a_dropped_part_is_lost(kind: str, role: str) -> None:
    def shape(blocks: Blocks) -> Reply:
        return one_part_a_message([b for b in blocks if b.kind != kind])

    assert of_shape(shape, said("hello"), {**PARTS[kind], "role": role}) == [
        Fault(kind, kind, "lost")
    ]


@pytest.mark.parametrize("kind", PARTS)
def test_a_blank_in_its_place_is_lost(kind: str) -> None:
    def shape(blocks: Blocks) -> Reply:
        return merged_neighbours([b if b.is_text else Block(b.role, "text") for b in blocks])

    assert Fault(kind, kind, "lost") in of_shape(shape, said("hello"), PARTS[kind])


@pytest.mark.parametrize("kind", PARTS)
def test_a_placeholder_announces(kind: str) -> None:
    def shape(blocks: Blocks) -> Reply:
        return tagged_roles(
            [b if b.is_text else Block(b.role, "text", text=f"[{b.kind}]") for b in blocks]
        )

    found = only(judgement(rendering_by(shape), a_case(said("hi"), PARTS[kind])).found)
    assert found.fault == Fault(kind, kind, "announced")
    assert found.severity == "notice"
    assert found.message == 1
    assert found.note == (
        f"the {kind} part's content is gone; only that something was there can be told"
    )


def test_an_announced_text_is_a_loss() -> None:
    def shape(blocks: Blocks) -> Reply:
        return tagged_roles([replace(b, text="(a text)") if b.text else b for b in blocks])

    found = only(judgement(rendering_by(shape), a_case(said("hello"))).found)
    assert found.fault == Fault("text.verbatim", "text", "announced")
    assert found.severity == "loss"


def test_cut_bytes_are_altered() -> None:
    def shape(blocks: Blocks) -> Reply:
        return one_part_a_message([replace(b, data=b.data[:-4]) for b in blocks])

    assert of_shape(shape, shown()) == [Fault("image", "image", "altered", "truncate")]


def test_bytes_cut_inside_a_string_are_altered() -> None:
    def shape(blocks: Blocks) -> Reply:
        return tagged_roles([replace(b, data=b.data[:-4]) for b in blocks])

    assert Fault("image", "image", "altered", "truncate") in of_shape(shape, shown())


@pytest.mark.parametrize("errors", ["replace", "latin-1"])
def test_bytes_read_as_text_are_altered(errors: str) -> None:
    def read(block: Block) -> str:
        data = bytes_of(block)
        return data.decode("latin-1") if errors == "latin-1" else data.decode("utf-8", "replace")

    def shape(blocks: Blocks) -> Reply:
        return one_part_a_message([Block(b.role, "text", text=read(b)) for b in blocks])

    assert Fault("image", "image", "altered", "decoded") in of_shape(shape, shown())


def test_a_text_in_capitals_is_altered() -> None:
    def shape(blocks: Blocks) -> Reply:
        return one_part_a_message([replace(b, text=b.text.upper()) for b in blocks])

    assert of_shape(shape, said("hello")) == [Fault("text.verbatim", "text", "altered", "case")]


def test_a_text_cut_after_eight_characters_is_altered() -> None:
    def shape(blocks: Blocks) -> Reply:
        return one_part_a_message([replace(b, text=b.text[:8]) for b in blocks])

    assert of_shape(shape, said("hello")) == [Fault("text.verbatim", "text", "altered", "truncate")]


def test_a_uri_without_its_scheme_is_altered() -> None:
    def shape(blocks: Blocks) -> Reply:
        return one_part_a_message(
            [replace(b, uri=(b.uri or "").removeprefix("file:///")) for b in blocks]
        )

    assert Fault("resource_link", "resource_link", "altered", "other") in of_shape(shape, link())


def test_a_fault_of_every_kind_is_told_once() -> None:
    found = judgement(
        rendering_by(lambda blocks: one_part_a_message(blocks[:1])), a_case(said("a"), shown())
    ).found
    assert [f.fault for f in found] == [Fault("text.verbatim", "any", "lost")]
    assert found[0].kinds == ("image",)
    assert found[0].note == "a part in this place is gone, whatever its kind"


def test_a_part_of_another_kind_is_tried_with_the_same_annotations() -> None:
    def shape(blocks: Blocks) -> Reply:
        return one_part_a_message([b for b in blocks if b.annotations != {"priority": 1}])

    for part in (said("b", annotations={"priority": 1}), shown(annotations={"priority": 1})):
        assert of_shape(shape, said("a"), part) == [Fault("text.verbatim", "any", "lost")]


def test_a_fault_of_texts_alone_is_not_of_every_kind() -> None:
    def shape(blocks: Blocks) -> Reply:
        return one_part_a_message([b for b in blocks if b.role == "user" or not b.is_text])

    assert of_shape(shape, said("a"), said("b", "assistant")) == [
        Fault("text.verbatim", "text", "lost")
    ]


def test_what_is_for_the_user_alone_may_be_withheld() -> None:
    def shape(blocks: Blocks) -> Reply:
        return one_part_a_message([b for b in blocks if b.audience != ["user"]])

    for part in (said("a"), shown(), document("a")):
        part["content"]["annotations"] = {"audience": ["user"]}
        assert of_shape(shape, said("hello"), part) == []


@pytest.mark.parametrize("audience", [["assistant"], ["user", "assistant"]])
@pytest.mark.parametrize("part", [said("a"), shown(), link()])
def test_what_is_for_the_assistant_may_not(part: Json, audience: list[str]) -> None:
    annotated = {**part, "content": {**part["content"], "annotations": {"audience": audience}}}

    def shape(blocks: Blocks) -> Reply:
        return one_part_a_message([b for b in blocks if b.audience is None])

    assert of_shape(shape, said("hello"), annotated) == [Fault("audience")]


def test_a_part_that_is_lost_with_or_without_an_audience_is_lost() -> None:
    part = shown(annotations={"audience": ["assistant"]})

    def shape(blocks: Blocks) -> Reply:
        return one_part_a_message([b for b in blocks if not of_kind("image")(b)])

    assert of_shape(shape, said("hello"), part) == [Fault("image", "image", "lost")]


def test_empty_content_is_never_judged() -> None:
    empty = {"role": "user", "content": {"type": "image", "data": "", "mimeType": "image/png"}}

    def shape(blocks: Blocks) -> Reply:
        return one_part_a_message([b for b in blocks if b.text or b.data])

    assert of_shape(shape, said(""), empty, said("hello")) == []


def _texts_or(told: Callable[[Block], str | None]) -> Shape:
    """Texts as they are, empty ones marked; of the rest what `told` says, None where nothing."""

    def shape(blocks: Blocks) -> Reply:
        words = [(b, b.text or "(empty)") if b.is_text else (b, told(b)) for b in blocks]
        return one_part_a_message([Block(b.role, "text", text=w) for b, w in words if w])

    return shape


def test_a_part_is_lost_if_none_at_all_would_leave_the_same() -> None:
    assert of_shape(_texts_or(lambda b: None), said("a"), shown()) == [
        Fault("image", "image", "lost")
    ]


def test_lost_and_announced_parts_are_told_apart() -> None:
    def told(block: Block) -> str:
        return "[an image]" if block.kind == "image" else "(empty)"

    faults = of_shape(_texts_or(told), shown("audio/wav"), shown())
    assert faults == [Fault("audio", "audio", "lost"), Fault("image", "image", "announced")]


@pytest.mark.parametrize(
    "part",
    [
        shown(),
        shown("image/jpeg", annotations={}),
        shown("audio/mpeg"),
        shown("audio/wav"),
        blob(),
        blob("application/pdf"),
        blob("application/zip", "assistant"),
        blob("application/json"),
    ],
)
def test_a_placeholder_may_tell_type_and_length(part: Json) -> None:
    def told(block: Block) -> str:
        return f"[{block.uri} {block.media_type}, {len(block.data)}]"

    found = of_shape(_texts_or(told), part)
    assert [f.level for f in found if f.rule in PARTS] == ["announced"]


@pytest.mark.parametrize("kind", PARTS)
def test_what_depends_on_the_content_is_altered(kind: str) -> None:
    def told(block: Block) -> str:
        return hashlib.sha256((block.data or block.text or str(block.uri)).encode()).hexdigest()

    assert Fault(kind, kind, "altered", "other") in of_shape(_texts_or(told), PARTS[kind])


def test_a_text_that_is_turned_round_is_altered() -> None:
    def shape(blocks: Blocks) -> Reply:
        return one_part_a_message([replace(b, text=b.text[::-1]) for b in blocks])

    assert of_shape(shape, said("hello")) == [Fault("text.verbatim", "text", "altered", "other")]


@pytest.mark.parametrize(("length", "aspect"), [(3, "other"), (4, "truncate"), (9, "truncate")])
def test_where_a_text_may_be_cut(length: int, aspect: str) -> None:
    def shape(blocks: Blocks) -> Reply:
        told = [(b, hashlib.sha256(b.text.encode()).hexdigest()) for b in blocks]
        return one_part_a_message([replace(b, text=f"{b.text[:length]} {t}") for b, t in told])

    assert of_shape(shape, said("hello")) == [Fault("text.verbatim", "text", "altered", aspect)]


@pytest.mark.parametrize(("length", "aspect"), [(11, "other"), (12, "truncate"), (-1, "truncate")])
def test_where_base64_may_be_cut(length: int, aspect: str) -> None:
    def told(block: Block) -> str:
        return f"{hashlib.sha256(block.data.encode()).hexdigest()} {block.data[:length]}"

    found = of_shape(_texts_or(told), shown("audio/wav"))
    assert Fault("audio", "audio", "altered", aspect) in found


def test_withholding_is_tried_with_all_other_annotations() -> None:
    audience = {"audience": ["assistant"], "priority": 1}

    def shape(blocks: Blocks) -> Reply:
        return one_part_a_message(
            [b for b in blocks if b.is_text or dict(b.annotations or {}) == {"priority": 1}]
        )

    part = shown(annotations=audience)
    assert of_shape(shape, said("hello"), part) == [Fault("audience")]


def test_what_is_refused_without_an_audience_is_not_withheld() -> None:
    def shape(blocks: Blocks) -> Reply:
        if any(b.audience is None and not b.is_text for b in blocks):
            raise Refused("to whom?")
        return one_part_a_message([b for b in blocks if b.is_text])

    part = shown(annotations={"audience": ["assistant"]})
    assert of_shape(shape, said("hello"), part) == [Fault("image", "image", "lost")]


def test_a_blank_is_an_empty_text() -> None:
    case = a_case(shown(role="assistant"), said("a"))
    assert blanked(case, 0).messages == (said("", "assistant"), said("a"))


def test_a_text_is_lost_for_being_one_where_a_real_image_arrives_in_its_place() -> None:
    def shape(blocks: Blocks) -> Reply:
        is_png = [b.media_type == "image/png" and b"PNG" in bytes_of(b)[:8] for b in blocks]
        return one_part_a_message([b for b, kept in zip(blocks, is_png, strict=True) if kept])

    assert of_shape(shape, said("a")) == [Fault("text.verbatim", "text", "lost")]
