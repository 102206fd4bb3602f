"""Judging one case by all rules or by some, and what counts as checked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from tests.fakes.blocks import Blocks, Reply
from tests.fakes.faulty import asking, blob, case, document, link, said, shown
from tests.fakes.shapes_dialects import openai_chat
from tests.fakes.shapes_messages import merged_neighbours, one_part_a_message
from tests.fakes.users import User

from mcp_prompt_fuzz.finding import Fault
from mcp_prompt_fuzz.jsontypes import Json
from mcp_prompt_fuzz.oracle import Found, Judgement, Lens, judge
from mcp_prompt_fuzz.rules import RULES

from .looking import a_case, conditions, faults, judgement, of_shape, rendering_by

FULL = a_case(
    said("hello $1"),
    shown(),
    shown("audio/wav", "assistant"),
    document("words", mimeType="text/plain"),
    blob("application/pdf"),
    link(title="T"),
    said("more", annotations={"audience": ["assistant"]}),
)
FAITHFUL = rendering_by(one_part_a_message)


def _lossy(blocks: Blocks) -> Reply:
    """Drops images, trims texts, makes everyone the user."""
    kept = [replace(b, text=b.text.strip(), role="user") for b in blocks if b.kind != "image"]
    return merged_neighbours(kept)


LOSSY = a_case(said(" a ", "assistant"), shown())


def test_all_rules() -> None:
    assert set(faults(rendering_by(_lossy), LOSSY)) == {
        Fault("text.verbatim", "text", "altered", "trim"),
        Fault("image", "image", "lost"),
        Fault("roles"),
    }


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ({"image"}, ["image"]),
        ({"text.verbatim"}, ["text.verbatim"]),
        ({"roles", "image"}, ["image", "roles"]),
        ({"order"}, []),
        ({"distinct"}, []),
        ({"robust"}, []),
    ],
)
def test_some_rules(wanted: set[str], found: list[str]) -> None:
    seen = judgement(rendering_by(_lossy), LOSSY, wanted=frozenset(wanted))
    assert sorted(f.fault.rule for f in seen.found) == found


@pytest.mark.parametrize(
    ("change", "part", "fault"),
    [
        (lambda t: t.replace("$1", ""), said("costs $1"), Fault("inert", aspect="template")),
        (
            lambda t: t.replace("T&T", "T+T"),
            link(title="T&T"),
            Fault("metadata", "resource_link", "altered", "title"),
        ),
    ],
)
def test_what_is_seen_on_the_case_alone_is_judged_where_it_is_wanted(
    change: Callable[[str], str], part: Json, fault: Fault
) -> None:
    def shape(blocks: Blocks) -> Reply:
        changed = [replace(b, text=change(b.text), title=change(b.title or "")) for b in blocks]
        return one_part_a_message(changed)

    render, case_ = rendering_by(shape), a_case(part)
    assert faults(render, case_, wanted=frozenset({fault.rule})) == [fault]
    assert faults(render, case_, wanted=frozenset({"roles"})) == []


def test_fewer_rules_take_fewer_renderings() -> None:
    everything, one = Lens(FAITHFUL), Lens(FAITHFUL)
    judge(FULL, everything, conditions())
    judge(FULL, one, conditions(wanted=frozenset({"robust"})))
    assert one.renderings <= everything.renderings


def test_what_counts_as_checked() -> None:
    checks = judgement(FAITHFUL, FULL).checks
    for rule in ("image", "audio", "resource.text", "resource.blob", "resource_link"):
        assert checks[rule] == 1, rule
    assert checks["text.verbatim"] == 2
    assert checks["inert"] >= 1
    assert checks["audience"] == 1
    assert checks["robust"] == 1
    for rule in ("order", "roles", "metadata", "isolated"):
        assert checks[rule] >= 1, rule
    assert "provider" not in +checks
    assert not [rule for rule in checks if rule.startswith(("arguments.", "list.", "errors"))]


def test_the_provider_is_checked_where_a_dialect_is_given() -> None:
    assert judgement(rendering_by(openai_chat), FULL).checks["provider"] == 1


def test_how_often_each_rule_was_checked() -> None:
    case = a_case(
        said("a"),
        said("b $1"),
        shown(),
        said("c", "assistant", annotations={"audience": ["user", "assistant"]}),
        said("d", annotations={"audience": ["user"]}),
        said("e"),
        said(""),
        said("f"),
        document("no type"),
        document("words", mimeType="text/plain"),
        link(),
    )
    everything = {
        "robust": 1,
        "isolated": 1,
        "text.verbatim": 6,
        "inert": 1,
        "audience": 1,
        "image": 1,
        "resource.text": 2,
        "resource_link": 1,
        "metadata": 4,
        "roles": 9,
        "order": 8,
        "distinct": 1,
    }
    assert dict(judgement(FAITHFUL, case).checks) == everything

    def without_f(blocks: Blocks) -> Reply:
        return one_part_a_message([b for b in blocks if b.text != "f" and b.uri is None])

    fewer = judgement(rendering_by(lambda b: without_f(b[:2])), case).checks
    assert (fewer["roles"], fewer["order"], fewer["text.verbatim"]) == (2, 1, 6)
    assert judgement(rendering_by(lambda b: ""), case).checks["order"] == 0


@pytest.mark.parametrize(
    ("told", "checked"), [({}, 0), ({"mimeType": "text/plain"}, 1), ({"uri": "x:a"}, 1)]
)
def test_metadata_is_checked_where_a_document_has_some(told: Json, checked: int) -> None:
    part = document("words", **{"uri": "", **told})
    assert judgement(FAITHFUL, a_case(part)).checks["metadata"] == checked


def test_only_what_is_wanted_counts_as_checked() -> None:
    checks = judgement(FAITHFUL, FULL, wanted=frozenset({"image"})).checks
    assert dict(checks) == {"robust": 1, "image": 1}


def test_a_plain_text_checks_little() -> None:
    checks = judgement(FAITHFUL, a_case(said("hello"))).checks
    assert checks["text.verbatim"] == 1
    assert not {"image", "audience", "order", "distinct", "inert", "metadata"} & set(+checks)


def test_an_empty_prompt_checks_nothing_but_robustness() -> None:
    assert set(+judgement(FAITHFUL, a_case()).checks) == {"robust"}


def test_a_server_without_prompts_is_not_judged_further() -> None:
    assert set(+judgement(FAITHFUL, a_case(said("a"), capabilities={})).checks) == {"robust"}


def test_a_session_checks_arguments() -> None:
    render = User(one_part_a_message)().render
    checks = judgement(
        render, asking("a", "b", given={"a": "x"}, messages=[said("m")]), "session"
    ).checks
    for rule in ("arguments.named", "arguments.verbatim", "arguments.omitted", "arguments.order"):
        assert checks[rule] >= 1, rule
    assert checks["arguments.subsets"] >= 1
    plain = judgement(render, case(said("m")), "session").checks
    assert not [rule for rule in +plain if rule.startswith("arguments.")]


def test_the_result_view_fills_slots_first() -> None:
    slots = a_case(said(["about ", {"argument": "a"}]), arguments={"a": "x"})
    assert faults(FAITHFUL, slots) == []

    def trimming(blocks: Blocks) -> Reply:
        return one_part_a_message([replace(b, text=b.text.strip()) for b in blocks])

    unfilled = a_case(said(["about ", {"argument": "a"}]))
    assert faults(rendering_by(trimming), unfilled) == [
        Fault("text.verbatim", "text", "altered", "trim")
    ]


def test_a_fault_is_noted_once() -> None:
    noted = Judgement()
    noted.add(Found(Fault("image", "image", "lost"), "first", 0))
    noted.add(Found(Fault("image", "image", "lost"), "second", 1))
    noted.add(Found(Fault("image", "image", "altered"), "third", 2))
    assert [f.note for f in noted.found] == ["first", "third"]
    assert noted.broken("image")
    assert noted.broken("audio", "image")
    assert not noted.broken("audio")
    assert noted.blames(0)
    assert noted.blames(2)
    assert not noted.blames(1)


@pytest.mark.parametrize(
    ("fault", "harm", "severity"),
    [
        (Fault("inert"), "ran", "unsafe"),
        (Fault("inert"), "read", "unsafe"),
        (Fault("inert"), "", "distortion"),
        (Fault("image", "image", "announced"), "", "notice"),
        (Fault("image", "image", "altered"), "", "distortion"),
        (Fault("text.verbatim", "text", "announced"), "", "loss"),
        (Fault("roles"), "", "loss"),
    ],
)
def test_severity_of_a_fault(fault: Fault, harm: str, severity: str) -> None:
    assert Found(fault, "note", grade=harm).severity == severity


def test_provider_notes_are_findings() -> None:
    def shape(blocks: Blocks) -> Reply:
        url = f"data:image/png;base64,{blocks[0].data}"
        content = [{"type": "image_url", "image_url": url}]
        return {
            "dialect": "openai.chat",
            "body": {"messages": [{"role": blocks[0].role, "content": content}]},
        }

    seen = judgement(rendering_by(shape), a_case(shown())).found
    assert [f.fault for f in seen] == [Fault("provider")]
    assert seen[0].severity == "notice"
    assert seen[0].note == "image_url that is not an object"


def test_every_rule_that_is_found_is_a_rule() -> None:
    assert {f.rule for f in of_shape(_lossy, *FULL.messages)} <= set(RULES)
