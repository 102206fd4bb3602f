"""Errors that a part explains or does not, and what one prompt leaves in the next."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from tests.fakes.blocks import Block, Blocks, Reply, Shape
from tests.fakes.faults_of_programs import Remembering
from tests.fakes.faulty import document, said, shown
from tests.fakes.renderers import Broke, Refused
from tests.fakes.shapes_messages import merged_neighbours, with_volatile_system_message
from tests.fakes.shapes_strings import tagged_roles

from mcp_prompt_fuzz.finding import Fault
from mcp_prompt_fuzz.oracle import Lens, judge
from mcp_prompt_fuzz.oracle.isolation import survey, varies
from mcp_prompt_fuzz.oracle.twin import plain_twin
from mcp_prompt_fuzz.rendering import Rendering

from .looking import a_case, conditions, faults, judgement, of_shape, only, rendering_by


def _refusing(wanted: Callable[[Block], bool]) -> Shape:
    def shape(blocks: Blocks) -> Reply:
        if any(map(wanted, blocks)):
            raise Refused("not that")
        return tagged_roles(blocks)

    return shape


def test_the_guilty_part_is_refused_and_the_rest_is_judged() -> None:
    def shape(blocks: Blocks) -> Reply:
        reply = _refusing(lambda b: b.kind == "audio")(blocks)
        return reply.replace("b", "") if isinstance(reply, str) else reply

    case = a_case(said("a"), shown("audio/wav"), said("bounds"))
    found = judgement(rendering_by(shape), case).found
    assert found[0].fault == Fault("audio", "audio", "refused")
    assert found[0].severity == "loss"
    assert found[0].message == 1
    assert found[0].note == "a audio part makes the renderer refuse the whole prompt"
    assert "text.verbatim" in [f.fault.rule for f in found]


def test_several_guilty_parts() -> None:
    shape = _refusing(lambda b: b.kind in ("audio", "image"))
    assert of_shape(shape, shown("audio/wav"), said("a"), shown()) == [
        Fault("audio", "audio", "refused"),
        Fault("image", "image", "refused"),
    ]


def test_parts_that_are_refused_only_together() -> None:
    def shape(blocks: Blocks) -> Reply:
        if len([b for b in blocks if b.kind == "image"]) > 1:
            raise Refused("one image, please")
        return tagged_roles(blocks)

    assert of_shape(shape, shown(), shown(number=1)) == [Fault("image", "image", "refused")]


def test_of_parts_that_are_refused_only_together_one_is_blamed() -> None:
    def shape(blocks: Blocks) -> Reply:
        if len([b for b in blocks if b.is_bytes]) > 1:
            raise Refused("one medium, please")
        return tagged_roles(blocks)

    assert of_shape(shape, said("a"), shown(), shown("audio/wav")) == [
        Fault("image", "image", "refused")
    ]


def test_a_renderer_of_the_users_words_alone_refuses_the_others() -> None:
    shape = _refusing(lambda b: (b.role, b.kind) != ("user", "text") or not b.text)
    assert of_shape(shape, shown()) == [Fault("image", "image", "refused")]


def test_what_is_left_is_not_judged_where_it_is_refused_as_well() -> None:
    def shape(blocks: Blocks) -> Reply:
        if "a" in (words := [b.text for b in blocks]) and "b" in words:
            raise Refused("not both")
        _refusing(lambda b: b.kind == "audio")(blocks)
        return "\n".join(words)  # nobody can tell who speaks

    refused, unsigned = Fault("audio", "audio", "refused"), Fault("roles")
    sound = shown("audio/wav")
    assert of_shape(shape, said("a"), said("b"), sound) == [refused]
    assert of_shape(shape, said("a"), said("c"), sound) == [refused, unsigned]


def test_an_error_that_no_part_explains() -> None:
    def shape(blocks: Blocks) -> Reply:
        raise Refused("TypeError: unexpected")

    found = only(judgement(rendering_by(shape), a_case(said("a"), shown())).found)
    assert found.fault == Fault("robust", aspect="error")
    assert found.note == "an error that no part explains: TypeError: unexpected"


def test_an_empty_part_explains_an_error() -> None:
    empty = {"role": "user", "content": {"type": "audio", "data": "", "mimeType": "audio/wav"}}
    assert of_shape(_refusing(lambda b: b.kind == "audio"), said("a"), empty) == []


def test_no_messages_may_be_refused() -> None:
    def shape(blocks: Blocks) -> Reply:
        if not blocks:
            raise Refused("nothing to send")
        return tagged_roles(blocks)

    assert of_shape(shape) == []


@pytest.mark.parametrize("kind", ["exit", "hang", "garbage", "flood", "protocol", "exception"])
def test_a_program_that_breaks(kind: str) -> None:
    def shape(blocks: Blocks) -> Reply:
        raise Broke(kind, "why")  # type: ignore[arg-type]

    found = only(judgement(rendering_by(shape), a_case(said("a"))).found)
    assert found.fault == Fault("robust", aspect=kind)
    assert found.note == f"{kind}: why"
    assert found.severity == "loss"


def test_a_program_that_breaks_on_the_twin_alone() -> None:
    def shape(blocks: Blocks) -> Reply:
        if any(b.text.startswith("vq") for b in blocks):
            raise Broke("exit", "why")
        return tagged_roles(blocks)

    found = only(judgement(rendering_by(shape), a_case(said("a"))).found)
    assert found.fault == Fault("robust", aspect="exit")
    assert found.note == "exit: why"


def test_a_twin_that_is_refused_tells_nothing() -> None:
    def shape(blocks: Blocks) -> Reply:
        if any(b.text.startswith("vq") for b in blocks):
            raise Refused("strange words")
        return tagged_roles(blocks)

    assert of_shape(shape, said("a")) == []


def test_what_is_not_valid_must_only_not_break() -> None:
    bad = {"role": "user", "content": {"type": "image", "data": "!!!", "mimeType": "image/png"}}
    loose = a_case(said("a"), bad, strict=False)
    assert faults(rendering_by(lambda b: ""), loose) == []

    def shape(blocks: Blocks) -> Reply:
        raise Broke("exit", "why")

    assert faults(rendering_by(shape), loose) == [Fault("robust", aspect="exit")]


def _keeping() -> Remembering:
    return Remembering(merged_neighbours, lambda last, blocks: last + blocks)


def test_the_survey_finds_what_is_left_behind() -> None:
    lens = Lens(_keeping()().render)
    found = survey(lens, [a_case(said("a"))], conditions())
    assert found is not None
    assert found.fault == Fault("isolated")
    assert found.severity == "distortion"
    assert found.note == ("content of an earlier invocation stands in the rendering of a later one")
    assert found.case is not None
    (earlier,) = found.case.before
    assert found.rendering is not None
    leaked, own = (part.text for turn in found.rendering.turns for part in turn.parts)
    assert leaked == earlier.messages[0]["content"]["text"]
    assert own == found.case.messages[0]["content"]["text"]


def test_the_survey_finds_nothing_where_nothing_is_left() -> None:
    for shape in (merged_neighbours, tagged_roles, with_volatile_system_message):
        assert survey(Lens(rendering_by(shape)), [a_case(said("a"))], conditions()) is None


def test_the_survey_is_not_made_where_nobody_asks() -> None:
    lens = Lens(_keeping()().render)
    asked = conditions(wanted=frozenset({"image"}))
    assert survey(lens, [a_case(said("a"))], asked) is None
    assert lens.renderings == 0
    asked = conditions(wanted=frozenset({"isolated"}))
    assert survey(lens, [a_case(said("a"))], asked) is not None


def test_a_case_with_a_history() -> None:
    earlier = a_case(said("b"))
    case = a_case(said("a"), before=(earlier,))
    assert faults(_keeping()().render, case, wanted=frozenset({"isolated"})) == [Fault("isolated")]
    assert faults(rendering_by(merged_neighbours), case) == []


def test_a_history_has_no_history() -> None:
    earlier = a_case(said("b"), before=(a_case(said("c")),))
    case = a_case(said("a"), before=(earlier,))
    asked = frozenset({"isolated"})
    found = only(judgement(_keeping()().render, case, wanted=asked).found)
    assert found.case is not None
    assert [each.before for each in found.case.before] == [()]


def test_an_image_that_is_left_behind() -> None:
    keeping = Remembering(
        merged_neighbours, lambda last, blocks: [b for b in last if b.kind == "image"] + blocks
    )
    case = a_case(said("a"), before=(a_case(shown()),))
    assert faults(keeping().render, case, wanted=frozenset({"isolated"})) == [Fault("isolated")]


def test_what_is_left_behind_without_a_history_is_seen_by_its_tokens() -> None:
    lens = Lens(_keeping()().render)
    lens.look(plain_twin(a_case(said("b"), said("c"))).case)
    found = only(judge(a_case(said("a")), lens, conditions()).found)
    assert found.fault == Fault("isolated")
    assert found.case is not None
    assert len(found.case.before) == 1


def test_where_no_token_stands_that_does_not_belong_no_history_is_tried() -> None:
    lens = Lens(rendering_by(tagged_roles))
    asked = conditions(wanted=frozenset({"isolated"}))
    assert judge(a_case(said("a"), said("vqbbbbbcxz")), lens, asked).found == []
    assert lens.renderings == 2  # the case and its twin


def test_a_text_that_quotes_a_token_is_no_leak() -> None:
    assert of_shape(merged_neighbours, said("vqbbbbbcxz"), document("vqcccccbxz")) == []


def test_what_varies_by_itself() -> None:
    case = a_case(said("a"))
    assert varies(Lens(rendering_by(with_volatile_system_message)), case)
    assert not varies(Lens(rendering_by(tagged_roles)), case)


def test_a_volatile_renderer_is_judged_with_its_twin_rendered_twice() -> None:
    render = rendering_by(with_volatile_system_message)
    lens = Lens(render)
    case = a_case(said("a"), shown(), said("b", "assistant"))
    assert judge(case, lens, conditions(volatile=True)).found == []

    def trimming(blocks: Blocks) -> Reply:
        return with_volatile_system_message([replace(b, text=b.text.strip()) for b in blocks])

    assert faults(rendering_by(trimming), a_case(said(" a ")), volatile=True) == [
        Fault("text.verbatim", "text", "altered", "trim")
    ]


def test_an_unsupported_result_is_no_rendering() -> None:
    assert faults(lambda case: Rendering(unsupported="no"), a_case(said("a"))) == []
