"""What is offered and recorded, without any server around it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mcp_prompt_fuzz.case import Case
from mcp_prompt_fuzz.jsontypes import Json
from mcp_prompt_fuzz.lab.stage import FILLER, MAIN, Stage
from mcp_prompt_fuzz.serving import RpcError

REVISION = "2025-06-18"


def text(value: str) -> Json:
    return {"role": "user", "content": {"type": "text", "text": value}}


def case(value: str, name: str = "look") -> Case:
    return Case("t", REVISION, {"name": name}, (text(value),))


def got(stage: Stage, name: str, server: str = MAIN) -> str:
    result = stage.answer(server, "prompts/get", {"name": name}, REVISION)
    found: str = result["messages"][0]["content"]["text"]
    return found


def test_what_is_listed_serves_a_filler_until_it_is_invoked() -> None:
    stage = Stage(REVISION, case(""), [{"name": "extra"}])
    assert got(stage, "look") == got(stage, "extra") == FILLER
    stage.current = case("mine", "extra")
    assert got(stage, "extra") == "mine"
    assert got(stage, "look") == FILLER
    with pytest.raises(RpcError, match="unknown prompt"):
        got(stage, "nobody's")


def test_a_twin_serves_its_own_content_under_the_same_listing() -> None:
    beside = {"two": {"pages": [{"prompts": [{"prompt": {"name": "b"}, "messages": [text("1")]}]}]}}
    original = replace(case("one"), beside=beside)
    stage = Stage(REVISION, original, current=original)
    assert (got(stage, "look"), got(stage, "b", "two")) == ("one", "1")
    told = {"two": {"pages": [{"prompts": [{"prompt": {"name": "b"}, "messages": [text("2")]}]}]}}
    stage.current = replace(case("another"), beside=told)
    assert (got(stage, "look"), got(stage, "b", "two")) == ("another", "2")


def test_an_error_comes_before_everything() -> None:
    error = {"on": "prompts/get", "code": -32603, "message": "no"}
    stage = Stage(REVISION, case(""), current=replace(case("x"), error=error))
    with pytest.raises(RpcError, match="no"):
        got(stage, "look")


def test_a_server_that_is_not_on_stage_declares_nothing() -> None:
    stage = Stage(REVISION)
    assert stage.capabilities(MAIN) == {}
    stage.listing = case("")
    assert stage.capabilities(MAIN) == {"prompts": {}}
    assert stage.capabilities("two") == {}
    with pytest.raises(RpcError):
        stage.answer("two", "prompts/list", {}, REVISION)


def test_requests_are_recorded_without_their_envelope() -> None:
    stage = Stage(REVISION)
    stage.note(MAIN, "prompts/list", {"cursor": "", "_meta": {"progressToken": 1}}, -32602)
    assert stage.take() == [
        {
            "server": MAIN,
            "method": "prompts/list",
            "params": {"cursor": ""},
            "phase": "list",
            "error": -32602,
        }
    ]
    assert stage.take() == []
    assert stage.asked == 1


def test_completions_know_the_value_that_the_case_gives() -> None:
    declared: Json = {"prompts": {}, "completions": {}}
    stage = Stage(REVISION, replace(case(""), capabilities=declared, arguments={"a": "cats"}))
    asked = {"ref": {"type": "ref/prompt", "name": "look"}, "argument": {"name": "a", "value": "c"}}
    completion = stage.complete(MAIN, asked, REVISION)["completion"]
    assert completion == {"values": ["cats"], "hasMore": False}
    asked["argument"]["value"] = "dogs"
    assert stage.complete(MAIN, asked, REVISION)["completion"]["values"] == []
    stage.listing = case("")
    with pytest.raises(RpcError, match="not found"):
        stage.complete(MAIN, asked, REVISION)
