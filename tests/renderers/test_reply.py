"""Every form of a reply becomes a rendering, and a bad one says where it is bad."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_prompt_fuzz.renderers.reply import decode_reply
from mcp_prompt_fuzz.rendering import Rendering
from mcp_prompt_fuzz.transcript import Part, Turn, text_part


def test_messages_with_every_kind_of_part() -> None:
    reply = {
        "id": 3,
        "messages": [
            {"role": "system", "content": "rules"},
            {
                "role": "user",
                "content": [
                    {"type": "text", "text": ""},
                    {"type": "image", "data": "AAE=", "mimeType": "image/png", "later": 1},
                    {"type": "audio", "data": "", "mimeType": "audio/wav"},
                    {"type": "file", "data": "AA==", "mimeType": "a/b", "uri": "a:b", "name": "n"},
                    {"type": "link", "uri": "a:b", "name": "n", "title": "t", "size": 0},
                ],
            },
            {"role": "assistant", "content": []},
        ],
        "shown": "a title",
    }
    assert decode_reply(reply) == Rendering(
        turns=(
            Turn("system", (text_part("rules"),)),
            Turn(
                "user",
                (
                    text_part(""),
                    Part("image", data=b"\0\1", media_type="image/png"),
                    Part("audio", media_type="audio/wav"),
                    Part("file", data=b"\0", media_type="a/b", uri="a:b", name="n"),
                    Part("link", uri="a:b", name="n", title="t", size=0),
                ),
            ),
            Turn("assistant", ()),
        ),
        shown="a title",
    )


def test_text_has_no_role() -> None:
    assert decode_reply({"text": "a\n"}).turns == (Turn(None, (text_part("a\n"),)),)


def test_a_provider_request_is_read_back_with_its_notes() -> None:
    body = {"messages": [{"role": "user", "content": "hello"}]}
    rendering = decode_reply({"dialect": "openai.chat", "body": body})
    assert rendering.turns == (Turn("user", (text_part("hello"),)),)
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA=="}}
    asking = {"messages": [{"role": "assistant", "content": [image]}]}
    noted = decode_reply({"dialect": "openai.chat", "body": asking})
    assert noted.turns[0].parts[0].data == b"\0"
    assert noted.provider_notes


def test_errors_and_what_can_t_be_expressed() -> None:
    assert decode_reply({"error": "no", "shown": "s"}) == Rendering(error="no", shown="s")
    assert not decode_reply({"error": ""}).sent
    assert decode_reply({"unsupported": "why"}).unsupported == "why"


def test_what_the_endpoint_captured() -> None:
    captured = Rendering(turns=(Turn("user", (text_part("a"),)),))
    assert decode_reply({"captured": True}, lambda: captured) is captured


def test_any_spelling_of_base64_is_read() -> None:
    for data in ("-_8=", "+/8", " +/\n8=", "-_8"):
        reply = {
            "messages": [
                {"role": "user", "content": [{"type": "file", "data": data, "mimeType": "a/b"}]}
            ]
        }
        assert decode_reply(reply).turns[0].parts[0].data == b"\xfb\xff"


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        (None, "$: None is not of type 'object'"),
        ({}, "$: a reply holds one of messages, text, dialect"),
        ({"text": "", "error": ""}, "found text and error"),
        ({"text": 3}, "$.text: 3 is not of type 'string'"),
        ({"captured": True}, "given no model endpoint"),
        ({"captured": False}, "$.captured"),
        ({"dialect": "openai.chat"}, "'body' is a dependency of 'dialect'"),
        ({"dialect": "openai", "body": {}}, "$.dialect"),
        ({"dialect": "openai.chat", "body": {"messages": 3}}, "$.body: openai.chat: "),
        ({"messages": [{"role": "model", "content": ""}]}, "$.messages[0].role: 'model'"),
        ({"messages": [{"role": "user", "content": [{"type": "img"}]}]}, ".content[0].type"),
        (
            {"messages": [{"role": "user", "content": [{"type": "image", "data": ""}]}]},
            "$.messages[0].content[0]: 'mimeType' is a required property",
        ),
    ],
)
def test_a_bad_reply_is_garbage_that_says_where(reply: Any, told: str) -> None:
    rendering = decode_reply(reply)
    assert rendering.broke is not None
    assert rendering.broke.kind == "garbage"
    assert told in rendering.broke.detail
