"""Drivers that connect to servers themselves."""

from __future__ import annotations

import contextlib
import os
import shlex
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from mcp_prompt_fuzz.case import NEWEST_REVISION, Case
from mcp_prompt_fuzz.reference import expected
from mcp_prompt_fuzz.renderer import Progress, Renderer, quiet
from mcp_prompt_fuzz.renderers import open_renderer
from mcp_prompt_fuzz.rendering import Rendering

pytest.importorskip("mcp_types", reason="the lab needs mcp 2.x")
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the lab is POSIX's")

TEXT = {"role": "user", "content": {"type": "text", "text": ["a=", {"argument": "a"}]}}
IMAGE = {"role": "assistant", "content": {"type": "image", "data": "AA==", "mimeType": "image/png"}}
PROMPT = {"name": "p", "arguments": [{"name": "a", "required": True}]}
CASE = Case("t", NEWEST_REVISION, PROMPT, (TEXT, IMAGE), arguments={"a": "$1"})


def other(name: str) -> dict[str, object]:
    return {"prompt": {"name": name}, "messages": []}


@contextlib.contextmanager
def driving(fake: str, cache: Path, *words: str, progress: Progress = quiet) -> Iterator[Renderer]:
    spec = f"driver:{shlex.join([sys.executable, '-m', f'fake_drivers.{fake}', *words])}"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(Path(__file__).parent), prepend=os.pathsep)
        patch.setenv("MCP_PROMPT_FUZZ_CACHE", str(cache))
        renderer = open_renderer(spec, revision=NEWEST_REVISION, timeout=60, progress=progress)
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


def test_the_revision_is_known_before_anything_is_judged(tmp_path: Path) -> None:
    with driving("uses_servers", tmp_path) as renderer:
        assert renderer.identity.revisions == ("2025-11-25",)
        assert renderer.identity.client is not None


def test_a_driver_connects_to_the_case_s_servers(connecting: Renderer) -> None:
    assert connecting.identity.view == "server"
    first = connecting.render(CASE)
    assert first.turns == expected(CASE)
    assert first.listing == ({"server": "main", **PROMPT},)
    assert asked(first) == [("list", "list"), ("invoke", "get")]
    assert (first.requests or ())[-1].params == {"name": "p", "arguments": {"a": "$1"}}
    assert connecting.identity.client is not None


def test_other_content_under_the_same_listing_comes_with_what_was_listed(
    connecting: Renderer,
) -> None:
    first = connecting.render(CASE)
    twin = replace(CASE, messages=(IMAGE,), arguments={"a": "x"})
    rendering = connecting.render(twin)
    assert rendering.turns == expected(twin)
    # Else a finding about the listing would show in the first rendering alone, and seem flaky.
    assert first.listing is not None
    assert rendering.listing == first.listing
    assert asked(rendering) == asked(first)


def test_what_was_announced_is_no_part_of_the_next_listing(connecting: Renderer) -> None:
    plain = replace(
        CASE,
        capabilities={"prompts": {"listChanged": True}},
        pages=({"prompts": [other("old"), "@"]},),
    )
    connecting.render(replace(plain, relist=({"prompts": ["@"]},)))
    listing = connecting.render(plain).listing or ()
    assert [prompt["name"] for prompt in listing] == ["old", "p"]


def test_a_listing_that_fails_is_shown_to_the_driver_s_user(connecting: Renderer) -> None:
    error = {"on": "prompts/list", "code": -32603, "message": "no list today"}
    for _ in range(2):
        rendering = connecting.render(replace(CASE, error=error))
        assert "no list today" in rendering.shown
        assert (rendering.listing, rendering.broke) == (None, None)
        assert [r.error for r in rendering.requests or () if r.phase == "list"][-1] == -32603
    assert connecting.render(CASE).listing is not None


def test_a_driver_that_breaks_while_listing_is_charged_and_lists_again(tmp_path: Path) -> None:
    with driving("lists_badly", tmp_path) as renderer:
        before = renderer.render(CASE)
        assert before.listing == ()
        assert renderer.identity.rules == ("*",)
        for name, kind, told in (
            ("exits", "exit", "exited with 3"),
            ("garbled", "garbage", "list"),
        ):
            broke = renderer.render(replace(CASE, beside={name: {}})).broke
            assert broke is not None
            assert (broke.kind, told in broke.detail) == (kind, True)
            assert renderer.render(CASE).listing == ()
        wordy = renderer.render(replace(CASE, beside={"no server's error": {}}))
        assert (wordy.broke, wordy.listing, wordy.shown) == (None, None, "")


def test_a_driver_that_knows_no_list_is_asked_once_and_that_is_told(tmp_path: Path) -> None:
    told: list[str] = []
    with driving("lists_badly", tmp_path, "never", progress=told.append) as renderer:
        assert ["exited with 3" in words for words in told] == [True]
        assert "list.described" not in renderer.identity.rules
        assert {"list.complete", "image"} <= set(renderer.identity.rules)
        cases = (CASE, replace(CASE, prompt={"name": "another"}))
        first, second = (renderer.render(case) for case in cases)
        assert first.turns == second.turns != ()  # one process, which was never made to list
        assert (first.broke, first.listing) == (None, None)


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
