"""Sends one conversation through each provider's own library, in every form that it offers.

`python provider_calls.py MODEL_URL`, in an environment with openai, anthropic, google-genai and
ollama. Prints one JSON line a call: `[label, said]`, what the model was read to have said.
"""

# ruff: noqa: T201 - it reports on standard output
# mypy: ignore-errors
# Its libraries are installed where it runs, not here.

from __future__ import annotations

import base64
import json
import sys
from typing import Any

import anthropic
import ollama
import openai
from google import genai
from google.genai import types

URL = sys.argv[1]
PNG, WAV, PDF = b"\x89PNG\r\n\x1a\nx", b"RIFF0000WAVE", b"%PDF-1.4 x"


def b64(data: bytes) -> str:
    return base64.b64encode(data).decode()


def uri(kind: str, data: bytes) -> str:
    return f"data:{kind};base64,{b64(data)}"


def report(label: str, said: Any) -> None:
    print(json.dumps([label, said]), flush=True)


def chat() -> None:
    client = openai.OpenAI(base_url=f"{URL}/v1", api_key="secret")
    parts: list[Any] = [
        {"type": "text", "text": "look"},
        {"type": "image_url", "image_url": {"url": uri("image/png", PNG)}},
        {"type": "input_audio", "input_audio": {"data": b64(WAV), "format": "wav"}},
        {
            "type": "file",
            "file": {"filename": "a.pdf", "file_data": uri("application/pdf", PDF)},
        },
    ]
    messages: list[Any] = [
        {"role": "system", "content": "be brief"},
        {"role": "user", "content": parts},
        {"role": "assistant", "content": "seen"},
        {"role": "user", "content": "more"},
    ]
    whole = client.chat.completions.create(model="m", messages=messages)
    report("openai.chat", whole.choices[0].message.content)
    stream = client.chat.completions.create(model="m", messages=messages, stream=True)
    said = [c.choices[0].delta.content or "" for c in stream if c.choices]
    report("openai.chat streaming", "".join(said))


def responses() -> None:
    client = openai.OpenAI(base_url=f"{URL}/v1", api_key="secret")
    parts: list[Any] = [
        {"type": "input_text", "text": "look"},
        {"type": "input_image", "image_url": uri("image/png", PNG), "detail": "auto"},
        {"type": "input_audio", "input_audio": {"data": b64(WAV), "format": "wav"}},
        {"type": "input_file", "filename": "a.pdf", "file_data": uri("application/pdf", PDF)},
    ]
    messages: list[Any] = [
        {"role": "user", "content": parts},
        {"role": "assistant", "content": "seen"},
        {"role": "user", "content": "more"},
    ]
    told: dict[str, Any] = {"model": "m", "instructions": "be brief", "input": messages}
    report("openai.responses", client.responses.create(**told).output_text)
    with client.responses.stream(**told) as stream:
        report("openai.responses streaming", stream.get_final_response().output_text)


def claude() -> None:
    client = anthropic.Anthropic(base_url=URL, api_key="secret")
    parts: list[Any] = [
        {"type": "text", "text": "look"},
        {
            "type": "image",
            "source": {"type": "base64", "media_type": "image/png", "data": b64(PNG)},
        },
        {
            "type": "document",
            "source": {"type": "base64", "media_type": "application/pdf", "data": b64(PDF)},
            "title": "a.pdf",
        },
        {
            "type": "document",
            "source": {"type": "text", "media_type": "text/plain", "data": "plain"},
        },
    ]
    messages: list[Any] = [
        {"role": "user", "content": parts},
        {"role": "assistant", "content": "seen"},
        {"role": "user", "content": "more"},
    ]
    told: dict[str, Any] = {"model": "m", "max_tokens": 9, "system": "be brief"}
    whole = client.messages.create(**told, messages=messages)
    report("anthropic.messages", whole.content[0].text)
    with client.messages.stream(**told, messages=messages) as stream:
        report("anthropic.messages streaming", stream.get_final_text())


def gemini() -> None:
    options = types.HttpOptions(base_url=URL)
    client = genai.Client(api_key="secret", http_options=options)
    parts = [
        types.Part.from_text(text="look"),
        types.Part.from_bytes(data=PNG, mime_type="image/png"),
        types.Part.from_bytes(data=WAV, mime_type="audio/wav"),
        types.Part.from_bytes(data=PDF, mime_type="application/pdf"),
    ]
    contents: list[Any] = [
        types.Content(role="user", parts=parts),
        types.Content(role="model", parts=[types.Part.from_text(text="seen")]),
        types.Content(role="user", parts=[types.Part.from_text(text="more")]),
    ]
    config = types.GenerateContentConfig(system_instruction="be brief")
    told: dict[str, Any] = {"model": "gemini-2.5-flash", "contents": contents, "config": config}
    report("gemini.contents", client.models.generate_content(**told).text)
    said = [chunk.text or "" for chunk in client.models.generate_content_stream(**told)]
    report("gemini.contents streaming", "".join(said))


def local() -> None:
    client = ollama.Client(host=URL)
    messages = [
        {"role": "system", "content": "be brief"},
        {"role": "user", "content": "look", "images": [PNG]},
        {"role": "assistant", "content": "seen"},
        {"role": "user", "content": "more"},
    ]
    report("ollama.chat", client.chat(model="m", messages=messages).message.content)
    stream = client.chat(model="m", messages=messages, stream=True)
    report("ollama.chat streaming", "".join(c.message.content or "" for c in stream))


for call in (chat, responses, claude, gemini, local):
    call()
