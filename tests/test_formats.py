"""Bad files are told by file and JSON path; good ones come back as they were."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mcp_prompt_fuzz.case import Case
from mcp_prompt_fuzz.formats import (
    FormatError,
    check,
    check_case,
    dump_json,
    edited,
    parse_json,
    read_case,
    schema,
    shortened,
    write_case,
)

TEXT = {"role": "user", "content": {"type": "text", "text": "a"}}
IMAGE = {"type": "image", "data": "AA==", "mimeType": "image/png"}
AUDIO = {"type": "audio", "data": "AA==", "mimeType": "audio/wav"}
LINK = {"type": "resource_link", "uri": "a:b", "name": "n"}
SMALLEST: dict[str, Any] = {
    "format": "mcp-prompt-case/1",
    "title": "t",
    "revision": "2025-06-18",
    "prompt": {"name": "p"},
    "messages": [TEXT],
}


def case(**members: Any) -> dict[str, Any]:
    return {**SMALLEST, **members}


def holding(*contents: dict[str, Any], **members: Any) -> dict[str, Any]:
    return case(messages=[{"role": "user", "content": c} for c in contents], **members)


def resource(**members: Any) -> dict[str, Any]:
    return {"type": "resource", "resource": members}


def patch(*operations: dict[str, Any]) -> dict[str, Any]:
    return {"kind": "k", "changes_meaning": True, "patch": list(operations)}


OFFER = {"prompt": {"name": "other"}, "messages": [TEXT]}
OWN = {"prompts": ["@"]}


@pytest.mark.parametrize(
    "data",
    [
        case(),
        case(messages=[]),
        case(prompt={"name": "", "arguments": [{"name": ""}, {"name": ""}]}),
        case(prompt={"name": "p", "later": 1}, result={"description": "", "_meta": {"a/b": 1}}),
        case(arguments={"undeclared": "", "__proto__": "$1"}),
        case(capabilities={}),
        case(capabilities={"prompts": {"listChanged": True}}, relist=[OWN]),
        case(pages=[{"prompts": [OFFER]}], relist=[OWN]),
        case(pages=[{"prompts": [], "cursor": ""}, {"prompts": [OFFER, "@"]}]),
        case(beside={"other": {"pages": [{"prompts": [OFFER]}]}}),
        case(error={"on": "prompts/list", "code": -32603, "message": ""}),
        case(before=[case(title="earlier")]),
        case(input={"state": "s"}, revision="2026-07-28"),
        case(edit=patch({"op": "replace", "path": "/messages/0/role", "value": "assistant"})),
        case(rule="arguments.named", origin="o", issue="i", strict=True),
        holding({"type": "text", "text": [{"argument": "undeclared"}, "\ud800"]}),
        holding({"type": "text", "text": [], "annotations": {"audience": [], "priority": 0}}),
        holding(IMAGE, revision="2024-11-05"),
        holding(AUDIO, revision="2025-03-26"),
        holding(LINK | {"size": -1, "icons": [{"src": "https://a/b"}]}),
        holding(resource(uri="urn:a%20b", text=["", {"argument": "a"}])),
        holding(resource(uri="a:", blob="", mimeType='text/plain; charset="utf-8"')),
        holding(IMAGE | {"data": "!!!", "mimeType": ""}, strict=False),
        holding(resource(uri="no uri", text="a", blob="a"), strict=False),
        case(pages=[{"prompts": ["@", {**OFFER, "prompt": {"name": "p"}}]}], strict=False),
    ],
)
def test_valid_cases_are_accepted_and_come_back_as_they_were(data: dict[str, Any]) -> None:
    check_case(data)
    again = Case.from_json(data).to_json()
    check_case(again)
    assert Case.from_json(again) == Case.from_json(data)
    shortest = {key: value for key, value in data.items() if again.get(key) == value}
    assert again == shortest, "only members at their default are left out"


@pytest.mark.parametrize(
    ("data", "path", "problem"),
    [
        ([], "$", "is not of type 'object'"),
        ({}, "$", "'format' is a required property"),
        (case(format="mcp-prompt-case/2"), "$.format", 'must be "mcp-prompt-case/1"'),
        (case(argumnets={}), "$", "no such member: argumnets"),
        (case(title=None), "$.title", "None is not of type 'string'"),
        (case(revision="2024-10-07"), "$.revision", "is not one of"),
        (case(rule="images"), "$.rule", "no such rule: 'images'"),
        (case(prompt={"name": "p", "arguments": None}), "$.prompt.arguments", "not of type"),
        (case(arguments={"odd name": 1}), '$.arguments["odd name"]', "1 is not of type"),
        (case(messages=[{**TEXT, "role": "system"}]), "$.messages[0].role", "'system'"),
        (case(messages=[{"role": "user", "content": "a"}]), "$.messages[0].content", "'a'"),
        (holding({"type": "tool_use"}), "$.messages[0].content.type", "'tool_use'"),
        (holding({"type": "text"}), "$.messages[0].content", "'text' is a required"),
        (
            holding({"type": "text", "text": [{"argument": "a", "x": 1}]}),
            "$.messages[0].content.text[0]",
            "no such member: x",
        ),
        (holding({"type": "text", "text": [3]}), "$.messages[0].content.text[0]", "3 is not"),
        (
            holding({"type": "text", "text": "", "annotations": {"priority": 2}}),
            "$.messages[0].content.annotations.priority",
            "2 is greater than the maximum of 1",
        ),
        (
            holding({"type": "text", "text": "", "annotations": {"audience": ["tool"]}}),
            "$.messages[0].content.annotations.audience[0]",
            "'tool' is not one of",
        ),
        (
            holding(IMAGE, {k: v for k, v in IMAGE.items() if k != "mimeType"}),
            "$.messages[1].content",
            "'mimeType' is a required property",
        ),
        (holding(IMAGE | {"data": "AA"}), "$.messages[0].content.data", "not base64"),
        (holding(IMAGE | {"data": "AB=="}), "$.messages[0].content.data", "not base64"),
        (holding(IMAGE | {"data": "A-A="}), "$.messages[0].content.data", "not base64"),
        (holding(IMAGE | {"data": "é"}), "$.messages[0].content.data", "not base64"),
        (holding(IMAGE | {"mimeType": ""}), "$.messages[0].content.mimeType", "no media type"),
        (holding(resource(uri="a:b")), "$.messages[0].content.resource", "text or blob"),
        (
            holding(resource(uri="a:b", text="", blob="")),
            "$.messages[0].content.resource",
            "holds both text and blob",
        ),
        (
            holding(resource(uri="a b", text="")),
            "$.messages[0].content.resource.uri",
            "no URI (RFC 3986)",
        ),
        (holding(LINK | {"size": 1.5}), "$.messages[0].content.size", "1.5 is not of type"),
        (holding(AUDIO, revision="2024-11-05"), "$.messages[0].content", "has no audio"),
        (holding(LINK, revision="2025-03-26"), "$.messages[0].content", "has no resource_link"),
        (case(result={"messages": []}), "$.result.messages", "not allowed here"),
        (case(pages=[]), "$.pages", "[] should be non-empty"),
        (case(pages=[{"prompts": []}]), "$.pages", '"@" stands exactly once'),
        (case(pages=[{"prompts": ["@", "@"]}], strict=False), "$.pages", "found 2 times"),
        (case(pages=[{"prompts": ["%"]}]), "$.pages[0].prompts[0]", 'must be "@"'),
        (case(pages=[OWN, {"prompts": []}]), "$.pages[0]", "each page but the last"),
        (case(pages=[{**OWN, "cursor": "a"}]), "$.pages[0].cursor", "the last page has no"),
        (
            case(pages=[{**OWN, "cursor": "a"}, {"prompts": [], "cursor": "a"}, {"prompts": []}]),
            "$.pages[1].cursor",
            "the same cursor twice",
        ),
        (
            case(pages=[{"prompts": ["@", {**OFFER, "prompt": {"name": "p"}}]}]),
            "$.pages[0].prompts[1]",
            "prompt 'p' twice",
        ),
        (
            case(
                pages=[{"prompts": ["@", {"prompt": {"name": "o"}, "messages": [{"role": "x"}]}]}]
            ),
            "$.pages[0].prompts[1].messages[0]",
            "'content' is a required property",
        ),
        (case(relist=[{"prompts": []}]), "$.relist", "exactly once"),
        (case(beside={"o": {"pages": [OWN]}}), "$.beside.o.pages", "no place here"),
        (case(beside={"main": {"pages": []}}), "$.beside.main", "not allowed here"),
        (case(before=[case(pages=[OWN])]), "$.before[0].pages", "not allowed here"),
        (case(before=[case(before=[])]), "$.before[0].before", "not allowed here"),
        (
            case(before=[holding(AUDIO, revision="2024-11-05")]),
            "$.before[0].messages[0].content",
            "has no audio",
        ),
        (case(error={"on": "tools/get", "code": 1, "message": ""}), "$.error.on", "'tools/get'"),
        (case(input={"state": "s"}), "$.input", "revision 2025-06-18 has no input_required"),
        (case(input={}, revision="2026-07-28"), "$.input", "must hold requests or state"),
        (
            case(edit=patch({"op": "remove", "path": "/messages/7"})),
            "$.edit.patch",
            "does not apply",
        ),
        (
            case(edit=patch({"op": "replace", "path": "", "value": 3})),
            "$.edit.patch",
            "leaves no case",
        ),
        (
            case(edit=patch({"op": "replace", "path": "/messages/0/role", "value": "x"})),
            "$.edit.patch",
            "leaves an invalid case: $.messages[0].role",
        ),
    ],
)
def test_an_invalid_case_is_told_with_its_place(data: Any, path: str, problem: str) -> None:
    with pytest.raises(FormatError) as caught:
        check_case(data, "corpus/x.json")
    assert caught.value.json_path == path
    assert problem in caught.value.problem
    assert str(caught.value) == f"corpus/x.json: {path}: {caught.value.problem}"


def test_what_an_error_quotes_is_short_and_printable() -> None:
    data = case(title=["\x1b[31m" + "x" * 10_000])
    with pytest.raises(FormatError) as caught:
        check_case(data)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 400


def test_a_case_survives_its_file(tmp_path: Path) -> None:
    text = "a\u2028\r\n\x00é\U0001f600\ud83d \udc00"
    kept = Case("t", "2025-06-18", {"name": "p"}, (TEXT,), arguments={"b": text, "a": "1"})
    file = tmp_path / "case.json"
    write_case(file, kept)
    raw = file.read_bytes()
    assert read_case(file) == kept
    assert list(read_case(file).arguments) == ["b", "a"], "the order in which they are given"
    assert raw.endswith(b"\n}\n")
    assert b'\n  "title": "t",\n' in raw
    assert "é\U0001f600".encode() in raw
    assert rb"\ud83d \udc00" in raw, "a lone surrogate has no UTF-8, and stays an escape"


def test_an_invalid_case_is_not_written(tmp_path: Path) -> None:
    file = tmp_path / "case.json"
    with pytest.raises(FormatError, match=r"\$\.rule"):
        write_case(file, Case("t", "2025-06-18", {"name": "p"}, (TEXT,), rule="no rule"))
    assert not file.exists()


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"{", r"not JSON: .* \(line 1, column 2\)"),
        (b'{"a": NaN}', "NaN is no JSON value"),
        (b'"\xff"', "not UTF-8 at byte 1"),
        (b"[" * 200_000, "not JSON"),
        (None, "can't be read"),
    ],
)
def test_a_file_that_is_no_json_is_an_error_that_names_it(
    tmp_path: Path, content: bytes | None, problem: str
) -> None:
    file = tmp_path / "bad.json"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(FormatError, match=problem) as caught:
        read_case(file)
    assert str(file) in str(caught.value)


def test_the_other_half_of_a_pair() -> None:
    data = case(edit=patch({"op": "replace", "path": "/messages/0/role", "value": "assistant"}))
    other = edited(data)
    assert other == case(messages=[{**TEXT, "role": "assistant"}])
    assert data["messages"][0]["role"] == "user", "the first half is left as it was"


def test_dumped_json_is_read_back() -> None:
    value: Any = {"a": ["\ud800", "\u2028", None, 1.5, {}]}
    assert parse_json(dump_json(value)) == value


def test_long_text_is_shortened_from_the_middle() -> None:
    assert shortened("a\tb\u202e") == "a\\x09b\\x202e"
    assert len(shortened("x" * 1000, 100)) < 100


@pytest.mark.parametrize("name", ["mcp", "case", "known", "run", "matrix"])
def test_each_schema_has_a_name_and_a_title(name: str) -> None:
    assert schema(name)["$id"] == f"urn:mcp-prompt-fuzz:{name}"
    assert schema(name)["title"]
    json.dumps(schema(name))


@pytest.mark.parametrize(
    ("name", "data", "path"),
    [
        ("line-request", {"op": "hello", "protocol": 1}, None),
        ("line-request", {"op": "bye"}, None),
        ("line-request", {"op": "render", "id": 1}, "$"),
        ("line-request", {"op": "render", "id": 1, "servers": {}}, "$"),
        (
            "line-request",
            {
                "op": "render",
                "id": 1,
                "prompt": {"name": "p"},
                "arguments": {},
                "result": {"messages": [TEXT]},
            },
            None,
        ),
        ("line-hello", {"protocol": 1, "name": "n", "version": "1", "accepts": "result"}, None),
        ("line-hello", {"protocol": 1, "name": "n", "version": "1", "accepts": "x"}, "$.accepts"),
        ("line-listing", {"id": 1, "prompts": [{"server": "main", "name": "p"}]}, None),
        ("line-listing", {"id": 1, "prompts": [{"name": "p"}]}, "$.prompts[0]"),
        ("matrix", {"format": "mcp-prompt-matrix/1", "budget": {}, "runs": []}, None),
        (
            "matrix",
            {
                "format": "mcp-prompt-matrix/1",
                "budget": {},
                "runs": [{"renderer": "r", "could_not_run": "no network"}],
            },
            None,
        ),
        (
            "matrix",
            {"format": "mcp-prompt-matrix/1", "budget": {}, "runs": [{"renderer": "r"}]},
            "$.runs[0]",
        ),
    ],
)
def test_the_other_formats(name: Any, data: Any, path: str | None) -> None:
    if path is None:
        check(data, name)
        return
    with pytest.raises(FormatError) as caught:
        check(data, name)
    assert caught.value.json_path == path


def run_record(**finding: Any) -> dict[str, Any]:
    found = {
        "id": "0123456789ab",
        "rule": "image",
        "part": "image",
        "level": "lost",
        "aspect": None,
        "severity": "loss",
        "basis": {"kind": "fidelity", "section": None, "revision": None},
        "summary": "s",
        "case": case(),
        "expected": {"messages": []},
        "observed": {"messages": [], "shown": "", "error": None, "requests": None},
        "flaky": {"failed": 1, "of": 3},
        "repro": "findings/x",
        **finding,
    }
    return {
        "format": "mcp-prompt-run/1",
        "renderer": "text-only",
        "version": "1",
        "lane": "function",
        "client": None,
        "started": "2026-08-22T10:00:00Z",
        "status": "complete",
        "isolation": None,
        "revision": "2026-07-28",
        "seed": 1,
        "options": {},
        "versions": {
            "harness": "0.1.0",
            "hypothesis": "6",
            "mcp": "2",
            "python": "3",
            "platform": "linux",
        },
        "counts": {"examples": 1, "renderings": 2, "seconds": 0.5},
        "errors": [],
        "rules": {
            "image": {"verdict": "broken", "level": "lost", "checks": 1, "findings": [found["id"]]}
        },
        "known": {"matched": [], "stale": []},
        "findings": [found],
    }


def test_a_run_is_checked_down_to_its_cases() -> None:
    check(run_record(), "run")
    with pytest.raises(FormatError) as caught:
        check(run_record(case=case(title=3)), "run")
    assert caught.value.json_path == "$.findings[0].case.title"


def test_what_is_unsafe_may_stand_redacted_in_a_run() -> None:
    hidden = {"redacted": "see private/"}
    check(run_record(case=hidden, expected=hidden, observed=hidden), "run")
