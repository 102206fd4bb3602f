"""The lossy sample, the control, and names that nothing answers to."""

from __future__ import annotations

import contextlib
from dataclasses import replace

import pytest

from mcp_prompt_fuzz.case import NEWEST_REVISION, REVISIONS, Case
from mcp_prompt_fuzz.reference import expected
from mcp_prompt_fuzz.renderer import Renderer
from mcp_prompt_fuzz.renderers import BUILT_IN, UsageError, open_renderer
from mcp_prompt_fuzz.rendering import Rendering, Request
from mcp_prompt_fuzz.transcript import Turn, text_part

PROMPT = {"name": "p", "arguments": [{"name": "a"}, {"name": "b"}, {"name": "c"}]}
MESSAGES = (
    {"role": "user", "content": {"type": "text", "text": ["a=", {"argument": "a"}]}},
    {"role": "user", "content": {"type": "image", "data": "AA==", "mimeType": "image/png"}},
    {"role": "assistant", "content": {"type": "text", "text": ["b=", {"argument": "b"}]}},
)
OTHER = {"prompt": {"name": "other"}, "messages": []}
CASE = Case("t", "2025-06-18", PROMPT, MESSAGES, arguments={"b": "1"})


def render(spec: str, case: Case, revision: str = NEWEST_REVISION) -> Rendering:
    with contextlib.closing(open_renderer(spec, revision=revision, timeout=20)) as renderer:
        assert isinstance(renderer, Renderer)
        return renderer.render(case)


@pytest.mark.parametrize("revision", REVISIONS)
def test_text_only_loses_what_it_says_it_loses(revision: str) -> None:
    rendering = render("text-only", CASE, revision)
    assert rendering.turns == (Turn(None, (text_part("a=1\n\nb="),)),)
    assert rendering.requests is not None
    assert rendering.requests[-1] == Request("prompts/get", {"name": "p", "arguments": {"a": "1"}})


def test_text_only_finds_its_prompt_on_any_page() -> None:
    pages = ({"prompts": [OTHER], "cursor": ""}, {"prompts": [], "cursor": "2"}, {"prompts": ["@"]})
    rendering = render("text-only", replace(CASE, pages=pages))
    assert rendering.turns[0].parts[0].text == "a=1\n\nb="
    asked = [(r.method, r.params.get("cursor")) for r in rendering.requests or ()]
    assert asked == [
        ("prompts/list", None),
        ("prompts/list", ""),
        ("prompts/list", "2"),
        ("prompts/get", None),
    ]


def test_reference_loses_nothing() -> None:
    rendering = render("reference", CASE)
    assert rendering.turns == expected(CASE)
    assert rendering.requests == (Request("prompts/get", {"name": "p", "arguments": {"b": "1"}}),)


def test_reference_shows_what_the_server_says() -> None:
    needy = replace(CASE, prompt={"name": "p", "arguments": [{"name": "z", "required": True}]})
    rendering = render("reference", needy)
    assert rendering.error == "missing required argument 'z'"
    assert [r.error for r in rendering.requests or ()] == [-32602]


def test_built_in_renderers_say_who_they_are() -> None:
    for name in BUILT_IN:
        with contextlib.closing(
            open_renderer(f"{name}@1", revision=NEWEST_REVISION, timeout=20)
        ) as renderer:
            identity = renderer.identity
            assert (identity.spec, identity.name, identity.version) == (name, name, "1")
            assert (identity.lane, identity.view) == ("function", "session")


@pytest.mark.parametrize("spec", ["", "no-such\x1b[2J", "text-only@2", "python", "x:y"])
def test_a_name_that_nothing_answers_to(spec: str) -> None:
    with pytest.raises(UsageError, match="no renderer") as caught:
        open_renderer(spec, revision=NEWEST_REVISION, timeout=1)
    assert str(caught.value).isprintable()
    assert "text-only" in caught.value.next_step
