"""`model.py` as a repro ships it: run for real, asked in every dialect."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from .conftest import WriteCase
from .reprocases import PLAIN, PNG

SAID = "say \u202e this"


class Model:
    """A running stand-in for the model."""

    def __init__(self, process: subprocess.Popen[bytes], folder: Path) -> None:
        self._process = process
        self.folder = folder
        self.url = re.search(r"http://127\.0\.0\.1:\d+", self.line())[0]  # type: ignore[index]

    def line(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().decode().rstrip("\n")

    def lines_after(self, start: str) -> list[str]:
        """The next two lines after the one that begins like this."""
        while not self.line().startswith(start):
            pass
        return [self.line(), self.line()]

    def ask(self, path: str, body: dict[str, Any] | None = None) -> tuple[str, str]:
        """The answer's media type and text."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, {"Authorization": "Bearer none"})
        with urllib.request.urlopen(request, timeout=10) as answer:
            return answer.headers["Content-Type"], answer.read().decode()


@pytest.fixture
def model(folder_of: WriteCase) -> Iterator[Model]:
    folder = folder_of(PLAIN)
    command = [sys.executable, "-I", "model.py", "0"]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE) as process:
        yield Model(process, folder)
        process.kill()


OPENAI_PARTS = [
    {"type": "text", "text": SAID},
    {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PNG * 3}"}},
]
CHAT = {"messages": [{"role": "user", "content": OPENAI_PARTS}]}
DIALECTS: dict[str, dict[str, Any]] = {
    "/v1/chat/completions": CHAT,
    "/v1/responses": {"input": [{"role": "user", "content": OPENAI_PARTS}]},
    "/v1/messages": CHAT,
    "/v1beta/models/m:generateContent": {
        "contents": [{"role": "user", "parts": [{"text": SAID}, {"inlineData": {"data": PNG}}]}]
    },
    "/v1beta/models/m:streamGenerateContent?alt=sse": {
        "contents": [{"role": "user", "parts": [{"text": SAID}, {"inlineData": {"data": PNG}}]}]
    },
    "/api/chat": {"messages": [{"role": "user", "content": SAID, "images": [PNG]}]},
}


@pytest.mark.parametrize("path", DIALECTS)
@pytest.mark.parametrize("stream", [True, False])
def test_answers_and_prints_what_it_was_sent(model: Model, path: str, stream: bool) -> None:
    kind, answer = model.ask(path, {**DIALECTS[path], "stream": stream})
    assert "This is the stand-in for the model." in answer
    events = "streamGenerate" in path or (stream and path.startswith("/v1/"))
    assert kind == ("text/event-stream" if events else "application/json")
    text, image = model.lines_after("--- the model is sent")
    assert text == 'user: "say \\u202e this"'
    assert image.startswith("user: [{")


@pytest.mark.parametrize("path", ["/v1/models", "/v1beta/models", "/api/tags", "/api/version"])
def test_clients_find_a_model(model: Model, path: str) -> None:
    assert json.loads(model.ask(path)[1])["data"][0]["id"] == "model"


def test_a_clients_own_instructions_are_told_by_size(model: Model) -> None:
    system = {"role": "system", "content": "be nice " * 100}
    model.ask("/v1/chat/completions", {"messages": [system, *CHAT["messages"]]})
    told, text = model.lines_after("--- the model is sent")
    assert told == "system: ... the client's own instructions, 802 characters ..."
    assert text.startswith("user: ")


def test_prints_what_the_server_is_asked(model: Model) -> None:
    entry = {"server": "main", "method": "prompts/get", "params": {"name": "look"}}
    time.sleep(0.3)  # what is there when it starts is of an earlier try, and not told
    (model.folder / "server.log").write_text(json.dumps(entry) + "\n", "ascii")
    assert model.line() == 'server main is asked: prompts/get {"name": "look"}'
