"""gemini-cli and qwen-code: how one types, what is cut. The real programs need the network."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hypothesis_mcp.values import VALUES
from mcp_prompt_fuzz.case import Case
from mcp_prompt_fuzz.clients.gemini_cli import GeminiCli, cleaned, resolved
from mcp_prompt_fuzz.clients.program import Unsupported
from mcp_prompt_fuzz.clients.qwen_code import QwenCode
from mcp_prompt_fuzz.clients.terminal import failure, plain
from mcp_prompt_fuzz.clients.terminal_ui import TerminalProgram, cut, quoted
from mcp_prompt_fuzz.jsontypes import Json
from mcp_prompt_fuzz.renderer import Renderer
from mcp_prompt_fuzz.transcript import Turn, text_part

BOTH = [GeminiCli(), QwenCode()]
PREFACE = "<session_context>\nToday\n</session_context>"
REMINDER = "<system-reminder>\nNow\n</system-reminder>"


def text(value: Any) -> Json:
    return {"role": "user", "content": {"type": "text", "text": value}}


def case(declared: dict[str, bool], arguments: dict[str, str], **more: Any) -> Case:
    listed = [{"name": name, "required": required} for name, required in declared.items()]
    prompt = {"name": more.pop("name", "look"), "arguments": listed}
    return Case("t", "2025-06-18", prompt, (text("x"),), arguments=arguments, **more)


def offer(name: str) -> Json:
    return {"prompt": {"name": name}, "messages": []}


def read_back(typed: str) -> dict[str, str]:
    """The arguments as both programs read them."""
    found = re.finditer(r'--([^=]+)=(?:"((?:\\.|[^"\\])*)"|([^ ]+))', typed)
    return {m[1]: re.sub(r"\\(.)", r"\1", m[2] if m[3] is None else m[3]) for m in found}


def turn(role: str, *texts: str) -> Turn:
    return Turn(role, tuple(map(text_part, texts)))


@given(st.lists(st.text(), min_size=1, max_size=3))
def test_values_are_typed_so_that_they_can_be_read_back(values: list[str]) -> None:
    given_ = dict(zip("abc", values, strict=False))
    typed = BOTH[0].express(case(dict.fromkeys("abc", False), given_))
    if isinstance(typed, Unsupported):
        assert typed.why.startswith("arguments.verbatim")
        assert any(re.search(r"[\x00-\x1f\x7f-\x9f]", value) for value in values)
    else:
        assert typed.startswith("/look --a=")
        assert read_back(typed) == given_


@pytest.mark.parametrize("value", VALUES.values(), ids=VALUES.keys())
@pytest.mark.parametrize("program", BOTH, ids=lambda p: p.name)
def test_nothing_but_the_command_is_a_key(program: TerminalProgram, value: str) -> None:
    """What is pasted can't end its paste, and is never the first thing typed."""
    typed = program.express(case({"a": True}, {"a": value}))
    if isinstance(typed, str):
        assert typed.startswith('/look --a="')
        assert "\x1b" not in typed
        assert "\x9b" not in typed
    else:
        assert "\0" in value


@pytest.mark.parametrize(
    ("declared", "given_", "gemini", "qwen"),
    [
        ({"a=b": True}, {"a=b": "x"}, '/look "x"', '/look "x"'),
        ({"": True, "b": False}, {"": "x", "b": "y"}, '/look "x" --b="y"', '/look "x" --b="y"'),
        ({"a=b": False}, {"a=b": "x"}, None, '/look "x"'),
        ({"c": False, "a=b": False}, {"a=b": "x"}, None, None),
        ({"c": False, "a=b": False}, {"c": "1", "a=b": "x"}, None, '/look --c="1" "x"'),
        ({"a=b": True, "c=d": True}, {"a=b": "x", "c=d": "y"}, None, None),
        ({}, {}, "/look", "/look"),
    ],
)
def test_what_cannot_be_named_is_given_by_position(
    declared: dict[str, bool], given_: dict[str, str], gemini: str | None, qwen: str | None
) -> None:
    for program, expected in zip(BOTH, (gemini, qwen), strict=True):
        typed = program.express(case(declared, given_))
        if expected is None:
            assert isinstance(typed, Unsupported)
            assert typed.why.startswith("arguments.verbatim: no argument can be named")
        else:
            assert typed == expected


@pytest.mark.parametrize(
    ("name", "why"), [("a\0b", "list.reachable: '\\x00'"), ("", "list.reachable: the prompt's")]
)
def test_a_command_that_cannot_be_typed(name: str, why: str) -> None:
    typed = BOTH[0].express(case({}, {}, name=name))
    assert isinstance(typed, Unsupported)
    assert typed.why.startswith(why)


def test_gemini_cleans_names_and_puts_the_server_before_those_that_are_taken() -> None:
    gemini = GeminiCli()
    assert gemini.commands_for(case({}, {}, name=" a  b\n")) == ["a-b"]
    assert gemini.commands_for(case({}, {}, name="help")) == ["main.help"]
    assert gemini.shadow({"name": "a b"}) == gemini.shadow({"name": "a-b"}) == cleaned("a\tb")
    beside = {"two": {"pages": [{"prompts": [offer("a-b")]}]}}
    assert gemini.commands_for(case({}, {}, name="a b", beside=beside)) == ["main.a-b"]
    assert gemini.commands_for(case({}, {}, name="a-b", beside=beside)) == ["main_a-b", "a-b"]


def test_gemini_loses_the_first_of_two_that_are_equal_after_its_clean_up() -> None:
    offers = [("main", "a b"), ("main", "a-b"), ("two", "a\tb")]
    assert resolved(offers[:2]) == {("main", "a-b"): "main.a-b"}
    assert resolved(offers) == {("main", "a-b"): "main.a-b", ("two", "a\tb"): "two.a-b"}
    pages = ({"prompts": ["@", offer("a-b")]},)
    assert GeminiCli().commands_for(case({}, {}, name="a b", pages=pages)) == ["main.a-b"]


def test_qwen_takes_names_as_they_are() -> None:
    beside = {"two": {"pages": [{"prompts": [offer("a b")]}]}}
    assert QwenCode().commands_for(case({}, {}, name="a b")) == ["a b"]
    assert QwenCode().commands_for(case({}, {}, name="a b", beside=beside)) == ["main_a b", "a b"]


def test_the_conversation_is_cut_after_the_last_canned_answer() -> None:
    turns = (
        turn("system", "Be kind."),
        turn("user", PREFACE, "first"),
        turn("assistant", "Noted."),
        turn("user", REMINDER, "second"),
        turn("assistant", "Noted."),
        turn("user", "third"),
        turn("assistant", "said by the prompt"),
        turn("user", "fourth"),
    )
    assert GeminiCli().steady(turns) == (turns[0], *turns[5:])
    assert GeminiCli().steady(turns[:2]) == (turns[0], turn("user", "first"))
    assert QwenCode().steady(turns[:4]) == (turns[0], turn("user", "second"))
    assert cut((), QwenCode.own_words) == ()


def test_what_imitates_the_programs_own_words_stays() -> None:
    said = turn("user", f"{PREFACE} and more", f"{REMINDER} text {REMINDER}", REMINDER * 2)
    assert GeminiCli().steady((said,)) == (said,)
    assert QwenCode().steady((said,)) == (turn("user", *(p.text for p in said.parts[:2])),)


def test_requests_beside_the_conversation_are_none_of_the_case() -> None:
    def request(system: object) -> Json:
        return {"body": {"messages": [{"role": "system", "content": system}]}}

    assert QwenCode().is_of_the_case(request("You are Qwen Code, an agent."))
    assert not QwenCode().is_of_the_case(request("You are now a memory extractor."))
    assert not QwenCode().is_of_the_case({"body": "torn"})


def test_a_screen_is_read_without_its_escapes() -> None:
    drawn = (
        "\x1b[2J\x1b[1;1H\x1b]0;title\x07\x1b]8;;http://x\x1b\\link\x1b[?25l\r\n"
        "\x1bP1$r0m\x1b\\\x1b(B  \x1b[31m✕ Error:\x1b[0m boom   \r\n\x1b=│ > /look │\x1b[K"
    )
    assert plain(drawn) == "link\n  ✕ Error: boom\n│ > /look │"
    assert failure(plain(drawn)) == "Error: boom"
    assert failure("✕ first\n  ✕ second   █\n > Type") == "second"
    assert failure("> /look ✕ in a line\n✦ Noted.") is None


def test_settings_name_every_server_and_no_key() -> None:
    from mcp_prompt_fuzz.lab.host import Address  # noqa: PLC0415

    servers = {name: Address(f"http://127.0.0.1:1/{name}", ()) for name in ("main", "two")}
    qwen = QwenCode()
    assert list(GeminiCli().settings(servers)["mcpServers"]) == ["main", "two"]
    assert qwen.settings(servers)["mcpServers"] != qwen.settings(servers)["mcpServers"]
    assert quoted('a\\"') == '"a\\\\\\""'


@pytest.fixture(scope="module", params=["gemini-cli", "qwen-code"])
def real(request: pytest.FixtureRequest) -> Iterator[Renderer]:
    from mcp_prompt_fuzz.clients import open_client  # noqa: PLC0415

    renderer = open_client(request.param, timeout=60)
    yield renderer
    renderer.close()


@pytest.mark.network
def test_the_real_program_renders_and_is_kept_running(real: Renderer) -> None:
    shown = (text(["about ", {"argument": "a"}]),)
    plainest = replace(case({"a": True, "b": False}, {}), messages=shown)
    for value in ("x y", 'say "a"'):
        rendering = real.render(replace(plainest, arguments={"a": value}))
        assert rendering.error is None
        [asked] = [r for r in rendering.requests or () if r.method == "prompts/get"]
        assert asked.params["arguments"] == {"a": value}
        assert value.split()[-1].strip('"') in rendering.turns[-1].parts[-1].text
        assert [t.role for t in rendering.turns] == ["system", "user"]
    refused = real.render(replace(plainest, arguments={"a": "x"}, messages=()))
    assert refused.error
    assert not refused.turns
    again = real.render(replace(plainest, arguments={"a": "z"}))
    assert "z" in again.turns[-1].parts[-1].text


@pytest.mark.network
def test_a_prompt_that_is_not_listed_is_not_had(real: Renderer) -> None:
    hidden = case({}, {}, name="unlisted", pages=({"prompts": [offer("other")]},))
    rendering = real.render(hidden)
    assert not [r for r in rendering.requests or () if r.method == "prompts/get"]
