"""Functions in this process: by result, by model, by live session, sync and async."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import ClientSession, GetPromptResult

from mcp_prompt_fuzz.case import NEWEST_REVISION, REVISIONS, Case
from mcp_prompt_fuzz.renderer import Renderer, RendererUnavailable
from mcp_prompt_fuzz.renderers import UsageError, function_renderer, open_renderer
from mcp_prompt_fuzz.rendering import Request

PROMPT = {"name": "p", "arguments": [{"name": "a", "required": True}, {"name": "b"}]}
MESSAGES = (
    {"role": "user", "content": {"type": "text", "text": ["a=", {"argument": "a"}]}},
    {"role": "assistant", "content": {"type": "image", "data": "AA==", "mimeType": "image/png"}},
)
CASE = Case("t", NEWEST_REVISION, PROMPT, MESSAGES, arguments={"a": "$1"})


@contextlib.contextmanager
def calling(
    function: Callable[..., Any], *, revision: str = NEWEST_REVISION, timeout: float = 20
) -> Iterator[Renderer]:
    renderer = function_renderer(function, revision=revision, timeout=timeout)
    with contextlib.closing(renderer):
        yield renderer


def said(renderer: Renderer, case: Case = CASE) -> list[str]:
    rendering = renderer.render(case)
    assert rendering.sent, rendering
    return [part.text for turn in rendering.turns for part in turn.parts]


def from_json(result: dict[str, Any]) -> str:
    return " ".join(m["content"]["type"] for m in result["messages"])


async def from_json_async(result: dict[str, Any]) -> str:
    await anyio.sleep(0)
    return from_json(result)


def from_model(result: GetPromptResult) -> list[dict[str, Any]]:
    assert isinstance(result, GetPromptResult)
    return [{"role": m.role, "content": m.content.type} for m in result.messages]


class Renders:
    async def __call__(self, result: dict[str, Any]) -> str:
        return from_json(result)

    def method(self, result: "GetPromptResult") -> str:  # noqa: UP037 - resolved all the same
        return " ".join(m.content.type for m in result.messages)


async def from_session(session: ClientSession, name: str, arguments: dict[str, str]) -> str:
    result = await session.get_prompt(name, arguments)
    return " ".join(m.content.type for m in result.messages)


@pytest.mark.parametrize(
    "function",
    [
        from_json,
        from_json_async,
        lambda result: from_json_async(result | {}),
        Renders(),
        Renders().method,
    ],
)
def test_a_result_is_handed_over_as_the_function_wants_it(function: Callable[..., Any]) -> None:
    with calling(function) as renderer:
        assert said(renderer) == ["text image"]
        assert renderer.identity.view == "result"
        assert renderer.render(CASE).requests is None


def test_a_model_of_the_installed_sdk() -> None:
    with calling(from_model) as renderer:
        assert said(renderer) == ["text", "image"]
        assert [turn.role for turn in renderer.render(CASE).turns] == ["user", "assistant"]


def test_a_function_may_change_what_it_is_given() -> None:
    def spoils(result: dict[str, Any]) -> str:
        result["messages"][1]["content"].clear()
        return str(result.pop("messages")[0]["content"]["text"])

    with calling(spoils) as renderer:
        assert said(renderer) == said(renderer) == ["a=$1"]
    assert MESSAGES[1]["content"]["type"] == "image"  # type: ignore[index]


def test_a_missing_required_argument_leaves_its_slot_empty_where_only_the_result_is_seen() -> None:
    with calling(lambda r: r["messages"][0]["content"]["text"]) as renderer:
        assert said(renderer, replace(CASE, arguments={})) == ["a="]


@pytest.mark.parametrize("revision", REVISIONS)
def test_a_live_session_is_recorded(revision: str) -> None:
    with calling(from_session, revision=revision) as renderer:
        assert renderer.identity.view == "session"
        rendering = renderer.render(CASE)
        assert rendering.turns[0].parts[0].text == "text image"
        assert rendering.requests == (
            Request("prompts/get", {"name": "p", "arguments": {"a": "$1"}}),
        )


def test_a_session_is_kept_alive_from_case_to_case() -> None:
    sessions = set()

    async def remembers(session: ClientSession, name: str, arguments: dict[str, str]) -> str:
        sessions.add(session)
        return name

    with calling(remembers) as renderer:
        assert [said(renderer) for _ in range(3)] == [["p"]] * 3
    assert len(sessions) == 1


def test_an_error_of_the_server_is_an_error_reply() -> None:
    with calling(from_session) as renderer:
        rendering = renderer.render(replace(CASE, arguments={}))
        assert rendering.error is not None
        assert "missing required argument 'a'" in rendering.error
        assert [r.error for r in rendering.requests or ()] == [-32602]
        down = replace(CASE, error={"on": "prompts/get", "code": -32603, "message": "down"})
        assert "down" in (renderer.render(down).error or "")
        assert said(renderer) == ["text image"]


def test_earlier_cases_come_first_and_are_not_recorded() -> None:
    seen: list[str] = []

    async def remembers(session: ClientSession, name: str, arguments: dict[str, str]) -> str:
        result = await session.get_prompt(name, arguments)
        seen.extend(m.content.text for m in result.messages if m.content.type == "text")
        return name

    earlier = Case("e", NEWEST_REVISION, {"name": "earlier"}, (MESSAGES[0],))
    same = replace(CASE, arguments={"a": "other"})
    with calling(remembers) as renderer:
        rendering = renderer.render(replace(CASE, before=(earlier, same)))
    assert seen == ["a=", "a=other", "a=$1"]
    assert len(rendering.requests or ()) == 1


def test_exceptions_are_what_the_user_is_shown() -> None:
    def raises(result: dict[str, Any]) -> str:
        raise ExceptionGroup("two", [ValueError("no"), KeyError("images")])

    async def times_out(result: dict[str, Any]) -> str:
        raise TimeoutError("its own")

    with calling(raises) as renderer:
        assert renderer.render(CASE).error == "ValueError: no; KeyError: 'images'"
    with calling(times_out) as renderer:
        assert renderer.render(CASE).error == "TimeoutError: its own"


def exits(result: dict[str, Any]) -> str:
    sys.exit(3)


async def exits_async(result: dict[str, Any]) -> str:
    sys.exit(3)


async def exits_in_session(session: ClientSession, name: str, arguments: dict[str, str]) -> str:
    sys.exit(3)


@pytest.mark.parametrize("function", [exits, exits_async, exits_in_session])
def test_an_exit_breaks_one_rendering(function: Callable[..., Any]) -> None:
    with calling(function) as renderer:
        for _ in range(2):
            broke = renderer.render(CASE).broke
            assert broke is not None
            assert (broke.kind, broke.detail) == ("exit", "SystemExit: 3")


def hangs(result: dict[str, Any]) -> str:
    if "hang" in result["messages"][0]["content"]["text"]:
        time.sleep(60)
    return "fine"


async def hangs_async(result: dict[str, Any]) -> str:
    if "hang" in result["messages"][0]["content"]["text"]:
        await anyio.sleep(3600)
    return "fine"


async def hangs_in_session(session: ClientSession, name: str, arguments: dict[str, str]) -> str:
    await session.get_prompt(name, arguments)
    if arguments["a"] == "hang":
        await anyio.sleep(3600)
    return "fine"


async def blocks_the_loop(session: ClientSession, name: str, arguments: dict[str, str]) -> str:
    if arguments["a"] == "hang":
        time.sleep(60)
    return "fine"


@pytest.mark.parametrize("function", [hangs, hangs_async, hangs_in_session, blocks_the_loop])
def test_a_hang_is_left_behind(function: Callable[..., Any]) -> None:
    with calling(function, timeout=0.3) as renderer:
        started = time.monotonic()
        hung = renderer.render(replace(CASE, arguments={"a": "hang"}))
        assert time.monotonic() - started < 20, "it is not waited for"
        assert hung.broke is not None
        assert (hung.broke.kind, hung.broke.detail) == ("hang", "no answer within 0.3 s")
        # Under load, a first call may take longer than that: it gets more than one go.
        assert any(renderer.render(CASE).sent for _ in range(20))


@pytest.mark.parametrize("returned", [None, 3, [{"role": "user"}], {"messages": "a"}, {}])
def test_what_is_no_reply_is_garbage(returned: object) -> None:
    with calling(lambda result: returned) as renderer:
        broke = renderer.render(CASE).broke
        assert broke is not None
        assert broke.kind == "garbage"


def test_a_provider_body_and_a_whole_reply() -> None:
    body = {"messages": [{"role": "user", "content": "hello"}]}
    with calling(lambda result: {"dialect": "openai.chat", "body": body}) as renderer:
        assert said(renderer) == ["hello"]
    with calling(lambda result: {"error": "no images here", "shown": "x"}) as renderer:
        assert renderer.render(CASE).error == "no images here"


@pytest.mark.parametrize(
    "function", [lambda: "", lambda a, b: "", lambda a, b, c, d: "", "text", lambda *, a: ""]
)
def test_what_can_t_be_called_as_a_renderer(function: Any) -> None:
    with pytest.raises(UsageError) as caught:
        function_renderer(function, revision=NEWEST_REVISION, timeout=1, spec="python:a:b")
    assert "one parameter" in caught.value.next_step


def test_defaults_do_not_count() -> None:
    with calling(lambda result, indent=2, width=80, tabs=False: "x") as renderer:
        assert renderer.identity.view == "result"


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A module in the current folder, which is on no path yet."""
    name = "prompt_renderer_of_a_test"
    (tmp_path / f"{name}.py").write_text(
        "__version__ = '1.2'\n"
        "class Renderer:\n"
        "    def text(result):\n"
        "        return result['messages'][0]['content']['text']\n"
        "def none(): pass\n"
    )
    (tmp_path / f"{name}_broken.py").write_text("import no_such_module_anywhere\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    yield name
    sys.modules.pop(name, None)


def test_the_current_folder_is_first_on_the_path(module: str) -> None:
    spec = f"python:{module}:Renderer.text"
    with contextlib.closing(open_renderer(spec, revision=NEWEST_REVISION, timeout=20)) as renderer:
        assert said(renderer) == ["a=$1"]
        assert renderer.identity.spec == spec
        assert renderer.identity.version == "1.2"
        assert renderer.identity.lane == "function"


@pytest.mark.parametrize(
    ("suffix", "kind"),
    [
        ("", UsageError),
        (":", UsageError),
        (":missing", UsageError),
        (":none", UsageError),
        (":__version__", UsageError),
        ("_missing:render", RendererUnavailable),
        ("_broken:render", RendererUnavailable),
    ],
)
def test_a_spec_that_names_no_renderer(module: str, suffix: str, kind: type[Exception]) -> None:
    with pytest.raises(kind):
        open_renderer(f"python:{module}{suffix}", revision=NEWEST_REVISION, timeout=1)
