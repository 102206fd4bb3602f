"""Whatever goes wrong: one line says what, and the next one what to do about it."""

from __future__ import annotations

import errno
import shlex
import sys
from pathlib import Path

import pytest

from mcp_prompt_fuzz import cli
from mcp_prompt_fuzz.commands import init

from .conftest import Run

CASE = '{"format": "mcp-prompt-case/1", "title": "t", "revision": "2025-06-18"}'
NO_ENTRIES = '{"format": "mcp-prompt-known/1"}'


@pytest.mark.parametrize(
    ("command", "status", "problem", "next_step"),
    [
        ("fuzzz", 2, "no command 'fuzzz'", "did you mean 'fuzz'?"),
        ("fuzz", 2, "required: RENDERER", "try 'mcp-prompt-fuzz fuzz --help'"),
        ("fuzz text-onli", 2, "no renderer 'text-onli'", "did you mean 'text-only'?"),
        ("fuzz zzz", 2, "no renderer 'zzz'", "'driver:COMMAND LINE'"),
        ("fuzz 'node my driver.js'", 2, "no renderer", "'driver:node my driver.js'"),
        ("fuzz text-only@9", 2, "no renderer 'text-only@9'", "say text-only"),
        ("fuzz opencode@", 2, "no version is named", "say opencode@VERSION, or opencode"),
        ("fuzz python:json", 2, "expected python:MODULE:CALLABLE", "name a function"),
        ("fuzz python:fakes:keep", 2, "fakes has no keep", "did you mean 'keeps'?"),
        ("fuzz python:fakes:time", 2, "can't be called", "one parameter"),
        ("fuzz python:nowhere:f", 3, "importing nowhere failed", "current folder"),
        ("fuzz driver:", 2, "expected driver:COMMAND LINE", "init python"),
        ("fuzz 'driver:node -e \"1'", 2, "No closing quotation", "close the quotation"),
        ("fuzz driver:no-such-program", 3, "can't be started", "Is no-such-program here"),
        ("fuzz text-only --seed x", 2, "'x' is no whole number", "--help"),
        ("fuzz text-only --time x", 2, "'x' is no number of seconds", "--help"),
        ("fuzz text-only --known bad.json", 2, "bad.json: $: ", "mend the file"),
        ("fuzz text-only --known none.json", 2, "can't be read", "is the path right"),
        ("fuzz reference --max-examples 1 --out file/x", 2, "file", "--out DIR"),
        ("known update reference --out file/x", 2, "file", "--out DIR"),
        ("known update reference --known file/x", 2, "file", "--out DIR"),
        ("matrix reference --out file/x", 2, "file", "--out DIR"),
        ("init python --out file/x", 2, "file", "--out DIR"),
        ("show text-only none.json", 2, "no case at none.json", "give a case file"),
        ("show text-only bad.json", 2, "bad.json: $: ", "mend the file"),
        ("repro nothing", 2, "no finding's folder", "give RENDERER CASE"),
        ("report nothing", 2, "can't be read", "is the path right"),
        ("known update nothing", 2, "no renderer 'nothing'", "'driver:COMMAND LINE'"),
    ],
)
def test_an_error_names_a_next_step(
    command: str, status: int, problem: str, next_step: str, run: Run, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "bad.json").write_text("{", encoding="utf-8")
    ran = run(*shlex.split(command))
    assert ran.status == status, ran
    *before, told, step = ran.err.splitlines()
    assert not any("exploring" in line for line in before)  # it is seen before any work is done
    assert told.startswith("mcp-prompt-fuzz: ")
    assert problem in told
    assert step.startswith("  ")
    assert next_step in step


@pytest.mark.parametrize(
    ("number", "told"),
    [
        (errno.ENOSPC, "make room"),
        (errno.EMFILE, "fewer --workers"),
        (errno.EACCES, "--out DIR"),
        (errno.EROFS, "--out DIR"),
    ],
)
def test_what_the_system_refuses_names_a_next_step(
    number: int, told: str, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> int:
        raise OSError(number, "refused", "mcp-prompt-run")

    monkeypatch.setattr(init, "run", refuse)
    ran = run("init", "python")
    assert ran.status == 2
    problem, step = ran.err.splitlines()
    assert problem == f"{cli.PROGRAM}: mcp-prompt-run: refused"
    assert told in step


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_a_stream_may_be_closed(stream: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, stream, None)
    assert cli.main(["list"]) == 0
    assert cli.main(["fuzzz"]) == 2


def test_a_starter_s_command_survives_any_folder(run: Run, tmp_path: Path) -> None:
    folder = "my tools 'é'"
    ran = run("init", "python", "--out", folder)
    (line,) = (line for line in ran.out.splitlines() if "check" in line)
    program, check, spec = shlex.split(line)
    assert (program, check) == (cli.PROGRAM, "check")
    assert shlex.split(spec.removeprefix("driver:")) == ["python3", f"{folder}/prompt_driver.py"]
