"""What can't be gone on with says so, and what could not be written can be gone on with."""

from __future__ import annotations

import errno
import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mcp_prompt_fuzz.campaign.journal import Header, Journal
from mcp_prompt_fuzz.campaign.worker import deciding_versions
from mcp_prompt_fuzz.case import NEWEST_REVISION
from mcp_prompt_fuzz.commands import fuzz

from .conftest import Run

SPEC = "python:fakes:drops_images"
LITTLE = ("--seed", "1", "--max-examples", "10", "--rules", "image,text.*,robust")
needs_locks = pytest.mark.skipif(sys.platform == "win32", reason="locks are POSIX's")


def header() -> Header:
    """That of a run of the fake, little as it is."""
    rules, versions = ("image", "text.*", "robust"), deciding_versions()
    return Header(SPEC, "unknown", 10, 1, NEWEST_REVISION, rules, versions)


def unfinished(kept: Header) -> Journal:
    """A journal of a run that was killed right at its beginning."""
    journal = Journal(Path("run"))
    journal.open(kept, "2026-01-01T00:00:00+00:00")
    return journal


def findings(folder: str) -> Any:
    return json.loads((Path(folder) / "run.json").read_text("utf-8"))["findings"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("python:fakes:keeps",), f"has the renderer {SPEC}, not python:fakes:keeps"),
        ((SPEC, "--seed", "2"), "has --seed 1, not 2"),
        ((SPEC, "--max-examples", "11"), "has --max-examples 10, not 11"),
        ((SPEC, "--rules", "image"), "has --rules"),
        ((SPEC, "--revision", "2024-11-05"), "has --revision"),
        ((SPEC, "--out", "elsewhere"), "has --out run, not elsewhere"),
    ],
)
def test_what_differs_from_the_run_to_resume_is_told(
    words: tuple[str, ...], told: str, run: Run
) -> None:
    unfinished(header()).close()
    for _ in range(2):  # neither attempt keeps the folder from the next one
        ran = run("fuzz", *words, "--resume", "run")
        assert (ran.status, told in ran.err) == (2, True), ran
        assert "--resume out" in ran.err
    assert run("fuzz", SPEC, "--resume", "run").status == 1


@pytest.mark.parametrize("changed", [{"version": "0.9"}, {"versions": {"harness": "0.0.1"}}])
def test_a_run_by_other_versions_is_told(changed: dict[str, Any], run: Run) -> None:
    unfinished(replace(header(), **changed)).close()
    ran = run("fuzz", SPEC, "--resume", "run")
    assert (ran.status, "that run was of" in ran.err) == (2, True), ran


def test_a_finished_run_is_told(run: Run) -> None:
    assert run("fuzz", SPEC, *LITTLE, "--out", "run").status == 1
    ran = run("fuzz", SPEC, "--resume", "run")
    assert (ran.status, "that run is complete" in ran.err) == (2, True), ran


@needs_locks
def test_two_runs_never_share_a_folder(run: Run) -> None:
    first = unfinished(header())
    for words in (("--resume", "run"), (*LITTLE, "--out", "run")):
        ran = run("fuzz", SPEC, *words)
        assert (ran.status, "another run is at work in run" in ran.err) == (2, True), ran
    first.close()
    assert run("fuzz", SPEC, "--resume", "run").status == 1


def test_reports_that_do_not_fit_the_disk_are_written_later(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    assert run("fuzz", SPEC, *LITTLE, "--out", "whole").status == 1
    with monkeypatch.context() as patch:
        patch.setattr(fuzz, "write_run", full)
        ran = run("fuzz", SPEC, *LITTLE, "--out", "run")
    assert ran.status == 2
    assert "can't be written to run: [Errno 28] No space left on device" in ran.err
    assert "fuzz python:fakes:drops_images --resume run" in ran.err
    assert run("fuzz", SPEC, "--resume", "run").status == 1
    assert findings("run") == findings("whole")


@pytest.mark.parametrize("writes", [0, 1, 5, 30])
def test_a_journal_that_does_not_fit_the_disk_ends_no_run(
    writes: int, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = [writes]
    keep = Journal.keep

    def until_full(self: Journal, event: Any) -> None:
        if not left[0]:
            raise OSError(errno.ENOSPC, "No space left on device")
        left[0] -= 1
        keep(self, event)

    monkeypatch.setattr(Journal, "keep", until_full)
    assert run("fuzz", SPEC, *LITTLE, "--out", "run").status == 1
    (error,) = json.loads(Path("run/run.json").read_text("utf-8"))["errors"]
    assert "could not be kept for --resume: [Errno 28]" in error
