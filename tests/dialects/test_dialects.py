"""Every dialect reads the same conversation; what a provider would reject is noted, not dropped."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from mcp_prompt_fuzz.dialects import DIALECTS, DialectError, decode
from mcp_prompt_fuzz.transcript import Part, Turn, canonical_transcript, text_part

PNG = b"\x89PNG\r\n\x1a\n-not-really"
PNG64 = base64.b64encode(PNG).decode()
PDF = b"%PDF-1.4"
PDF64 = base64.b64encode(PDF).decode()

SAME: dict[str, dict[str, Any]] = {
    "openai.chat": {
        "messages": [
            {"role": "system", "content": "be brief"},
            {
                "role": "user",
                "content": [
                    {"type": "text", "text": "look"},
                    {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PNG64}"}},
                ],
            },
            {"role": "assistant", "content": "seen"},
        ],
        "stream": True,
        "unheard_of": 1,
    },
    "openai.responses": {
        "instructions": "be brief",
        "input": [
            {
                "role": "user",
                "content": [
                    {"type": "input_text", "text": "look"},
                    {"type": "input_image", "image_url": f"data:image/png;base64,{PNG64}"},
                ],
            },
            {"role": "assistant", "content": [{"type": "output_text", "text": "seen"}]},
        ],
    },
    "anthropic.messages": {
        "system": [{"type": "text", "text": "be brief"}],
        "messages": [
            {
                "role": "user",
                "content": [
                    {"type": "text", "text": "look"},
                    {
                        "type": "image",
                        "source": {"type": "base64", "media_type": "image/png", "data": PNG64},
                    },
                ],
            },
            {"role": "assistant", "content": "seen"},
        ],
    },
    "gemini.contents": {
        "system_instruction": {"parts": {"text": "be brief"}},
        "contents": [
            {
                "role": "user",
                "parts": [
                    {"text": "look"},
                    {"inlineData": {"mimeType": "image/png", "data": PNG64}},
                ],
            },
            {"role": "model", "parts": [{"text": "seen"}]},
        ],
    },
    "ollama.chat": {
        "messages": [
            {"role": "system", "content": "be brief"},
            {"role": "user", "content": "look", "images": [PNG64]},
            {"role": "assistant", "content": "seen"},
        ],
    },
}


@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_same_conversation_reads_alike(dialect: str) -> None:
    decoded = decode(dialect, SAME[dialect])
    image = Part("image", data=PNG, media_type=None if dialect == "ollama.chat" else "image/png")
    assert decoded.turns == (
        Turn("system", (text_part("be brief"),)),
        Turn("user", (text_part("look"), image)),
        Turn("assistant", (text_part("seen"),)),
    )
    assert decoded.notes == ()


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize(
    "body",
    [{}, {"messages": 3, "contents": 3, "input": 3}, [], {"messages": ["x"], "contents": ["x"]}],
)
def test_a_body_of_no_dialect_is_a_clear_error(dialect: str, body: Any) -> None:
    with pytest.raises(DialectError, match=r"^\w+\.\w+: "):
        decode(dialect, body)


def test_an_unknown_dialect_names_the_known_ones() -> None:
    with pytest.raises(DialectError, match=r"known: .*openai\.chat"):
        decode("morse", {})


def one(dialect: str, piece: Any, role: str = "user") -> tuple[Part, tuple[str, ...]]:
    """The part and the notes for a message that holds one piece of content."""
    if dialect == "gemini.contents":
        decoded = decode(dialect, {"contents": [{"role": role, "parts": [piece]}]})
    elif dialect == "openai.responses":
        decoded = decode(dialect, {"input": [{"role": role, "content": [piece]}]})
    else:
        decoded = decode(dialect, {"messages": [{"role": role, "content": [piece]}]})
    (turn,) = decoded.turns
    return turn.parts[0], decoded.notes


def data_url(rest: str) -> dict[str, Any]:
    return {"type": "image_url", "image_url": {"url": f"data:{rest}"}}


def test_an_image_in_an_assistant_turn_is_decoded_and_noted() -> None:
    part, notes = one("openai.chat", data_url(f"image/png;base64,{PNG64}"), "assistant")
    assert part == Part("image", data=PNG, media_type="image/png")
    assert notes == ("image in an assistant message",)


def test_a_data_uri_without_base64_is_decoded_and_noted() -> None:
    part, notes = one("openai.chat", data_url("image/svg+xml,%3Csvg%2F%3E"))
    assert part == Part("image", data=b"<svg/>", media_type="image/svg+xml")
    assert notes == ("image_url: a data URI without base64",)


@pytest.mark.parametrize(
    "spelling",
    [
        PNG64,
        PNG64.rstrip("="),
        PNG64.replace("+", "-").replace("/", "_"),
        PNG64[:8] + "\n" + PNG64[8:],
    ],
)
def test_base64_is_read_in_any_spelling(spelling: str) -> None:
    part, notes = one("openai.chat", data_url(f"image/png;base64,{spelling}"))
    assert (part.data, notes) == (PNG, ())


def test_what_is_not_base64_still_differs_from_other_content() -> None:
    part, notes = one("openai.chat", data_url("image/png;base64,!!!"))
    assert part.data == b"!!!"
    assert notes == ("image_url: data that is not base64",)


def test_parameters_of_a_data_uri_stay_with_its_media_type() -> None:
    part, _ = one("openai.chat", data_url("text/plain;charset=utf-8;base64,aGk="))
    assert (part.kind, part.media_type, part.data) == ("file", "text/plain;charset=utf-8", b"hi")


def test_a_plain_url_is_a_link() -> None:
    piece = {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}}
    assert one("openai.chat", piece)[0] == Part("link", uri="https://example.org/a.png")


@pytest.mark.parametrize(
    ("dialect", "piece", "part"),
    [
        (
            "openai.chat",
            {"type": "input_audio", "input_audio": {"data": PNG64, "format": "mp3"}},
            Part("audio", data=PNG, media_type="audio/mpeg"),
        ),
        (
            "openai.chat",
            {
                "type": "file",
                "file": {"filename": "a.pdf", "file_data": f"data:application/pdf;base64,{PDF64}"},
            },
            Part("file", data=PDF, media_type="application/pdf", name="a.pdf"),
        ),
        (
            "openai.responses",
            {"type": "input_file", "filename": "a.pdf", "file_data": PDF64},
            Part("file", data=PDF, name="a.pdf"),
        ),
        (
            "anthropic.messages",
            {
                "type": "document",
                "title": "T",
                "source": {"type": "base64", "media_type": "application/pdf", "data": PDF64},
            },
            Part("file", data=PDF, media_type="application/pdf", title="T"),
        ),
        (
            "anthropic.messages",
            {
                "type": "document",
                "source": {"type": "text", "media_type": "text/plain", "data": "hello"},
            },
            Part("text", text="hello", media_type="text/plain"),
        ),
        (
            "gemini.contents",
            {"fileData": {"fileUri": "gs://b/o", "mimeType": "image/png"}},
            Part("link", uri="gs://b/o", media_type="image/png"),
        ),
        (
            "gemini.contents",
            {"inline_data": {"mime_type": "audio/wav", "data": PNG64}},
            Part("audio", data=PNG, media_type="audio/wav"),
        ),
    ],
)
def test_documents_and_sounds(dialect: str, piece: Any, part: Part) -> None:
    assert one(dialect, piece) == (part, ())


@pytest.mark.parametrize("dialect", ["openai.chat", "openai.responses", "anthropic.messages"])
def test_a_part_of_another_dialect_is_kept_and_noted(dialect: str) -> None:
    part, notes = one(dialect, {"type": "resource", "text": "kept"})
    assert part == text_part("kept")
    assert len(notes) == 1


def test_a_data_uri_is_not_what_ollama_asks_for() -> None:
    message = {"role": "user", "content": "", "images": [f"data:image/png;base64,{PNG64}"]}
    decoded = decode("ollama.chat", {"messages": [message]})
    assert canonical_transcript(decoded.turns)[0].parts == (
        Part("image", data=PNG, media_type="image/png"),
    )
    assert decoded.notes == ("images: a data URI where plain base64 is asked for",)


def test_input_text_is_not_what_the_model_says() -> None:
    part, notes = one("openai.responses", {"type": "input_text", "text": "x"}, "assistant")
    assert (part, notes) == (text_part("x"), ("input_text in an assistant message",))


def test_a_tool_call_is_text_for_the_model() -> None:
    call = {"id": "1", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    body = {"messages": [{"role": "assistant", "content": None, "tool_calls": [call]}]}
    decoded = decode("openai.chat", body)
    assert '"name": "f"' in decoded.turns[0].parts[0].text
    assert decoded.notes == ()


def test_base64_in_a_data_uri_that_does_not_say_so_is_the_same_picture() -> None:
    picture = b"\x89PNG\r\n\x1a\n and more"
    url = "data:image/png;," + base64.b64encode(picture).decode()
    content = [{"type": "image_url", "image_url": {"url": url}}]
    decoded = decode("openai.chat", {"messages": [{"role": "user", "content": content}]})
    assert [part.data for part in decoded.turns[0].parts] == [picture]
    assert any("without base64" in note for note in decoded.notes)
