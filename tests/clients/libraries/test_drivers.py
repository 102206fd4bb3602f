"""From what each library hands out to the protocol's messages, and what can't be asked of it.

The libraries aren't installed here: what stands in for their objects has their attributes.
"""

from __future__ import annotations

import base64
import importlib
import sys
from collections.abc import Iterator
from io import BytesIO
from types import SimpleNamespace as Made
from typing import Any

import pytest

from mcp_prompt_fuzz.clients.libraries import LIBRARIES
from mcp_prompt_fuzz.renderers.reply import decode_reply
from mcp_prompt_fuzz.transcript import Part, Turn, text_part


@pytest.fixture(autouse=True)
def _drivers(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.syspath_prepend(str(next(iter(LIBRARIES.values())).driver.parent))
    before = set(sys.modules)
    yield
    for name in set(sys.modules) - before:
        if name.endswith("_driver") or name == "driver_kit":
            del sys.modules[name]


def driver(name: str) -> Any:
    return importlib.import_module(LIBRARIES[name].script.removesuffix(".py"))


def turns(messages: Any) -> tuple[Turn, ...]:
    rendering = decode_reply({"id": 1, "messages": messages})
    assert rendering.broke is None
    return rendering.turns


def test_langchain_messages() -> None:
    picture = {"type": "image", "base64": "aGk=", "mime_type": "image/png"}
    linked = {"type": "file", "url": "file:///a", "mime_type": "text/plain"}
    blocks = [{"type": "text", "text": "see"}, "and", picture, linked, {"type": "odd"}]
    said = [
        Made(type="human", content=" hi\n"),
        Made(type="ai", content=blocks),
        Made(type="system", content=""),
    ]
    assert turns(driver("langchain-mcp-adapters").reply(said)) == (
        Turn("user", (text_part(" hi\n"),)),
        Turn(
            "assistant",
            (
                text_part("see"),
                text_part("and"),
                Part("image", data=b"hi", media_type="image/png"),
                Part("link", uri="file:///a", media_type="text/plain"),
                text_part('{"type": "odd"}'),
            ),
        ),
        Turn("system", (text_part(""),)),
    )


def test_llama_index_blocks() -> None:
    def stream() -> BytesIO:
        return BytesIO(b"hi")

    no = {"image": None, "audio": None, "data": None, "url": None}
    picture = Made(
        block_type="image", image=b"aGk=", image_mimetype="image/png", resolve_image=stream
    )
    blocks = [
        Made(block_type="text", text="see"),
        picture,
        Made(block_type="audio", audio=b"aGk=", format="wav", resolve_audio=stream),
        Made(
            block_type="document",
            data=b"aGk=",
            document_mimetype=None,
            title="d",
            resolve_document=stream,
        ),
        Made(**{**no, "block_type": "image", "url": "http://x/"}),
        Made(**no, block_type="odd", model_dump=lambda mode: {"odd": "é"}),
    ]
    said = [Made(role=Made(value="assistant"), blocks=blocks)]
    assert turns(driver("llama-index-tools-mcp").reply(said)) == (
        Turn(
            "assistant",
            (
                text_part("see"),
                Part("image", data=b"hi", media_type="image/png"),
                Part("audio", data=b"hi", media_type="audio/wav"),
                Part("file", data=b"hi", media_type="application/octet-stream", name="d"),
                Part("link", uri="http://x/"),
                text_part('{"odd": "é"}'),
            ),
        ),
    )


def test_pydantic_ai_blocks() -> None:
    def binary(media_type: str) -> Made:
        return Made(kind="binary", data=b"hi", media_type=media_type)

    def document(content: Any, mime_type: str | None) -> Made:
        return Made(type="resource", content=content, mime_type=mime_type, uri="file:///d")

    link = Made(
        type="resource_link",
        uri="file:///l",
        name="l",
        title=None,
        description="told",
        size=3,
        mime_type="text/plain",
    )
    blocks = [
        Made(kind="text-content", content="see"),
        binary("image/png"),
        binary("audio/wav"),
        document("\ud800 text", None),
        document(binary("application/octet-stream"), None),
        document(binary("image/png"), "image/png"),
        link,
    ]
    result = Made(messages=[Made(role="user", content=block) for block in blocks])
    shown = turns(driver("pydantic-ai").reply(result))
    assert {turn.role for turn in shown} == {"user"}
    unknown = "application/octet-stream"
    lone = "\ud800 text".encode("utf-8", "surrogatepass")
    assert [turn.parts[0] for turn in shown] == [
        text_part("see"),
        Part("image", data=b"hi", media_type="image/png"),
        Part("audio", data=b"hi", media_type="audio/wav"),
        Part("file", data=lone, media_type=unknown, uri="file:///d"),
        Part("file", data=b"hi", media_type=unknown, uri="file:///d"),
        Part("file", data=b"hi", media_type="image/png", uri="file:///d"),
        Part(
            "link",
            uri="file:///l",
            name="l",
            description="told",
            size=3,
            media_type="text/plain",
        ),
    ]
    with pytest.raises(TypeError, match="unknown kind"):
        driver("pydantic-ai").reply(Made(messages=[Made(role="user", content=Made(type="new"))]))


def test_an_instruction_is_the_system_s() -> None:
    assert turns(driver("google-adk").reply("do")["messages"]) == (
        Turn("system", (text_part("do"),)),
    )


def test_functions_that_stand_for_prompts() -> None:
    schema = {"properties": {"a": {}, "b": {}}, "required": ["b"]}
    function = Made(name="look-at", description="told", parameters=lambda: schema)
    assert driver("agent-framework").entry("main", function) == {
        "server": "main",
        "name": "look-at",
        "description": "told",
        "arguments": [{"name": "a", "required": False}, {"name": "b", "required": True}],
    }
    parameter = {"name": "a", "description": None, "is_required": True, "type_object": str}
    kernel_function = Made(
        __kernel_function_name__="look-at",
        __kernel_function_description__=None,
        __kernel_function_parameters__=[parameter],
    )
    assert driver("semantic-kernel").entry("main", kernel_function) == {
        "server": "main",
        "name": "look-at",
        "arguments": [{"name": "a", "required": True}],
    }


def test_a_prompt_s_own_attributes_are_listed() -> None:
    kit = importlib.import_module("driver_kit")
    argument = Made(name="a", title=None, description="told", required=None)
    prompt = Made(name="look", title="Look", description=None, arguments=[argument])
    assert kit.listed("main", prompt) == {
        "server": "main",
        "name": "look",
        "title": "Look",
        "arguments": [{"name": "a", "description": "told"}],
    }
    assert kit.listed("main", Made(name="bare")) == {"server": "main", "name": "bare"}


@pytest.mark.parametrize("name", ["self", "prompt_name"])
def test_keywords_that_a_function_has_taken(name: str) -> None:
    class Tool:
        async def get_prompt(self, prompt_name: str, **kwargs: Any) -> None: ...

    kit = importlib.import_module("driver_kit")
    kit.taken_keywords(Tool().get_prompt, {"kwargs": "x", "a b": "y"})
    with pytest.raises(kit.Unsupported) as refusal:
        kit.taken_keywords(Tool().get_prompt, {name: "x"})
    assert refusal.value.why.startswith("arguments.verbatim: ")
    assert refusal.value.attempt.startswith("get_prompt(name, **{")


def test_arguments_that_are_never_asked_for() -> None:
    module = driver("mcp-client-for-ollama")
    arguments = [Made(name="must", required=True), Made(name="may", required=None)]
    prompts = [Made(arguments=arguments), Made(arguments=None)]
    module.never_asked({"must": "x"}, prompts[:1], "/main:look")
    module.never_asked({"must": "x"}, [], "/main:look")
    for given in ({"may": "x"}, {"must": "x", "unknown": "y"}):
        with pytest.raises(Exception, match=r"arguments\.verbatim: only required") as refusal:
            module.never_asked(given, prompts[:1], "/main:look")
        assert type(refusal.value).__name__ == "Unsupported"


def test_media_are_encoded_once() -> None:
    kit = importlib.import_module("driver_kit")
    encoded = base64.b64encode(b"hi").decode()
    assert kit.medium("image", b"hi", "image/png") == kit.medium("image", encoded, "image/png")
    assert kit.kind_of("AUDIO/wav") == "audio"
    assert kit.kind_of("text/plain") == kit.kind_of(None) == "file"
