"""A run that is killed goes on from its journal and ends as if nothing had been."""

from __future__ import annotations

import json
import os
import random
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from mcp_prompt_fuzz.campaign.folder_lock import FolderInUseError
from mcp_prompt_fuzz.campaign.journal import Header, Journal
from mcp_prompt_fuzz.campaign.shrink import Answer
from mcp_prompt_fuzz.formats import FormatError

FULL = os.environ.get("MCP_PROMPT_FUZZ_QUALITY") == "full"
KILLS = 10 if FULL else 2
ROOT = Path(__file__).parent.parent
LITTLE = ("--seed", "3", "--max-examples", "30", "--rules", "image,text.*,robust")
ENOUGH = (*LITTLE, "--max-examples", "130") if FULL else LITTLE
"""As many as it takes to be killed so often before the end."""

needs_signals = pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX's")


def started(folder: Path, *words: str, fake: str = "slow") -> subprocess.Popen[str]:
    """The command line, in a process group of its own."""
    path = os.pathsep.join(str(ROOT / each) for each in (".", "src", "strategies"))
    command = [
        sys.executable,
        "-m",
        "mcp_prompt_fuzz",
        "fuzz",
        f"python:tests.campaign_fakes:{fake}",
    ]
    return subprocess.Popen(
        [*command, *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )


def ended(process: subprocess.Popen[str]) -> tuple[int, str]:
    told, _ = process.communicate(timeout=120)
    return process.returncode, told


def run_of(folder: Path) -> Any:
    return json.loads((folder / "run.json").read_text("utf-8"))


def killed_once_it_knows(process: subprocess.Popen[str], journal: Path, lines: int) -> None:
    """Kill -9 the run once its journal has so many lines, or leave it to end before."""
    while process.poll() is None:
        if journal.exists() and journal.read_bytes().count(b"\n") >= lines:
            os.killpg(process.pid, signal.SIGKILL)
            break
        time.sleep(0.005)
    process.communicate()


@needs_signals
@pytest.mark.parametrize("workers", ["1", "2"])
def test_killed_at_random_moments_and_resumed(workers: str, tmp_path: Path) -> None:
    assert ended(started(tmp_path, *ENOUGH, "--out", "whole"))[0] == 1
    whole = run_of(tmp_path / "whole")
    journal = tmp_path / "broken/private/journal.jsonl"
    moments = random.Random(int(workers))
    words: tuple[str, ...] = (*ENOUGH, "--out", "broken")
    known = kills = 0
    for _ in range(KILLS):
        process = started(tmp_path, *words, "--workers", workers)
        killed_once_it_knows(process, journal, known + moments.randrange(1, 16))
        if process.returncode != -signal.SIGKILL:
            break
        kills += 1
        now = journal.read_bytes().count(b"\n")
        assert now >= known, "nothing is forgotten"
        known = now
        words = ("--resume", "broken")
    if process.returncode == -signal.SIGKILL:
        assert stat.S_IMODE(journal.parent.stat().st_mode) == 0o700
        assert ended(started(tmp_path, *words, "--workers", workers))[0] == 1
    # Several workers hand back much at a time, and a starved test may come too late to kill.
    assert kills == KILLS or workers != "1" or not FULL
    resumed = run_of(tmp_path / "broken")
    assert resumed["findings"] == whole["findings"]
    assert {r: o["checks"] for r, o in resumed["rules"].items()} == {
        r: o["checks"] for r, o in whole["rules"].items()
    }
    assert (resumed["status"], resumed["counts"]["examples"]) == (
        "complete",
        whole["counts"]["examples"],
    )
    assert not journal.exists()


@needs_signals
@pytest.mark.parametrize("workers", ["1", "2"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_runs_write_what_they_found_and_leave_nothing_running(
    number: signal.Signals, workers: str, tmp_path: Path
) -> None:
    process = started(tmp_path, *LITTLE, "--max-examples", "100000", "--workers", workers)
    journal = tmp_path / "mcp-prompt-run/private/journal.jsonl"
    while not journal.exists() or journal.read_bytes().count(b"\n") < 20:
        assert process.poll() is None
        time.sleep(0.02)
    if number == signal.SIGINT:
        os.killpg(process.pid, number)  # as a terminal does: the workers hear it too
    else:
        process.send_signal(number)
    status, told = ended(process)
    assert status == 130, told
    assert "Traceback" not in told
    record = run_of(tmp_path / "mcp-prompt-run")
    assert record["status"] == "interrupted"
    assert [finding["rule"] for finding in record["findings"]] == ["image"]
    assert journal.exists()
    assert not group_lives(process.pid)


def group_lives(group: int) -> bool:
    """Whether a process of the group is still there, a little while later."""
    for _ in range(100):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return False
        time.sleep(0.05)
    return True


@needs_signals
def test_out_of_time_ends_early_says_so_and_can_go_on(tmp_path: Path) -> None:
    words = (*LITTLE, "--max-examples", "300", "--out", "run")
    status, told = ended(started(tmp_path, *words, "--time", "1.5"))
    assert "the time limit ended the exploring early" in told
    assert "--resume run" in told
    before = run_of(tmp_path / "run")
    assert before["counts"]["seconds"] < 10
    status, told = ended(started(tmp_path, "--resume", "run", "--workers", "2"))
    assert status == 1, told
    after = run_of(tmp_path / "run")
    assert after["counts"]["examples"] > before["counts"]["examples"]
    assert (after["seed"], after["errors"]) == (3, [])


HEADER = Header("r", "1", 10, 1, "2026-07-28", ("*",), {"harness": "0"})


def test_half_a_line_is_skipped_and_written_after(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    journal.open(HEADER, "now")
    answers = [Answer("f", str(number), True) for number in range(3)]
    journal.keep(answers[0])
    with journal.path.open("ab") as file:
        file.write(b'{"answer": {"finding": "f", "cand')
    journal.close()
    again = Journal.of(tmp_path)
    assert again is not None
    assert (again.header, again.events, again.started) == (HEADER, answers[:1], "now")
    again.open(HEADER, "later")
    again.keep(answers[1])
    again.close()
    last = Journal.of(tmp_path)
    assert last is not None
    assert last.events == answers[:2]


def test_the_journal_survives_the_writing_of_reports(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    journal.open(HEADER, "now")
    journal.keep(Answer("f", "c", True))
    with journal.set_aside():
        assert not journal.path.exists()
        journal.close()
        killed_here = Journal.of(tmp_path)
        assert killed_here is not None
        assert len(killed_here.events) == 1
        killed_here.close()
    assert journal.path.exists()
    journal.end()
    assert list(tmp_path.iterdir()) == []


def test_where_there_is_no_journal_there_is_nothing_to_resume(tmp_path: Path) -> None:
    assert Journal.of(tmp_path) is None
    assert Journal.of(tmp_path / "nowhere") is None


@pytest.mark.parametrize(
    "text", ["", "{}\n", "nonsense\n", '{"format": "mcp-prompt-journal/0"}\n', "[]\n", "\0\n"]
)
def test_a_journal_of_another_version_is_told(text: str, tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    journal.path.parent.mkdir()
    journal.path.write_text(text, encoding="utf-8")
    with pytest.raises(FormatError, match=r"journal\.jsonl: \$: does not begin as a mcp-prompt"):
        Journal.of(tmp_path)
    assert journal.path.read_text("utf-8") == text, "it may be of use to the other version"


@needs_signals
def test_a_folder_is_one_runs_at_a_time(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    journal.open(HEADER, "now")
    journal.keep(Answer("f", "c", True))
    with pytest.raises(FolderInUseError):
        Journal.of(tmp_path)
    with pytest.raises(FolderInUseError):
        Journal(tmp_path).open(HEADER, "now")
    with journal.set_aside(), pytest.raises(FolderInUseError):
        Journal.of(tmp_path)
    journal.close()
    again = Journal.of(tmp_path)
    assert again is not None
    assert len(again.events) == 1
