"""What a client's maintainer might write: read by strict type checkers, never run."""

from __future__ import annotations

from typing import Any, assert_type

from hypothesis import given
from hypothesis.strategies import SearchStrategy

from hypothesis_mcp import cases, get_prompt_results, listings
from mcp_prompt_fuzz.case import Case
from mcp_prompt_fuzz.renderers import open_renderer
from mcp_prompt_fuzz.rendering import Rendering
from mcp_prompt_fuzz.testing import check_renderer, prompt_tests


def to_messages(result: dict[str, Any]) -> list[dict[str, Any]]:
    return list(result["messages"])


TestPrompts = prompt_tests(to_messages, rules=["text.*"], known="known.json", corpus=False)
assert_type(TestPrompts, type)
assert_type(get_prompt_results(), SearchStrategy[dict[str, Any]])
assert_type(listings(), SearchStrategy[list[dict[str, Any]]])


@given(cases())
def test_it(case: dict[str, Any]) -> None:
    check_renderer(to_messages, fail_on="loss", max_examples=5)
    with_renderer(Case.from_json(case))


def with_renderer(case: Case) -> Rendering:
    renderer = open_renderer("reference", revision="2025-06-18", timeout=1.0)
    rendering = renderer.render(case)
    assert_type(rendering, Rendering)
    assert_type(rendering.error, str | None)
    return rendering
