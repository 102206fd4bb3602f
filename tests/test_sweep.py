"""The fixed cases hold what drawing is unlikely to hit."""

from __future__ import annotations

import pytest

from hypothesis_mcp.canaries import CANARIES
from hypothesis_mcp.hard_strings import HARD_STRINGS
from hypothesis_mcp.revisions import kinds_of
from mcp_prompt_fuzz.case import KINDS, REVISIONS, Case, kind_of
from mcp_prompt_fuzz.formats import check_case
from mcp_prompt_fuzz.rules import View
from mcp_prompt_fuzz.sweep import plain_content, sweep

VIEWS: tuple[View, ...] = ("result", "session", "server")
NEWEST = REVISIONS[-1]


def _texts(cases: list[Case], kind: str = "text") -> set[str]:
    return {
        str(content.get("resource", content).get("text"))
        for case in cases
        for message in case.messages
        if kind_of(content := message["content"]) == kind
    }


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("revision", REVISIONS)
def test_every_case_is_valid(revision: str, view: View) -> None:
    for case in sweep(revision, view, sandboxed=True):
        check_case(case.to_json())


@pytest.mark.parametrize("revision", REVISIONS)
def test_every_kind_that_the_revision_has_in_both_roles(revision: str) -> None:
    held = {
        (kind_of(m["content"]), m["role"])
        for case in sweep(revision, "result")
        for m in case.messages
    }
    assert held == {(kind, role) for kind in kinds_of(revision) for role in ("user", "assistant")}


def test_every_hard_string_in_texts_and_documents() -> None:
    cases = sweep(NEWEST, "result")
    assert set(HARD_STRINGS.values()) <= _texts(cases)
    assert set(HARD_STRINGS.values()) <= _texts(cases, "resource.text")


@pytest.mark.parametrize("sandboxed", [True, False])
def test_canaries_that_touch_files_only_in_a_sandbox(sandboxed: bool) -> None:
    whole = "\n".join(_texts(sweep(NEWEST, "result", sandboxed=sandboxed)))
    for canary in CANARIES:
        if sandboxed or not canary.needs_sandbox:
            assert canary.text in whole, canary.name
        else:
            assert canary.text not in whole, canary.name


def test_each_view_sees_more() -> None:
    titles = {view: {case.title for case in sweep(NEWEST, view)} for view in VIEWS}
    assert titles["result"] < titles["session"] < titles["server"]


def test_a_session_sees_arguments_and_a_server_listings() -> None:
    assert not any(case.arguments for case in sweep(NEWEST, "result"))
    session = sweep(NEWEST, "session")
    values = {value for case in session for value in case.arguments.values()}
    assert {"", "$1", "two words", "two\nlines", " spaced "} <= values
    server = sweep(NEWEST, "server")
    assert any("prompts" not in case.capabilities for case in server)
    assert any(len(case.pages) > 2 for case in server)
    assert any(case.beside for case in server)
    assert any(case.error for case in server)
    assert any(page.get("cursor") == "" for case in server for page in case.pages)
    old = sweep("2025-11-25", "server")
    assert not any(page.get("cursor") == "" for case in old for page in case.pages)


def test_the_same_each_time() -> None:
    assert [c.key for c in sweep(NEWEST, "server")] == [c.key for c in sweep(NEWEST, "server")]
    keys = [case.key for case in sweep(NEWEST, "server", sandboxed=True)]
    assert len(keys) == len(set(keys))


@pytest.mark.parametrize("kind", KINDS)
def test_plain_content_is_numbered(kind: str) -> None:
    one, other = plain_content(kind, 0), plain_content(kind, 1)  # type: ignore[arg-type]
    assert kind_of(one) == kind
    assert one != other
    assert plain_content(kind, 0) == one
