"""Prompt text is neither run, nor expanded, nor read from."""

from __future__ import annotations

import pytest
from tests.fakes.blocks import Blocks, Reply, Shape, on_texts
from tests.fakes.faulty import asking, document, said
from tests.fakes.shapes_messages import merged_neighbours
from tests.fakes.shapes_strings import tagged_roles
from tests.fakes.users import User

from hypothesis_mcp.canaries import CANARIES, MARKER_FILE
from mcp_prompt_fuzz.case import Case
from mcp_prompt_fuzz.finding import Fault
from mcp_prompt_fuzz.oracle.inert import canaries_in
from mcp_prompt_fuzz.rendering import Rendering

from .looking import a_case, faults, judgement, of_shape, only, rendering_by

CANARY = {canary.name: canary for canary in CANARIES}


def _replacing(old: str, new: str) -> Shape:
    def shape(blocks: Blocks) -> Reply:
        return tagged_roles(
            on_texts(lambda t: t.replace(old, new), "text", "resource.text")(blocks)
        )

    return shape


@pytest.mark.parametrize("name", ["shell.bang", "shell.dollar", "shell.backtick"])
@pytest.mark.parametrize("around", ["{}", "see {} here"])
def test_a_command_that_is_run_is_unsafe(name: str, around: str) -> None:
    canary = CANARY[name]
    shape = _replacing(canary.text, canary.evidence)
    case = a_case(said("hello"), said(around.format(canary.text)))
    found = only(judgement(rendering_by(shape), case).found)
    assert found.fault == Fault("inert", aspect="shell")
    assert (found.severity, found.grade) == ("unsafe", "ran")
    assert found.note == "prompt text is run by the client"
    assert found.message == 1


def test_a_command_that_is_only_shown_is_no_fault() -> None:
    text = CANARY["shell.bang"].text
    assert of_shape(tagged_roles, said(text), document(text)) == []


def test_evidence_in_the_text_itself_proves_nothing() -> None:
    canary = CANARY["shell.bang"]
    assert of_shape(tagged_roles, said(f"{canary.text} gives {canary.evidence}")) == []


def test_a_file_that_is_read_is_unsafe() -> None:
    canary = CANARY["mention.at"]
    shape = _replacing(canary.text, f"{canary.text}\n{canary.evidence}")
    found = only(judgement(rendering_by(shape), a_case(said(f"see {canary.text}"))).found)
    assert (found.fault, found.severity) == (Fault("inert", aspect="mention"), "unsafe")
    assert found.note == "prompt text is taken for a file to read"


def test_a_marker_file_is_evidence_though_the_text_arrives() -> None:
    text = CANARY["shell.marker"].text

    def render(case: Case) -> Rendering:
        rendering = rendering_by(merged_neighbours)(case)
        ran = any(m["content"].get("text") == text for m in case.messages)
        return Rendering(rendering.turns, ran=(MARKER_FILE,) if ran else ())

    assert faults(render, a_case(said("hello"), said(text))) == [Fault("inert", aspect="shell")]
    assert faults(render, a_case(said("hello"))) == []


@pytest.mark.parametrize(
    ("old", "new", "aspect"),
    [
        ("$1", "", "template"),
        ("{{topic}}", "weather", "template"),
        ("${topic}", "", "template"),
        ("%20", " ", "escape"),
        ("\\n", "\n", "escape"),
        ("&amp;", "&", "escape"),
        ("/help", "Commands: quit", "slash"),
    ],
)
@pytest.mark.parametrize("around", ["see {} here", "a {}"])
def test_what_is_expanded_is_a_distortion(old: str, new: str, aspect: str, around: str) -> None:
    case = a_case(said(around.format(old)))
    found = only(judgement(rendering_by(_replacing(old, new)), case).found)
    assert found.fault == Fault("inert", aspect=aspect)
    assert (found.severity, found.grade) == ("distortion", "")
    assert found.note == f"{old!r} in prompt text is expanded, as if the user had typed it"
    text = around.format(old)
    assert (found.sent, found.seen) == (text, text.replace(old, new))


@pytest.mark.parametrize("name", ["template.mustache_sum", "template.erb", "template.hash_brace"])
def test_a_sum_that_is_worked_out_does_no_harm(name: str) -> None:
    canary = CANARY[name]
    shape = _replacing(canary.text, canary.evidence)
    found = only(judgement(rendering_by(shape), a_case(said(f"see {canary.text}"))).found)
    assert (found.fault, found.severity) == (Fault("inert", aspect="template"), "distortion")


def test_a_document_is_data_as_well() -> None:
    assert of_shape(_replacing("$1", "x"), document("pay $1 now")) == [
        Fault("inert", aspect="template")
    ]


def test_a_text_that_is_changed_without_the_construct_is_the_texts_fault() -> None:
    def shape(blocks: Blocks) -> Reply:
        return tagged_roles(on_texts(lambda t: t.replace("$", "S"))(blocks))

    faults_ = of_shape(shape, said("costs $1 now"))
    assert [f.rule for f in faults_] == ["text.verbatim"]


def test_a_slot_holds_no_construct() -> None:
    case = a_case(said(["pay $1 to ", {"argument": "a"}]), arguments={"a": "x"})
    assert faults(rendering_by(_replacing("$1", "")), case) == [Fault("inert", aspect="template")]


def test_the_longest_canary_comes_first() -> None:
    found = [canary.text for canary in canaries_in("{{{topic}}} and $1")]
    assert found.index("{{{topic}}}") < found.index("{{topic}}") < found.index("{topic}")
    assert "$1" in found
    assert list(canaries_in("nothing live")) == []


def test_a_text_with_slots_is_disarmed_between_them() -> None:
    render = User(_replacing("$1", ""))().render
    slots = said(["pay $1 to ", {"argument": "a"}, ", not $1"])
    case = asking("a", given={"a": "x"}, messages=[slots])
    assert faults(render, case, "session") == [Fault("inert", aspect="template")]


def test_of_several_constructs_the_one_that_is_gone_is_told() -> None:
    case = a_case(said("{{topic}} costs $1 or %20"))
    found = only(judgement(rendering_by(_replacing("$1", "")), case).found)
    assert found.note.startswith("'$1' in prompt text is expanded")


def test_a_construct_that_arrives_is_not_blamed() -> None:
    def shape(blocks: Blocks) -> Reply:
        return tagged_roles(on_texts(lambda t: f"{t}!" if "$1" in t else t)(blocks))

    assert of_shape(shape, said("costs $1")) == [Fault("text.verbatim", "text", "altered", "other")]
