"""Cases as data: templates, defaults, keys."""

from __future__ import annotations

from dataclasses import replace

from mcp_prompt_fuzz.case import (
    Case,
    fill,
    kind_of,
    materialise,
    required_names,
    slots,
    template_text,
    with_text,
)

TEXT = {"role": "user", "content": {"type": "text", "text": ["<", {"argument": "a"}, ">"]}}
DOCUMENT = {
    "role": "user",
    "content": {"type": "resource", "resource": {"uri": "a:b", "text": [{"argument": "a"}]}},
}
IMAGE = {"role": "user", "content": {"type": "image", "data": "", "mimeType": "image/png"}}
CASE = Case("t", "2025-06-18", {"name": "p"}, (TEXT, DOCUMENT, IMAGE), arguments={"a": "$1{}"})


def test_slots_are_filled_literally_and_nowhere_else() -> None:
    texts = [template_text(m["content"]) for m in materialise(CASE)["messages"]]
    assert texts == ["<$1{}>", "$1{}", None]
    assert materialise(CASE)["messages"][2] == IMAGE


def test_a_slot_without_its_argument_is_empty() -> None:
    assert fill(["<", {"argument": "b"}, ">"], {"a": "x"}) == "<>"
    assert materialise(CASE, {})["messages"][0]["content"]["text"] == "<>"


def test_a_value_that_looks_like_a_slot_is_text() -> None:
    assert fill('{"argument": "a"}', {"a": "x"}) == '{"argument": "a"}'
    assert fill([{"argument": "a"}, {"argument": "a"}], {"a": "{a}"}) == "{a}{a}"


def test_what_the_result_holds_beside_its_messages() -> None:
    described = replace(CASE, result={"description": "d", "_meta": {"k": 1}})
    assert materialise(described).keys() == {"description", "_meta", "messages"}


def test_materialising_changes_nothing_of_the_case() -> None:
    before = CASE.to_json()
    materialise(CASE)
    assert CASE.to_json() == before


def test_kinds_are_rule_ids() -> None:
    blob = {"type": "resource", "resource": {"uri": "a:b", "blob": ""}}
    kinds = [kind_of(m["content"]) for m in CASE.messages]
    assert kinds == ["text", "resource.text", "image"]
    assert kind_of(blob) == "resource.blob"


def test_names_in_slots_and_requirements() -> None:
    assert list(slots(["a", {"argument": "x"}, {"argument": "y"}, {"argument": "x"}])) == [
        "x",
        "y",
        "x",
    ]
    assert list(slots("plain")) == []
    declared = [{"name": "a", "required": True}, {"name": "b"}, {"name": "c", "required": False}]
    assert required_names({"name": "p", "arguments": declared}) == {"a"}
    assert required_names({"name": "p"}) == set()


def test_with_text_leaves_the_original_alone() -> None:
    changed = with_text(DOCUMENT["content"], "other")  # type: ignore[arg-type]
    assert changed["resource"] == {"uri": "a:b", "text": "other"}
    assert template_text(DOCUMENT["content"]) == [{"argument": "a"}]  # type: ignore[arg-type]


def test_the_key_is_about_what_a_renderer_can_see() -> None:
    labelled = replace(CASE, title="x", rule="image", origin="o", issue="i")
    assert labelled.key == CASE.key
    assert replace(CASE, arguments={"a": "other"}).key != CASE.key
    assert replace(CASE, before=(CASE,)).key != CASE.key
    two = replace(CASE, arguments={"a": "1", "b": "2"})
    assert two.key != replace(CASE, arguments={"b": "2", "a": "1"}).key, "the order counts"


def test_messages_are_replaced_and_left_out() -> None:
    assert CASE.with_message(1, TEXT).messages == (TEXT, TEXT, IMAGE)
    assert CASE.without_message(0).messages == (DOCUMENT, IMAGE)
    assert len(CASE.messages) == 3


def test_history_comes_back_from_json() -> None:
    case = replace(CASE, before=(replace(CASE, title="earlier", arguments={}),))
    again = Case.from_json(case.to_json())
    assert again == case
    assert again.before[0].title == "earlier"
