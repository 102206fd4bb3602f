"""What each public strategy draws, as its users see it."""

from typing import Any

import jsonpatch
import pytest
from hypothesis import HealthCheck, assume, find, given, settings
from hypothesis.errors import InvalidArgument

import hypothesis_mcp
from hypothesis_mcp import (
    REVISIONS,
    cases,
    content_blocks,
    edits,
    get_prompt_results,
    listings,
    prompt_arguments,
    prompt_messages,
    prompts,
)
from hypothesis_mcp._edits import EDIT_KINDS
from hypothesis_mcp.names import PLAIN_ARGUMENTS, PLAIN_PROMPTS
from hypothesis_mcp.revisions import KINDS, kinds_of, supports

few = settings(
    max_examples=100, deadline=None, database=None, suppress_health_check=list(HealthCheck)
)


def kind_of(block: Any) -> str:
    if block["type"] != "resource":
        return str(block["type"])
    return "resource.blob" if "blob" in block["resource"] else "resource.text"


def test_every_public_name_is_there_and_documented() -> None:
    for name in hypothesis_mcp.__all__:
        value = getattr(hypothesis_mcp, name)
        assert not callable(value) or value.__doc__


def test_a_case_shrinks_to_one_short_text_from_the_user() -> None:
    assert find(cases(), lambda case: True) == {
        "format": "mcp-prompt-case/1",
        "title": "text",
        "revision": "2026-07-28",
        "prompt": {"name": "p"},
        "messages": [{"role": "user", "content": {"type": "text", "text": "a"}}],
    }


@pytest.mark.parametrize("kind", KINDS)
def test_only_the_kinds_asked_for_are_drawn(kind: str) -> None:
    @few
    @given(cases(kinds=[kind]))
    def check(case: Any) -> None:
        assert {kind_of(message["content"]) for message in case["messages"]} <= {kind}

    check()


@pytest.mark.parametrize("revision", REVISIONS)
def test_a_revision_has_its_own_kinds_alone(revision: str) -> None:
    @few
    @given(content_blocks(revision))
    def check(block: Any) -> None:
        assert kind_of(block) in kinds_of(revision)
        assert "_meta" not in block or supports(revision, "_meta")

    check()


@given(cases(min_messages=2, max_messages=3, max_arguments=2, listings=False, names="plain"))
@few
def test_bounds_and_switches_hold(case: Any) -> None:
    assert 2 <= len(case["messages"]) <= 3
    arguments = case["prompt"].get("arguments", [])
    assert [argument["name"] for argument in arguments] == list(PLAIN_ARGUMENTS[: len(arguments)])
    assert case["prompt"]["name"] in PLAIN_PROMPTS
    assert not {"pages", "relist", "beside"} & set(case)


@given(cases())
@few
def test_values_are_given_for_declared_arguments_alone(case: Any) -> None:
    names = [argument["name"] for argument in case["prompt"].get("arguments", [])]
    assert set(case.get("arguments", {})) <= set(names)
    assert len(set(names)) == len(names)


@given(cases(strict=False))
@few
def test_a_case_that_breaks_the_prose_says_so(case: Any) -> None:
    def obeys(block: Any) -> bool:
        inner = block.get("resource", block)
        data = inner.get("data", inner.get("blob", ""))
        typed = kind_of(block) in {"text", "resource_link"} or inner.get("mimeType")
        return typed and "!" not in data and ":" in inner.get("uri", ":")

    if not all(obeys(message["content"]) for message in case["messages"]):
        assert case["strict"] is False


def test_what_is_drawn_may_be_changed_without_consequences() -> None:
    strategy = cases()

    @few
    @given(strategy)
    def spoil(case: Any) -> None:
        for message in case["messages"]:
            block = message["content"]
            assert "spoiled" not in block.get("_meta", {})
            assert "spoiled" not in block.get("annotations", {}).get("audience", [])
            block.get("_meta", {})["spoiled"] = True
            block.get("annotations", {}).get("audience", []).append("spoiled")

    spoil()


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: cases("2023-01-01"), "revision='2023-01-01' is not one of '2024-11-05'"),
        (lambda: cases(None), "revision=None is not one of"),  # type: ignore[arg-type]
        (lambda: content_blocks("2024-11-05", kinds=["audio"]), "2024-11-05 has no content of"),
        (lambda: content_blocks(kinds=["video"]), "'video' is not one of 'text', 'image'"),
        (lambda: content_blocks(kinds="text"), r"give a list, \['text'\]"),
        (lambda: content_blocks(kinds=3), "not a collection"),  # type: ignore[arg-type]
        (lambda: content_blocks(kinds=[]), "kinds is empty"),
        (lambda: content_blocks(strict="no"), "strict='no'"),  # type: ignore[arg-type]
        (lambda: get_prompt_results(min_messages=3, max_messages=2), "min_messages=3 is more than"),
        (lambda: get_prompt_results(min_messages=-1), "min_messages=-1 is not an integer"),
        (lambda: get_prompt_results(max_messages=0), "max_messages=0 is not an integer"),
        (lambda: prompts("yesterday"), "revision='yesterday'"),
        (lambda: prompts(max_arguments=-1), "max_arguments=-1"),
        (lambda: prompt_arguments("yesterday"), "revision='yesterday'"),
        (lambda: prompt_arguments(names="odder"), "names='odder'"),  # type: ignore[arg-type]
        (lambda: listings("yesterday"), "revision='yesterday'"),
        (lambda: listings(max_pages=0), "max_pages=0"),
        (lambda: prompt_messages("yesterday"), "revision='yesterday'"),
        (lambda: edits(max_arguments=1.5), "max_arguments=1.5"),  # type: ignore[arg-type]
        (lambda: cases(listings=1), "listings=1"),  # type: ignore[arg-type]
    ],
)
def test_what_cannot_be_drawn_is_an_error_at_once(call: Any, told: str) -> None:
    with pytest.raises(InvalidArgument, match=told):
        call()


def test_a_strategy_is_printed_as_the_call_that_made_it() -> None:
    assert repr(get_prompt_results()) == "get_prompt_results()"
    assert repr(edits().filter(bool)) == "edits().filter(bool)"
    asked = content_blocks("2025-06-18", kinds=iter(["image", "text"]))
    assert repr(asked) == "content_blocks(kinds=['text', 'image'], revision='2025-06-18')"


def test_messages_that_have_to_be_there_are_not_all_plain() -> None:
    plain = {"role": "user", "content": {"type": "text", "text": "a"}}
    last: list[Any] = []

    @few
    @given(get_prompt_results(min_messages=6))
    def look(result: Any) -> None:
        last.append(result["messages"][5])

    look()
    assert sum(message != plain for message in last) > len(last) / 2


@given(prompts(max_arguments=40))
@few
def test_arguments_have_names_of_their_own_beyond_the_alphabet(prompt: Any) -> None:
    names = [argument["name"] for argument in prompt.get("arguments", ())]
    assert len(set(names)) == len(names) <= 40


@given(listings(max_pages=3))
@few
def test_a_listing_keeps_to_its_pages(pages: Any) -> None:
    assert 1 <= len(pages) <= 3
    assert all(page["ttlMs"] == 0 for page in pages)


@given(edits())
@settings(parent=few, max_examples=300)
def test_an_edit_applies_and_changes_the_case(case: Any) -> None:
    edit = case.pop("edit")
    assert edit["kind"] in EDIT_KINDS
    assert edit["changes_meaning"] == (edit["kind"] != "argument_order")
    changed = jsonpatch.apply_patch(case, edit["patch"])
    assert changed != case
    assert not {"error", "input", "strict"} & set(changed)


@pytest.mark.parametrize("kind", EDIT_KINDS)
def test_every_kind_of_edit_is_drawn(kind: str) -> None:
    case = find(
        edits(),
        lambda case: case["edit"]["kind"] == kind,
        settings=settings(parent=few, max_examples=3_000),
    )
    assert len(case["messages"]) <= 2


@given(edits())
@few
def test_nothing_keeps_either_half_from_the_model(case: Any) -> None:
    required = [a["name"] for a in case["prompt"].get("arguments", []) if a.get("required")]
    assume(required)
    assert set(required) <= set(case["arguments"])
