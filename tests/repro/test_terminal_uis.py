"""The repro of a finding about a program that is used at a terminal."""

from __future__ import annotations

import json
import shlex
from dataclasses import replace
from pathlib import Path

import pytest

from .reprocases import BESIDE, SLOTS
from .test_folder import finding, report, setting


@pytest.mark.parametrize(
    ("client", "program", "file"),
    [
        ("gemini-cli", "gemini", ".gemini/settings.json"),
        ("qwen-code", "qwen", ".qwen/settings.json"),
    ],
)
def test_the_prompt_is_a_one_shot_command(
    tmp_path: Path, client: str, program: str, file: str
) -> None:
    told = replace(finding(SLOTS), case=replace(SLOTS, beside=BESIDE.beside))
    text = report(told, tmp_path, setting(client))
    servers = json.loads((tmp_path / file).read_text("utf-8"))["mcpServers"]
    assert servers["main"] == {"command": "python3", "args": ["server.py"]}
    assert len(servers) == 1 + len(BESIDE.beside)
    [line] = [line for line in text.splitlines() if f" {program} " in line and " -p " in line]
    words = shlex.split(line.strip())
    assert words[0] == "HOME=$PWD"
    typed = words[words.index("-p") + 1]
    assert typed.startswith(f"/{SLOTS.prompt['name']} ")
    for name in SLOTS.arguments:
        assert f'--{name}="' in typed
