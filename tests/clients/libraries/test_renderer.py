"""A library's driver in its sandbox, as a renderer."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp_types", reason="the lab needs mcp 2.x")

from hypothesis_mcp.canaries import MARKER_FILE
from mcp_prompt_fuzz.case import Case
from mcp_prompt_fuzz.clients.libraries import Library
from mcp_prompt_fuzz.clients.libraries import renderer as renderer_module
from mcp_prompt_fuzz.clients.libraries.renderer import LibraryRenderer
from mcp_prompt_fuzz.jsontypes import Json
from mcp_prompt_fuzz.renderer import Renderer, RendererUnavailable
from mcp_prompt_fuzz.rendering import Rendering
from mcp_prompt_fuzz.transcript import Turn, text_part


@dataclass(frozen=True, slots=True)
class SmallLibrary(Library):
    """The library whose driver is `small_driver.py`, in the folder that `script` tells."""

    @property
    def driver(self) -> Path:
        return Path(self.script)


def text(value: Any) -> Json:
    return {"role": "user", "content": {"type": "text", "text": value}}


def case(name: str, **more: Any) -> Case:
    return Case("t", "2025-06-18", {"name": name}, (text("hi"),), **more)


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A cache with an environment in it, which is this very one under another name."""
    patch = pytest.MonkeyPatch()
    folder = tmp_path_factory.mktemp("cache")
    patch.setenv("MCP_PROMPT_FUZZ_CACHE", str(folder))
    python = folder / "clients" / "small" / "venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n', encoding="utf-8")
    python.chmod(0o700)
    patch.setattr(renderer_module, "python_environment", lambda *_: python)
    yield folder
    patch.undo()


@pytest.fixture(scope="module")
def small(small_driver: Path) -> SmallLibrary:
    return SmallLibrary("1", "a stand-in", "hypothesis", str(small_driver))


@pytest.fixture(scope="module")
def opened(cache: Path, small: SmallLibrary) -> Iterator[LibraryRenderer]:
    told: list[str] = []
    renderer = LibraryRenderer(
        "small", small, revision="2026-07-28", timeout=10, progress=told.append
    )
    assert told == ["starting small 1", "loading small for the first time"]
    yield renderer
    renderer.close()
    renderer.close()
    assert not list((cache / "running").iterdir())


def variables(rendering: Rendering) -> dict[str, str]:
    lines = rendering.turns[0].parts[0].text.splitlines()
    return dict(line.split("=", 1) for line in lines if "=" in line)


def test_it_is_a_renderer_in_the_drivers_lane(opened: LibraryRenderer) -> None:
    assert isinstance(opened, Renderer)
    identity = opened.identity
    assert (identity.spec, identity.name) == ("small", "hypothesis")
    assert (identity.lane, identity.view, identity.sandboxed) == ("driver", "server", True)
    assert identity.isolation


def test_the_revision_is_known_before_anything_is_judged(opened: LibraryRenderer) -> None:
    assert opened.identity.revisions == ("2025-06-18",)
    assert opened.identity.client == ("small", "2")


def test_its_environment_is_built_from_nothing(
    opened: LibraryRenderer, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = variables(opened.render(case("x")))
    assert shown["HOME"] != os.environ.get("HOME")
    assert Path(shown["folder"]) == Path(shown["HOME"]).parent / "work"
    assert "PYTHONPATH" not in shown
    assert "MCP_PROMPT_FUZZ_CACHE" not in shown


def test_definitions_of_one_listing_share_a_connection(opened: LibraryRenderer) -> None:
    first = variables(opened.render(case("y")))["connections"]
    assert variables(opened.render(replace(case("y"), messages=())))["connections"] == first
    assert variables(opened.render(case("z")))["connections"] != first


def test_each_rendering_of_a_definition_comes_with_its_listing(opened: LibraryRenderer) -> None:
    paged = case("y", pages=({"prompts": [], "cursor": "c"}, {"prompts": ["@"]}))
    first, second = (opened.render(paged) for _ in "12")
    assert variables(first)["connections"] == variables(second)["connections"]
    for rendering in (first, second):
        assert [entry["server"] for entry in rendering.listing or ()] == ["main"]
        assert [r.phase for r in rendering.requests or ()] == ["list"]


def test_one_that_breaks_while_listing_is_asked_to_list_again(opened: LibraryRenderer) -> None:
    broke = opened.render(case("x", beside={"breaking": {}})).broke
    assert broke is not None
    assert broke.kind == "exit"
    counts = [variables(opened.render(case(name)))["connections"] for name in ("a", "b")]
    assert counts == ["1", "3"]


def test_what_the_model_was_asked_is_captured(opened: LibraryRenderer) -> None:
    assert opened.render(case("ask")).turns == (Turn("user", (text_part("asked"),)),)


def test_a_marker_is_reported_once(opened: LibraryRenderer) -> None:
    prompt = {"name": "touch", "arguments": [{"name": "file"}]}
    touching = replace(case("touch"), prompt=prompt, arguments={"file": MARKER_FILE})
    assert opened.render(touching).ran == (MARKER_FILE,)
    assert opened.render(case("x")).ran == ()


def test_what_cannot_be_imported_is_unavailable(cache: Path, small: SmallLibrary) -> None:
    (cache / "clients" / "small" / "loaded").unlink(missing_ok=True)
    broken = replace(small, script="no_such_driver.py")
    with pytest.raises(RendererUnavailable, match="can't be imported"):
        LibraryRenderer("small", broken, revision="2026-07-28", timeout=10)
    assert not (cache / "clients" / "small" / "loaded").exists()
