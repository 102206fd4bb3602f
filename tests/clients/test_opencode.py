"""What is special to opencode: how arguments are typed. The program itself needs the network."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_prompt_fuzz.case import Case
from mcp_prompt_fuzz.clients.kilo import kilo
from mcp_prompt_fuzz.clients.opencode import Opencode
from mcp_prompt_fuzz.clients.program import Unsupported
from mcp_prompt_fuzz.jsontypes import Json
from mcp_prompt_fuzz.renderer import Renderer
from mcp_prompt_fuzz.transcript import Turn, text_part


def text(value: Any) -> Json:
    return {"role": "user", "content": {"type": "text", "text": value}}


def case(names: str, arguments: dict[str, str], *messages: Json, **more: Any) -> Case:
    prompt = {"name": "look at", "arguments": [{"name": name} for name in names]}
    return Case("t", "2025-06-18", prompt, messages, arguments=arguments, **more)


def words(typed: str) -> list[str]:
    """The words that opencode reads: quoted runs, or runs without blanks and quotes."""
    found = re.findall(r"\[Image\s+\d+\]|\"[^\"]*\"|'[^']*'|[^\s\"']+", typed, re.IGNORECASE)
    return [re.sub(r"^[\"']|[\"']$", "", word) for word in found]


@given(st.lists(st.text(), max_size=4))
def test_values_are_typed_so_that_they_can_be_read_back(values: list[str]) -> None:
    names = "abcd"[: len(values)]
    typed = Opencode().express(case("abcd", dict(zip(names, values, strict=True))))
    if isinstance(typed, Unsupported):
        assert typed.why.startswith("arguments.verbatim")
        assert any('"' in value and "'" in value for value in values)
    else:
        assert words(typed) == values


@pytest.mark.parametrize(
    ("names", "given_", "rule"),
    [
        ("abc", {"c": "x"}, "arguments.subsets"),
        ("ab", {"b": "x"}, "arguments.subsets"),
        ("a", {"z": "x"}, "arguments.verbatim"),
        ("a", {"a": "'\""}, "arguments.verbatim"),
    ],
)
def test_what_cannot_be_typed(names: str, given_: dict[str, str], rule: str) -> None:
    refused = Opencode().express(case(names, given_))
    assert isinstance(refused, Unsupported)
    assert refused.why.startswith(rule + ":")
    assert refused.attempt.startswith("/main:look_at")


def test_the_order_of_declaration_counts() -> None:
    assert Opencode().express(case("ab", {"b": "2 3", "a": ""})) == '"" "2 3"'


def test_names_that_are_cleaned_up_alike_hide_each_other() -> None:
    shadow = Opencode().shadow
    assert shadow({"name": "a b"}) == shadow({"name": "a/b"}) != shadow({"name": "A b"})


def test_the_time_that_kilo_adds_is_made_constant() -> None:
    added = (
        "\n\n<environment_details>\nMessage time: {}\nWorking directory: /w\n</environment_details>"
    )
    prompt = text_part("Message time: 12:00\n")

    def turns(now: str) -> tuple[Turn, ...]:
        return (Turn("user", (prompt, text_part(added.format(now)))),)

    first, second = (kilo().steady(turns(now)) for now in ("2026-01-01T00:00:00Z", "later"))
    assert first == second
    assert first[0].parts[0] == prompt
    assert "(now)" in first[0].parts[1].text
    assert Opencode().steady(turns("x")) == turns("x")


@pytest.fixture(scope="module")
def opencode() -> Iterator[Renderer]:
    from mcp_prompt_fuzz.clients import open_client  # noqa: PLC0415

    renderer = open_client("opencode", timeout=30)
    yield renderer
    renderer.close()


@pytest.mark.network
def test_the_real_program_renders_and_is_kept_running(opencode: Renderer) -> None:
    for value in ("one", "two"):
        shown = text([f"{value} ", {"argument": "a"}, {"argument": "b"}])
        rendering = opencode.render(case("ab", {"a": "x y", "b": "z"}, shown))
        assert rendering.turns[-1].parts[0].text == f"{value} x yz"
        assert [r.method for r in rendering.requests or ()] == ["prompts/get"]


@pytest.mark.network
def test_the_real_program_lists(opencode: Renderer) -> None:
    pages = ({"prompts": [], "cursor": "c"}, {"prompts": ["@"]})
    rendering = opencode.render(case("", {}, text("hi"), pages=pages))
    listed = [r.params.get("cursor") for r in rendering.requests or () if "list" in r.method]
    assert listed == [None, "c"]
    gated = opencode.render(case("", {}, text("hi"), capabilities={}))
    assert {r.method for r in gated.requests or ()} == {"initialize"}
