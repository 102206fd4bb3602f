"""Drivers that connect to servers themselves."""

from __future__ import annotations

import contextlib
import os
import shlex
import sys
from collections.abc import Iterator
from dataclasses import replace
from importlib import metadata, util
from pathlib import Path

import pytest

from mcp_prompt_fuzz.case import NEWEST_REVISION, Case
from mcp_prompt_fuzz.reference import expected
from mcp_prompt_fuzz.renderer import Renderer
from mcp_prompt_fuzz.renderers import open_renderer
from mcp_prompt_fuzz.rendering import Rendering

LAB_CAN_RUN = (
    sys.platform != "win32"
    and not metadata.version("mcp").startswith("1.")
    and all(util.find_spec(name) for name in ("httpx", "starlette", "uvicorn"))
)
pytestmark = pytest.mark.skipif(not LAB_CAN_RUN, reason="the lab needs mcp 2.x and its extra")

TEXT = {"role": "user", "content": {"type": "text", "text": ["a=", {"argument": "a"}]}}
IMAGE = {"role": "assistant", "content": {"type": "image", "data": "AA==", "mimeType": "image/png"}}
PROMPT = {"name": "p", "arguments": [{"name": "a", "required": True}]}
CASE = Case("t", NEWEST_REVISION, PROMPT, (TEXT, IMAGE), arguments={"a": "$1"})


def other(name: str) -> dict[str, object]:
    return {"prompt": {"name": name}, "messages": []}


@contextlib.contextmanager
def driving(fake: str, cache: Path) -> Iterator[Renderer]:
    spec = f"driver:{shlex.join([sys.executable, '-m', f'fake_drivers.{fake}'])}"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(Path(__file__).parent), prepend=os.pathsep)
        patch.setenv("MCP_PROMPT_FUZZ_CACHE", str(cache))
        renderer = open_renderer(spec, revision=NEWEST_REVISION, timeout=60)
        with contextlib.closing(renderer):
            yield renderer


@pytest.fixture(scope="module")
def connecting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Renderer]:
    """One driver, and one lab, for every test that needs no other."""
    with driving("uses_servers", tmp_path_factory.mktemp("cache")) as renderer:
        yield renderer


def asked(rendering: Rendering) -> list[tuple[str, str]]:
    """The requests about prompts, with their phases."""
    requests = [r for r in rendering.requests or () if r.method.startswith("prompts/")]
    return [(r.phase, r.method.removeprefix("prompts/")) for r in requests]


def test_a_driver_connects_to_the_case_s_servers(connecting: Renderer) -> None:
    assert connecting.identity.view == "server"
    first = connecting.render(CASE)
    assert first.turns == expected(CASE)
    assert first.listing == ({"server": "main", **PROMPT},)
    assert asked(first) == [("list", "list"), ("invoke", "get")]
    assert (first.requests or ())[-1].params == {"name": "p", "arguments": {"a": "$1"}}
    assert connecting.identity.client is not None


def test_other_content_under_the_same_listing_is_not_listed_again(connecting: Renderer) -> None:
    connecting.render(CASE)
    twin = replace(CASE, messages=(IMAGE,), arguments={"a": "x"})
    rendering = connecting.render(twin)
    assert rendering.turns == expected(twin)
    assert rendering.listing is None
    assert asked(rendering) == [("invoke", "get")]


def test_an_error_of_the_server_is_shown(connecting: Renderer) -> None:
    missing = connecting.render(replace(CASE, arguments={}))
    assert "missing required argument 'a'" in (missing.error or "")
    assert [r.error for r in missing.requests or ()][-1] == -32602


def test_listings_are_seen_in_every_shape(connecting: Renderer) -> None:
    pages = ({"prompts": [other("x")], "cursor": "2"}, {"prompts": ["@"]})
    beside = {"second": {"pages": [{"prompts": [other("p")]}]}}
    rendering = connecting.render(replace(CASE, pages=pages, beside=beside))
    shown = [(p["server"], p["name"]) for p in rendering.listing or ()]
    assert shown == [("main", "x"), ("main", "p"), ("second", "p")]
    assert rendering.turns == expected(CASE)
    gated = connecting.render(replace(CASE, capabilities={}))
    assert ("list", "list") not in asked(gated)
    fresh = replace(
        CASE,
        capabilities={"prompts": {"listChanged": True}},
        pages=({"prompts": [other("old")]},),
        relist=({"prompts": ["@"]},),
    )
    assert [p["name"] for p in connecting.render(fresh).listing or ()] == ["p"]


def test_earlier_cases_are_invoked_first(connecting: Renderer) -> None:
    earlier = Case("e", NEWEST_REVISION, {"name": "e"}, (IMAGE,))
    case = replace(CASE, before=(earlier, replace(CASE, messages=(IMAGE,))))
    rendering = connecting.render(case)
    assert rendering.turns == expected(CASE)
    assert asked(rendering).count(("invoke", "get")) == 1


def test_what_the_model_endpoint_received_is_judged(tmp_path: Path) -> None:
    with driving("asks_a_model", tmp_path) as renderer:
        (turn,) = renderer.render(CASE).turns
        assert turn.parts[0].text == "p"
        assert renderer.render(CASE).listing is None
        silent = renderer.render(replace(CASE, prompt={"name": "silent"}))
        assert silent.broke is not None
        assert "received nothing" in silent.broke.detail
        assert renderer.identity.rules == ("text.*",)
        assert renderer.identity.revisions == ("2025-06-18",)
