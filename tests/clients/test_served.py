"""A client program as a renderer: publishing, invoking, reading, restarting."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp_types", reason="the lab needs mcp 2.x")

from hypothesis_mcp.canaries import MARKER_FILE
from mcp_prompt_fuzz.case import Case
from mcp_prompt_fuzz.clients.served import ServedRenderer
from mcp_prompt_fuzz.jsontypes import Json
from mcp_prompt_fuzz.lab.process_table import started_at
from mcp_prompt_fuzz.renderer import Renderer, RendererUnavailable
from mcp_prompt_fuzz.transcript import Part, Turn, text_part

from .fakes import SmallClient


def text(value: Any, role: str = "user") -> Json:
    return {"role": role, "content": {"type": "text", "text": value}}


def case(*texts: Any, name: str = "look", **more: Any) -> Case:
    return Case("t", "2025-06-18", {"name": name}, tuple(map(text, texts)), **more)


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    patch = pytest.MonkeyPatch()
    folder = tmp_path_factory.mktemp("cache")
    patch.setenv("MCP_PROMPT_FUZZ_CACHE", str(folder))
    yield folder
    patch.undo()


@pytest.fixture(scope="module")
def opened(cache: Path) -> Iterator[tuple[ServedRenderer, SmallClient]]:
    program = SmallClient()
    renderer = ServedRenderer(program, revision="2026-07-28", timeout=5)
    yield renderer, program
    renderer.close()
    renderer.close()
    assert not list((cache / "running").iterdir())


@pytest.fixture
def renderer(opened: tuple[ServedRenderer, SmallClient]) -> ServedRenderer:
    return opened[0]


@pytest.fixture
def program(opened: tuple[ServedRenderer, SmallClient]) -> SmallClient:
    return opened[1]


def of_prompt(turns: tuple[Turn, ...]) -> tuple[Turn, ...]:
    return tuple(turn for turn in turns if turn.role != "system")


def test_it_is_a_renderer(renderer: ServedRenderer) -> None:
    assert isinstance(renderer, Renderer)
    identity = renderer.identity
    assert (identity.lane, identity.view, identity.sandboxed) == ("client", "server", True)
    assert identity.client == ("small", "1")
    assert identity.revisions == ("2025-06-18",)
    assert identity.isolation


def test_a_case_is_rendered(renderer: ServedRenderer) -> None:
    image = {"role": "assistant", "content": {"type": "image", "data": "aGk=", "mimeType": "a/b"}}
    prompt = {"name": "look", "arguments": [{"name": "a"}]}
    asked = replace(case(["<", {"argument": "a"}, ">"]), prompt=prompt, arguments={"a": " x "})
    rendering = renderer.render(replace(asked, messages=(*asked.messages, image)))
    assert of_prompt(rendering.turns) == (
        Turn("user", (text_part("< x >"),)),
        Turn("assistant", (Part("file", data=b"hi", media_type="a/b"),)),
    )
    assert rendering.turns[0].role == "system"
    assert rendering.shown == "done"
    assert rendering.provider_notes
    assert rendering.requests is not None
    assert [(r.method, r.params["arguments"], r.phase) for r in rendering.requests] == [
        ("prompts/get", {"a": " x "}, "invoke")
    ]


def test_another_content_needs_no_new_listing(
    renderer: ServedRenderer, program: SmallClient
) -> None:
    renderer.render(case("first"))
    connected = program.connected
    for value in ("second", "third"):
        rendering = renderer.render(case(value))
        assert of_prompt(rendering.turns)[0].parts[0].text == value
    assert program.connected == connected


def test_prepared_definitions_are_published_at_once(
    renderer: ServedRenderer, program: SmallClient
) -> None:
    cases = [case(str(n), name=f"prompt {n}") for n in range(50)]
    renderer.prepare([*cases, case("x", name="PROMPT 1")])
    connected = program.connected
    for n, one in enumerate(cases):
        assert of_prompt(renderer.render(one).turns)[0].parts[0].text == str(n)
    assert program.connected == connected + 1
    assert of_prompt(renderer.render(case("x", name="PROMPT 1")).turns)
    assert program.connected == connected + 2


def test_what_was_published_comes_again_after_a_listing_of_its_own(
    renderer: ServedRenderer, program: SmallClient
) -> None:
    cases = [case(str(n), name=f"again {n}") for n in range(5)]
    renderer.prepare(cases)
    renderer.render(cases[0])
    renderer.render(
        case("a", name="alone", pages=({"prompts": [], "cursor": ""}, {"prompts": ["@"]}))
    )
    connected = program.connected
    for n, one in enumerate(cases):
        assert of_prompt(renderer.render(one).turns)[0].parts[0].text == str(n)
    assert program.connected == connected + 1


def test_a_listing_of_its_own_shows_its_requests(renderer: ServedRenderer) -> None:
    pages = ({"prompts": [], "cursor": ""}, {"prompts": ["@"]})
    rendering = renderer.render(case("a", pages=pages))
    assert rendering.requests is not None
    listed = [r for r in rendering.requests if r.phase == "list"]
    assert [r.method for r in listed] == ["initialize", "prompts/list", "prompts/list"]
    assert [r.params.get("cursor") for r in listed[1:]] == [None, ""]
    assert [p["name"] for p in rendering.listing or ()] == ["look"]
    gated = renderer.render(case("a", capabilities={}))
    assert gated.requests is not None
    assert [(r.method, r.phase) for r in gated.requests] == [
        ("initialize", "list"),
        ("prompts/get", "invoke"),
    ]
    assert gated.error == "Method not found"
    judged = renderer.render(case("a", rule="list.complete"))
    assert [r.phase for r in judged.requests or ()].count("list") == 2


def test_a_twin_shares_the_listing_and_a_repetition_does_not(
    renderer: ServedRenderer, program: SmallClient
) -> None:
    first = case("one", rule="list.complete", name="twin")
    rendering = renderer.render(first)
    connected = program.connected
    twin = renderer.render(case("two", rule="list.complete", name="twin"))
    assert program.connected == connected
    assert of_prompt(twin.turns)[0].parts[0].text == "two"
    assert twin.requests == rendering.requests
    assert renderer.render(first).requests == rendering.requests
    assert program.connected == connected + 1


def test_servers_beside_and_a_changed_list(renderer: ServedRenderer) -> None:
    other = {"prompt": {"name": "look"}, "messages": [text("other")]}
    rendering = renderer.render(case("mine", beside={"two": {"pages": [{"prompts": [other]}]}}))
    assert of_prompt(rendering.turns)[0].parts[0].text == "mine"
    assert {p["server"] for p in rendering.listing or ()} == {"main", "two"}
    changed = renderer.render(
        case(
            "new",
            capabilities={"prompts": {"listChanged": True}},
            pages=({"prompts": []},),
            relist=({"prompts": ["@"]},),
        )
    )
    assert [r.method for r in changed.requests or () if r.phase == "list"].count(
        "prompts/list"
    ) == 2
    assert of_prompt(changed.turns)[0].parts[0].text == "new"


def test_errors_are_what_the_user_is_shown(renderer: ServedRenderer) -> None:
    failing = case("a", error={"on": "prompts/get", "code": -32603, "message": "no such luck"})
    rendering = renderer.render(failing)
    assert (rendering.error, rendering.turns) == ("no such luck", ())
    assert [r.error for r in rendering.requests or ()] == [-32603]
    assert renderer.render(case("refuse")).error == "not with me"


def test_what_cannot_be_said_is_unsupported(renderer: ServedRenderer) -> None:
    rendering = renderer.render(case("a", arguments={"a": "unspeakable"}))
    assert rendering.unsupported == "arguments.verbatim: nobody says that"
    assert not rendering.sent


def test_what_came_before_is_invoked_and_not_judged(renderer: ServedRenderer) -> None:
    earlier = (case("one", name="earlier"), case("two"))
    rendering = renderer.render(case("three", before=earlier))
    assert [turn.parts[0].text for turn in of_prompt(rendering.turns)] == ["three"]
    assert len(rendering.requests or ()) == 1


def test_a_marker_is_reported_once(renderer: ServedRenderer) -> None:
    assert renderer.render(case("touch")).ran == (MARKER_FILE,)
    assert renderer.render(case("a")).ran == ()


def test_it_is_given_up_after_three_restarts(cache: Path) -> None:
    program = SmallClient(starts=1)
    renderer = ServedRenderer(program, revision="2026-07-28", timeout=5)
    try:
        assert renderer.render(case("exit")).broke
        assert renderer.render(case("a")).broke
        assert renderer.render(case("a")).broke
        with pytest.raises(RendererUnavailable, match="4 times in a row"):
            renderer.render(case("a"))
    finally:
        renderer.close()
    assert program.child is not None
    assert started_at(program.child.pid) is None


def test_one_that_does_not_start_is_unavailable(cache: Path) -> None:
    with pytest.raises(RendererUnavailable, match="could not be started"):
        ServedRenderer(SmallClient(starts=0), revision="2026-07-28", timeout=5)
    assert not [note for note in (cache / "running").iterdir() if note.suffix == ".new"]
