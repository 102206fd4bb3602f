"""What is taken to be right without asking the schema is right by the schema."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from typing import Any

import pytest

from mcp_prompt_fuzz.formats import FormatError, check
from mcp_prompt_fuzz.renderers.plain_reply import Unusual, read_plainly

PARTS: list[dict[str, Any]] = [
    {"type": "text", "text": ""},
    {"type": "image", "data": "AAE=", "mimeType": "image/png", "later": 1},
    {"type": "audio", "data": "", "mimeType": "audio/wav"},
    {"type": "file", "data": "AA==", "mimeType": "a/b", "uri": "a:b", "name": "n"},
    {"type": "link", "uri": "a:b", "name": "n", "title": "t", "description": "d", "size": 0},
    {"type": "text", "text": "a", "size": 1.0, "name": "n"},
]
REPLIES: list[dict[str, Any]] = [
    {"id": 3, "text": "a", "shown": "b"},
    {"error": "no"},
    {"unsupported": "arguments"},
    {"messages": []},
    {"id": 1, "messages": [{"role": "system", "content": "rules"}]},
    {"messages": [{"role": role, "content": PARTS} for role in ("user", "assistant", "tool")]},
]
PLAIN_FORMS = {"messages", "text", "error", "unsupported"}
ODD: list[Any] = [None, True, 0, 1.5, "", "text", [], {}, ["user"], {"type": "text"}]


def is_read(reply: Any) -> bool:
    try:
        read_plainly(reply)
    except Unusual:
        return False
    return True


def fits(reply: Any) -> bool:
    try:
        check(reply, "line-reply")
    except FormatError:
        return False
    return True


@pytest.mark.parametrize("reply", REPLIES)
def test_plain_replies_are_read(reply: Any) -> None:
    assert is_read(reply)
    assert fits(reply)


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    for place, item in list(inner):
        yield value, place
        if isinstance(item, (dict, list)):
            yield from _places(item)


@pytest.mark.parametrize("number", range(20))
def test_what_is_read_is_what_fits_the_schema(number: int) -> None:
    chance = random.Random(number)
    for _ in range(60):
        reply = copy.deepcopy(chance.choice(REPLIES))
        for _ in range(chance.randrange(1, 3)):
            places = list(_places(reply))
            if places:
                holder, place = chance.choice(places)
                if chance.random() < 0.3:
                    del holder[place]
                else:
                    holder[place] = copy.deepcopy(chance.choice(ODD))
        assert fits(reply) or not is_read(reply)
        if fits(reply) and isinstance(reply, dict) and len({*reply} - {"id", "shown"}) == 1:
            assert is_read(reply) == bool({*reply} & PLAIN_FORMS), "the schema need not be asked"


@pytest.mark.parametrize("reply", [*ODD[:8], {"messages": ["a"]}, {"later": 1}, {"captured": True}])
def test_the_rest_is_left_to_the_schema(reply: Any) -> None:
    assert not is_read(reply)


@pytest.mark.parametrize(
    "reply",
    [
        {"id": True, "text": "a"},
        {"text": 1},
        {"messages": [{"role": "x", "content": ""}]},
        {"messages": [{"role": "user", "content": [{"type": "image", "data": "AA=="}]}]},
        {"messages": [{"role": "user", "content": [{"type": "text", "text": "a", "uri": None}]}]},
    ],
)
def test_what_the_schema_refuses_is_not_read(reply: Any) -> None:
    assert not is_read(reply)
    assert not fits(reply)
