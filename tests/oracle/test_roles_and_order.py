"""Who says what, and when."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.fakes import shapes_dialects, shapes_messages, shapes_strings
from tests.fakes.blocks import Blocks, Reply, Shape
from tests.fakes.faulty import document, link, said, shown

from mcp_prompt_fuzz.case import Case
from mcp_prompt_fuzz.finding import Fault
from mcp_prompt_fuzz.jsontypes import Json
from mcp_prompt_fuzz.oracle.order import swapped
from mcp_prompt_fuzz.oracle.roles import flipped
from mcp_prompt_fuzz.rendering import Rendering

from .looking import a_case, judgement, of_shape, only, rendering_by

ROLES, ORDER = [Fault("roles")], [Fault("order")]


def _as(role: str, blocks: Blocks) -> Reply:
    return shapes_messages.one_part_a_message([replace(b, role=role) for b in blocks])


def test_everything_from_the_user() -> None:
    found = only(
        judgement(rendering_by(lambda b: _as("user", b)), a_case(said("a", "assistant"))).found
    )
    assert found.fault == Fault("roles")
    assert (found.severity, found.message) == ("loss", 0)
    assert found.pair is not None
    assert found.pair.messages[0]["role"] == "user"
    assert "assistant" in found.note


def test_the_users_words_in_the_assistants_mouth() -> None:
    found = only(judgement(rendering_by(lambda b: _as("assistant", b)), a_case(said("a"))).found)
    assert found.note == "what the user says stands in an assistant's turn"
    assert (found.message, found.pair) == (0, None)


def test_the_part_that_is_misattributed_is_told() -> None:
    for_the_user = said("a", annotations={"audience": ["user"]})
    case = a_case(for_the_user, said("b"), said("c", "assistant"))
    found = only(judgement(rendering_by(lambda b: _as("user", b)), case).found)
    assert (found.fault, found.message) == (Fault("roles"), 2)


def test_a_lost_part_does_not_hide_a_misattributed_one() -> None:
    def shape(blocks: Blocks) -> Reply:
        return _as("user", [b for b in blocks if b.is_text])

    assert of_shape(shape, shown(), said("c", "assistant")) == [
        Fault("image", "image", "lost"),
        *ROLES,
    ]


def test_swapped_roles_collide_with_nothing_and_are_seen() -> None:
    def shape(blocks: Blocks) -> Reply:
        other = {"user": "assistant", "assistant": "user"}
        return shapes_messages.one_part_a_message([replace(b, role=other[b.role]) for b in blocks])

    assert of_shape(shape, said("a"), said("b", "assistant")) == ROLES


def test_a_string_without_speakers() -> None:
    assert of_shape(lambda b: "\n".join(x.text for x in b), said("a")) == ROLES


@pytest.mark.parametrize(
    "shape",
    [
        shapes_strings.tagged_roles,
        shapes_strings.questions_and_answers,
        shapes_messages.speakers_named_in_one_turn,
        shapes_messages.whole_prompt_as_system_message,
        shapes_messages.as_tool_result,
        shapes_messages.assistant_media_in_user_turns,
        shapes_dialects.gemini_contents,
    ],
)
def test_a_speaker_that_is_told_in_any_way(shape: Shape) -> None:
    assert of_shape(shape, said("a"), said("b", "assistant"), shown(role="assistant")) == []


def test_a_system_message_that_stands_for_the_assistant_alone() -> None:
    def shape(blocks: Blocks) -> Reply:
        names = {"user": "user", "assistant": "system"}
        return shapes_messages.one_part_a_message([replace(b, role=names[b.role]) for b in blocks])

    assert of_shape(shape, said("a"), said("b", "assistant")) == []


def test_one_doubtful_message_is_flipped_unless_thorough() -> None:
    case = a_case(*[said("a", "assistant")] * 3)
    render = rendering_by(lambda b: _as("user", b))
    assert [f.fault for f in judgement(render, case, thorough=False).found] == ROLES


@pytest.mark.parametrize(("thorough", "flips"), [(True, 20), (False, 1)])
def test_how_many_doubtful_messages_are_flipped(thorough: bool, flips: int) -> None:
    asked: list[Case] = []

    def render(case: Case) -> Rendering:
        asked.append(case)
        return rendering_by(shapes_strings.tagged_roles)(case)

    many = a_case(*(said(f"text {number}") for number in range(20)))
    judged = judgement(render, many, thorough=thorough, wanted=frozenset({"roles"}))
    assert judged.found == []
    assert len(asked) == 2 + flips


def test_flipping() -> None:
    case = a_case(said("a"), said("b", "assistant"))
    assert [m["role"] for m in flipped(case, 0).messages] == ["assistant", "assistant"]
    assert [m["role"] for m in flipped(case, 1).messages] == ["user", "user"]


def test_reversed_messages() -> None:
    found = only(
        judgement(
            rendering_by(lambda b: shapes_messages.one_part_a_message(b[::-1])),
            a_case(said("a"), said("b")),
        ).found
    )
    assert found.fault == Fault("order")
    assert (found.severity, found.message) == ("distortion", 1)
    assert found.note == "what was said later stands before what was said earlier"


@pytest.mark.parametrize("other", [said("b"), document("b"), link()])
def test_texts_out_of_order_in_one_turn(other: Json) -> None:
    def shape(blocks: Blocks) -> Reply:
        return shapes_strings.tagged_roles(blocks[::-1])

    assert of_shape(shape, said("a"), other) == ORDER


def test_media_out_of_order_in_one_turn() -> None:
    def shape(blocks: Blocks) -> Reply:
        return shapes_messages.merged_neighbours(blocks[::-1])

    assert of_shape(shape, shown(), shown(number=1)) == ORDER


def _media_last(blocks: Blocks) -> Reply:
    return shapes_messages.merged_neighbours(sorted(blocks, key=lambda b: not b.is_text))


def test_a_medium_moved_without_a_mark() -> None:
    assert of_shape(_media_last, shown(), said("a")) == ORDER
    assert of_shape(_media_last, said("a"), shown()) == []


def test_a_medium_moved_with_a_mark_is_no_fault() -> None:
    for medium in (shown(), document("words")):
        assert of_shape(shapes_messages.attachments_last, said("a"), medium, said("b")) == []


def test_a_medium_moved_with_a_mark_does_not_hide_texts_out_of_order() -> None:
    def shape(blocks: Blocks) -> Reply:
        return shapes_messages.attachments_last(blocks[:2] + blocks[:1:-1])

    later = said("b", "assistant"), said("c", "assistant")
    assert of_shape(shape, shown(), said("a"), *later) == ORDER
    assert of_shape(shapes_messages.attachments_last, shown(), said("a"), *later) == []


def test_a_medium_moved_to_another_turn() -> None:
    def shape(blocks: Blocks) -> Reply:
        return shapes_messages.one_part_a_message(sorted(blocks, key=lambda b: not b.is_text))

    assert of_shape(shape, shown(), said("a"), said("b", "assistant")) == ORDER


def test_swapping() -> None:
    case = a_case(said("a"), said("b"), said("c"))
    assert swapped(case, 0, 2).messages == (said("c"), said("b"), said("a"))
