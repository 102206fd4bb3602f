"""A finding in words, with what can't be seen made visible."""

from __future__ import annotations

import pytest
from tests.fakes.faulty import case, said

from mcp_prompt_fuzz.explain import explanation, first_difference, visible
from mcp_prompt_fuzz.finding import Fault
from mcp_prompt_fuzz.oracle import Found
from mcp_prompt_fuzz.rendering import Rendering, Request


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a b", "a·b"),
        ("\t\r\n", "⇥␍⏎"),
        ("\0", "␀"),
        ("\u00a0\u200b\ufeff", "⍽<U+200B><U+FEFF>"),
        ("\x1b[31m", "<U+001B>[31m"),
        ("\u202e", "<U+202E>"),
        ("\u2028\u2029", "<U+2028><U+2029>"),
        ("\u3000", "<U+3000>"),
        ("\ue000", "<U+E000>"),
        ("\uffff", "<U+FFFF>"),
        ("\ud800", "<U+D800>"),
        ("e\u0301", "e<U+0301>"),
        ("\u00e9\u4f60", "\u00e9\u4f60"),
    ],
)
def test_visible(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_spaces_may_stay() -> None:
    assert visible("a b\n", spaces=False) == "a b⏎"


def test_the_first_difference_is_shown() -> None:
    sent, seen = first_difference("hello world", "hello there").split("\n")
    assert sent == "sent: hello·world  (11 characters)"
    assert seen == "seen: hello·there  (11 characters)"


def test_only_what_is_around_it_is_shown() -> None:
    sent, seen = first_difference("x" * 100 + "A" + "y" * 100, "x" * 100 + "B").split("\n")
    assert sent == f"sent: …{'x' * 24}A{'y' * 23}…  (201 characters)"
    assert seen == f"seen: …{'x' * 24}B  (101 characters)"


def test_a_text_that_ends_early() -> None:
    sent, seen = first_difference("ab", "a").split("\n")
    assert (sent, seen) == ("sent: ab  (2 characters)", "seen: a  (1 characters)")
    assert first_difference("", "x").split("\n")[0] == "sent:   (0 characters)"


def test_an_explanation_names_the_message_and_the_difference() -> None:
    found = Found(Fault("text.verbatim"), "it changed", 1, sent=" a", seen="a")
    text = explanation(found, case(said("x"), said(" a")), Rendering())
    assert text.split("\n") == [
        "it changed",
        "It is about message 2 of 2.",
        "sent: ·a  (2 characters)",
        "seen: a  (1 characters)",
    ]


def test_a_single_message_needs_no_number() -> None:
    found = Found(Fault("image"), "it is gone", 0)
    assert explanation(found, case(said("x")), Rendering()) == "it is gone"


@pytest.mark.parametrize("rule", ["arguments.named", "list.gated"])
def test_what_the_server_received(rule: str) -> None:
    requests = tuple(Request(f"m{n}", {"name": "a\nb"}) for n in range(6))
    text = explanation(Found(Fault(rule), "n"), case(), Rendering(requests=requests))
    lines = text.split("\n")[1:]
    assert len(lines) == 4
    assert lines[0] == "The server received: m2 {'name': 'a\\nb'}"
    assert "received" not in explanation(
        Found(Fault("image"), "n"), case(), Rendering(requests=requests)
    )
    assert explanation(Found(Fault(rule), "n"), case(), Rendering()) == "n"


def test_a_pair_is_told() -> None:
    found = Found(Fault("roles"), "n", pair=case(said("b")))
    assert (
        explanation(found, case(said("a")), Rendering())
        .split("\n")[-1]
        .startswith("The same rendering comes of another prompt")
    )
