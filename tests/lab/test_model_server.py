"""The model endpoint: any key, any model, each dialect, streaming and not; bodies kept."""

from __future__ import annotations

import json
from typing import Any

import pytest

pytest.importorskip("mcp_types", reason="the lab needs mcp 2.x")

from mcp_prompt_fuzz.dialects import decode
from mcp_prompt_fuzz.lab.host import Lab
from mcp_prompt_fuzz.lab.model_replies import REPLY

from .calls import http

MESSAGES = {"model": "m", "messages": [{"role": "user", "content": "hi"}]}
CONTENTS = {"contents": [{"role": "user", "parts": [{"text": "hi"}]}]}
CALLS: list[tuple[str, str, dict[str, Any]]] = [
    ("openai.chat", "/v1/chat/completions", MESSAGES),
    ("openai.chat", "/v1/chat/completions", {**MESSAGES, "stream": True}),
    ("openai.responses", "/v1/responses", {"model": "m", "input": "hi"}),
    ("openai.responses", "/v1/responses", {"model": "m", "input": "hi", "stream": True}),
    ("anthropic.messages", "/v1/messages", MESSAGES),
    ("anthropic.messages", "/v1/messages", {**MESSAGES, "stream": True}),
    ("gemini.contents", "/v1beta/models/gemini-2.5-flash:generateContent", CONTENTS),
    ("gemini.contents", "/v1beta/models/x:streamGenerateContent?alt=sse", CONTENTS),
    ("ollama.chat", "/api/chat", MESSAGES),
    ("ollama.chat", "/api/chat", {**MESSAGES, "stream": False}),
]


@pytest.mark.parametrize(("dialect", "path", "body"), CALLS)
def test_a_request_is_kept_and_answered(
    open_lab: Lab, dialect: str, path: str, body: dict[str, Any]
) -> None:
    open_lab.take()
    headers = {"Authorization": "Bearer secret", "x-api-key": "secret"}
    url = open_lab.model_url + path
    reply = http(url, body, headers)
    assert reply.status == 200
    assert REPLY in reply.text
    if reply.headers["content-type"] == "application/json":
        reply.json()
    (kept,) = open_lab.take().models
    assert kept["dialect"] == dialect
    assert kept["body"] == body
    assert "secret" not in json.dumps(kept)
    turns = decode(dialect, kept["body"]).turns
    assert [(turn.role, turn.parts[0].text) for turn in turns] == [("user", "hi")]


@pytest.mark.parametrize(
    "path", ["/v1/models", "/v1/models/x", "/v1beta/models", "/v1beta/models/x", "/api/tags"]
)
def test_clients_can_list_models(open_lab: Lab, path: str) -> None:
    reply = http(open_lab.model_url + path)
    assert reply.status == 200
    reply.json()


def test_what_is_no_json_is_kept_and_refused(open_lab: Lab) -> None:
    open_lab.take()
    url = f"{open_lab.model_url}/v1/chat/completions"
    assert http(url, b"{").status == 400
    assert open_lab.take().models[0]["body"] == "{"
