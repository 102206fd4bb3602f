"""A broken MUST is a violation, a broken SHOULD a loss; which it is, the revision says."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mcp_prompt_fuzz.case import Case
from mcp_prompt_fuzz.jsontypes import Json
from mcp_prompt_fuzz.oracle import Conditions, Lens, judge
from mcp_prompt_fuzz.rendering import Rendering, Request
from mcp_prompt_fuzz.transcript import Turn, text_part

SAID = {"role": "user", "content": {"type": "text", "text": "hello"}}
CASE = Case("", "2026-07-28", {"name": "p"}, (SAID,))
FIRST = Request("prompts/list", {}, phase="list")
LATER = Request("prompts/list", {})
GET = Request("prompts/get", {"name": "p", "arguments": {}})


def _severities(case: Case, requests: tuple[Request, ...], revision: str) -> dict[str, str]:
    def render(asked: Case) -> Rendering:
        texts = [message["content"]["text"] for message in asked.messages]
        turns = tuple(Turn("user", (text_part(text),)) for text in texts)
        return Rendering(turns=turns, requests=requests)

    judgement = judge(case, Lens(render), Conditions("server", revision))
    return {found.fault.rule: found.severity for found in judgement.found}


@pytest.mark.parametrize(
    ("revision", "severity"),
    [("2025-03-26", "loss"), ("2025-11-25", "violation"), ("2026-07-28", "loss")],
)
def test_asking_a_server_without_prompts(revision: str, severity: str) -> None:
    case = replace(CASE, capabilities={})
    assert _severities(case, (FIRST,), revision) == {"list.gated": severity}


@pytest.mark.parametrize(
    ("cursor", "revision", "severities"),
    [
        ("", "2026-07-28", {"list.complete": "violation"}),
        ("", "2025-11-25", {}),
        ("c", "2026-07-28", {"list.complete": "loss"}),
    ],
)
def test_a_page_that_is_not_fetched(cursor: str, revision: str, severities: dict[str, str]) -> None:
    pages: tuple[Json, ...] = ({"prompts": ["@"], "cursor": cursor}, {"prompts": []})
    assert _severities(replace(CASE, pages=pages), (FIRST, GET), revision) == severities


@pytest.mark.parametrize("asked", [(FIRST, LATER), (FIRST, FIRST), (LATER,)])
def test_a_listing_that_is_read_after_the_change(asked: tuple[Request, ...]) -> None:
    case = replace(CASE, relist=({"prompts": ["@"]},))
    assert _severities(case, (*asked, GET), "2026-07-28") == {}
    assert _severities(case, (FIRST, GET), "2026-07-28") == {"list.fresh": "notice"}
