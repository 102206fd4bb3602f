"""What servers answer for a case, whichever lane asks."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mcp_prompt_fuzz.case import Case
from mcp_prompt_fuzz.serving import (
    INVALID_PARAMS,
    MODERN,
    RpcError,
    get_prompt,
    list_prompts,
)

OLD = "2025-06-18"


def text(*template: object) -> dict[str, object]:
    return {"role": "user", "content": {"type": "text", "text": list(template)}}


def other(name: str) -> dict[str, object]:
    return {"prompt": {"name": name}, "messages": [text(name)]}


PROMPT = {"name": "p", "arguments": [{"name": "a", "required": True}, {"name": "b"}]}
CASE = Case("t", OLD, PROMPT, (text({"argument": "a"}),), arguments={"a": "1"})
PAGES = (
    {"prompts": [other("first")], "cursor": ""},
    {"prompts": [], "cursor": "next"},
    {"prompts": ["@", other("last")]},
)
PAGED = replace(CASE, pages=PAGES)


def names(case: Case, cursor: str | None = None) -> tuple[list[str], str | None]:
    page = list_prompts(case, {} if cursor is None else {"cursor": cursor}, revision=OLD)
    return [prompt["name"] for prompt in page["prompts"]], page.get("nextCursor")


def test_pages_are_handed_out_by_their_cursors() -> None:
    assert names(PAGED) == (["first"], "")
    assert names(PAGED, "") == ([], "next")
    assert names(PAGED, "next") == (["p", "last"], None)
    assert names(CASE) == (["p"], None)


def test_a_cursor_that_was_never_handed_out_is_refused() -> None:
    with pytest.raises(RpcError) as caught:
        names(PAGED, "p")
    assert caught.value.code == INVALID_PARAMS


def test_every_listed_prompt_yields_its_own_content() -> None:
    for name in ("first", "last"):
        result = get_prompt(PAGED, {"name": name}, revision=OLD)
        assert result == {"messages": [text(name) | {"content": {"type": "text", "text": name}}]}
    result = get_prompt(PAGED, {"name": "p", "arguments": {"a": "$1"}}, revision=OLD)
    assert result["messages"][0]["content"]["text"] == "$1"


@pytest.mark.parametrize(
    "params", [{"name": "q"}, {"name": "p"}, {}, {"name": "p", "arguments": {}}]
)
def test_unknown_names_and_missing_arguments_are_invalid_params(params: dict[str, object]) -> None:
    with pytest.raises(RpcError) as caught:
        get_prompt(CASE, params, revision=OLD)
    assert caught.value.code == INVALID_PARAMS


def test_an_empty_required_argument_is_there() -> None:
    result = get_prompt(CASE, {"name": "p", "arguments": {"a": ""}}, revision=OLD)
    assert result["messages"][0]["content"]["text"] == ""


def test_the_case_s_own_error_comes_before_anything_else() -> None:
    getting = replace(CASE, error={"on": "prompts/get", "code": -32603, "message": "down"})
    with pytest.raises(RpcError) as caught:
        get_prompt(getting, {"name": "q"}, revision=OLD)
    assert (caught.value.code, caught.value.message) == (-32603, "down")
    assert names(getting) == (["p"], None)
    listing = replace(CASE, error={"on": "prompts/list", "code": 1, "message": "no"})
    with pytest.raises(RpcError):
        names(listing)


def test_only_the_newest_revision_has_its_own_members() -> None:
    old = list_prompts(CASE, {}, revision=OLD)
    assert old == {"prompts": [PROMPT]}
    new = list_prompts(CASE, {}, revision=MODERN)
    assert new == old | {"resultType": "complete", "ttlMs": 0, "cacheScope": "private"}
    got = get_prompt(CASE, {"name": "p", "arguments": {"a": ""}}, revision=MODERN)
    assert got["resultType"] == "complete"


def test_a_changed_listing_replaces_the_pages() -> None:
    case = replace(CASE, pages=({"prompts": [other("old")]},), relist=({"prompts": ["@"]},))
    assert names(case) == (["old"], None)
    changed = list_prompts(case, {}, revision=OLD, pages=case.relist)
    assert [prompt["name"] for prompt in changed["prompts"]] == ["p"]
    assert get_prompt(case, {"name": "p", "arguments": {"a": "1"}}, revision=OLD)["messages"]


def test_earlier_prompts_and_extra_ones_stand_on_the_first_page_once() -> None:
    earlier = Case("e", OLD, {"name": "earlier"}, ())
    case = replace(CASE, before=(earlier, replace(CASE, arguments={})))
    page = list_prompts(case, {}, revision=OLD, extra=({"name": "p"}, {"name": "extra"}))
    assert [prompt["name"] for prompt in page["prompts"]] == ["p", "earlier", "extra"]


ASKING = replace(
    CASE,
    revision=MODERN,
    prompt={"name": "p"},
    input={"requests": {"q": {"method": "elicitation/create", "params": {}}}, "state": "s"},
)


def asked(capabilities: dict[str, object], **members: object) -> dict[str, object]:
    meta = {"io.modelcontextprotocol/clientCapabilities": capabilities}
    return get_prompt(ASKING, {"name": "p", "_meta": meta, **members}, revision=MODERN)


def test_input_is_asked_for_once() -> None:
    assert asked({"elicitation": {}}) == {
        "resultType": "input_required",
        "inputRequests": ASKING.input and ASKING.input["requests"],
        "requestState": "s",
    }
    assert asked({}, requestState="s", inputResponses={})["resultType"] == "complete"
    assert "messages" in get_prompt(ASKING, {"name": "p"}, revision="2025-11-25")


def test_input_is_not_asked_for_where_the_client_can_t_give_it() -> None:
    assert asked({}) == {"resultType": "input_required", "requestState": "s"}
    stateless = replace(ASKING, input={"requests": ASKING.input and ASKING.input["requests"]})
    assert get_prompt(stateless, {"name": "p"}, revision=MODERN)["resultType"] == "complete"


def test_a_state_that_was_not_handed_out_is_refused() -> None:
    with pytest.raises(RpcError):
        asked({}, requestState="other")
