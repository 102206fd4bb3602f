"""Requests of the providers' own libraries read back alike, and they understand the answers."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

pytest.importorskip("mcp_types", reason="the lab needs mcp 2.x")

from mcp_prompt_fuzz.clients.environments import python_environment
from mcp_prompt_fuzz.dialects import decode
from mcp_prompt_fuzz.lab.host import Lab
from mcp_prompt_fuzz.lab.model_replies import REPLY
from mcp_prompt_fuzz.transcript import Part, Turn, text_part

CALLS = Path(__file__).with_name("provider_calls.py")
LIBRARIES = ["openai==3.57.0", "anthropic==2.14.0", "google-genai==3.6.1", "ollama==0.6.3"]

IMAGE = Part("image", data=b"\x89PNG\r\n\x1a\nx", media_type="image/png")
SOUND = Part("audio", data=b"RIFF0000WAVE", media_type="audio/wav")
PAPER = Part("file", data=b"%PDF-1.4 x", media_type="application/pdf")
NAMED = Part("file", data=PAPER.data, media_type=PAPER.media_type, name="a.pdf")
TITLED = Part("file", data=PAPER.data, media_type=PAPER.media_type, title="a.pdf")
SHOWN: dict[str, tuple[Part, ...]] = {
    "openai.chat": (IMAGE, SOUND, NAMED),
    "openai.responses": (IMAGE, SOUND, NAMED),
    "anthropic.messages": (IMAGE, TITLED, Part("text", text="plain", media_type="text/plain")),
    "gemini.contents": (IMAGE, SOUND, PAPER),
    "ollama.chat": (Part("image", data=IMAGE.data),),
}


def conversation(shown: tuple[Part, ...]) -> tuple[Turn, ...]:
    return (
        Turn("system", (text_part("be brief"),)),
        Turn("user", (text_part("look"), *shown)),
        Turn("assistant", (text_part("seen"),)),
        Turn("user", (text_part("more"),)),
    )


@pytest.mark.network
def test_every_library_is_read_and_understands(open_lab: Lab) -> None:
    python = python_environment("provider-libraries", LIBRARIES)
    open_lab.take()
    environment = {"PATH": os.environ["PATH"], "HOME": str(python.parent)}
    done = subprocess.run(
        [str(python), str(CALLS), open_lab.model_url],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    said = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(said) == 2 * len(SHOWN)
    assert {text for _, text in said} == {REPLY}
    kept = open_lab.take().models
    assert [k["dialect"] for k in kept] == [label.split()[0] for label, _ in said]
    for request in kept:
        decoded = decode(request["dialect"], request["body"])
        assert decoded.turns == conversation(SHOWN[request["dialect"]])
        assert decoded.notes == ()
