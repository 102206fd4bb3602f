"""Running the command line in this process, in an empty folder."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from mcp_prompt_fuzz.cli import main


@dataclass(frozen=True)
class Ran:
    """What one command came to."""

    status: int
    out: str
    err: str


Run = Callable[..., Ran]

FAKES = '''
import time


def keeps(result):
    """Everything, as messages."""
    return [{"role": m["role"], "content": [part(m["content"])]} for m in result["messages"]]


def part(content):
    if content["type"] == "text":
        return content
    if content["type"] == "resource_link":
        return {**content, "type": "link"}
    if content["type"] != "resource":
        return {name: content[name] for name in ("type", "data", "mimeType")}
    held = content["resource"]
    if "text" in held:
        return {"type": "text", "text": held["text"]}
    guess = held.get("mimeType", "application/octet-stream")
    return {"type": "file", "data": held["blob"], "uri": held["uri"], "mimeType": guess}


def drops_images(result):
    """Everything but images."""
    return [m for m in keeps(result) if m["content"][0]["type"] != "image"]


def exits(result):
    raise SystemExit(3)


def escapes(result):
    raise ValueError("\\x1b[2J\\u202eboo [bold]")


calls = []


def interrupted_unheard(result):
    """What a signal handler raises in a callback of the garbage collector is lost."""
    import gc, os, signal, threading

    def collecting(phase, info):
        if threading.current_thread() is threading.main_thread():
            gc.callbacks.remove(collecting)
            os.kill(os.getpid(), signal.SIGTERM)
            time.sleep(0.01)

    calls.append(1)
    if len(calls) == 40:
        gc.callbacks.append(collecting)
    return drops_images(result)


def interrupted(result):
    calls.append(1)
    if len(calls) > 40:
        import os, signal
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.5)
    return drops_images(result)
'''


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command; `fakes` there holds renderers, faithful and not."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "fakes.py").write_text(FAKES, encoding="utf-8")
    monkeypatch.delitem(__import__("sys").modules, "fakes", raising=False)

    def call(*words: str) -> Ran:
        capsys.readouterr()
        status = main(words)
        told = capsys.readouterr()
        return Ran(status, told.out, told.err)

    return call
