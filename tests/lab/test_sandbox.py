"""Programs that misbehave are held, bounded and ended, and nothing of them is left."""

from __future__ import annotations

import json
import os
import re
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from hypothesis_mcp.canaries import MARKER_FILE, MENTION_FILE
from mcp_prompt_fuzz.lab.child import KEPT_BYTES, Child
from mcp_prompt_fuzz.lab.process_table import (
    TOKEN_VARIABLE,
    Running,
    end_group,
    identify,
    is_running,
    started_at,
)
from mcp_prompt_fuzz.lab.sandbox import Sandbox, reap_leftovers

FAKES = Path(__file__).with_name("fakes.py")
ENDED_WITHIN = 2.0
"""Generous: the promise is one second, on a machine that has time for us."""


def fake(name: str) -> list[str]:
    return [sys.executable, "-S", str(FAKES), name]


def wait_for(met: Callable[[], bool], seconds: float = 20.0) -> None:
    deadline = time.monotonic() + seconds
    while not met():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.01)


def printed(child: Child, words: str) -> str:
    assert child.output is not None
    wait_for(lambda: words in child.output.text)  # type: ignore[union-attr]
    return child.output.text


def gone(pid: int) -> bool:
    return started_at(pid) is None


def ended_in_time(child: Child) -> bool:
    begun = time.monotonic()
    child.end()
    return time.monotonic() - begun < ENDED_WITHIN and gone(child.pid)


@pytest.mark.parametrize("name", ["hangs", "ignores_sigterm", "prints_escapes"])
def test_a_program_is_ended_in_time(sandbox: Sandbox, name: str) -> None:
    child = sandbox.spawn(fake(name))
    printed(child, "ready")
    assert ended_in_time(child)
    child.end()


@pytest.mark.parametrize(("name", "status"), [("exits", 7), ("aborts", -6)])
def test_an_exit_is_noticed(sandbox: Sandbox, name: str, status: int) -> None:
    child = sandbox.spawn(fake(name))
    assert child.wait(20) == status
    child.end()
    if name == "exits":
        assert child.last_words() == "some last words"


def test_children_are_ended_wherever_they_went(sandbox: Sandbox) -> None:
    child = sandbox.spawn(fake("forks_children"))
    pids = [int(pid) for pid in re.findall(r"\d+", printed(child, "ready"))]
    assert len(pids) == 2
    assert ended_in_time(child)
    assert all(gone(pid) for pid in pids)


def test_children_of_a_program_that_is_gone_are_ended(sandbox: Sandbox) -> None:
    child = sandbox.spawn(fake("leaves_children_behind"))
    (pid,) = (int(pid) for pid in re.findall(r"\d+", printed(child, "\n")))
    assert child.wait(20) == 0
    child.end()
    assert gone(pid)


def test_output_is_bounded(sandbox: Sandbox) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    child = sandbox.spawn(fake("floods_stdout"))
    text = printed(child, "the end")
    assert len(text) <= KEPT_BYTES
    assert ended_in_time(child)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown < 200 * (1024 if sys.platform != "darwin" else 1024**2)


def test_a_terminal_is_typed_into_and_read_from(sandbox: Sandbox) -> None:
    child = sandbox.spawn(fake("sits_at_a_terminal"), terminal=(50, 132))
    assert "terminal True True True 50 132" in printed(child, "132")
    assert child.output is not None
    assert child.stdin is not None
    before = child.output.received
    child.stdin.write(b"x y\n")
    printed(child, "ready")
    assert "typed 'x y'" in child.output.since(before)
    assert "terminal" not in child.output.since(before)
    assert child.output.since(child.output.received) == ""
    assert "typed" in child.last_words()
    assert ended_in_time(child)
    child.end()


def test_a_terminal_is_closed_when_nothing_can_be_started(tmp_path: Path) -> None:
    descriptors = Path("/dev/fd")
    before = len(list(descriptors.iterdir()))
    with pytest.raises(FileNotFoundError):
        Child([str(tmp_path / "nothing")], {}, tmp_path, terminal=(24, 80))
    assert len(list(descriptors.iterdir())) == before


def test_the_environment_is_built_from_nothing(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOME_API_KEY", "secret")
    shown = printed(sandbox.spawn(fake("shows_environment")), "end")
    variables = dict(line.split("=", 1) for line in shown.splitlines() if "=" in line)
    assert "SOME_API_KEY" not in variables
    assert variables["HOME"] == str(sandbox.home)
    assert variables[TOKEN_VARIABLE].startswith(sandbox.token)
    folders = [v for k, v in variables.items() if k.startswith("XDG_") or k == "TMPDIR"]
    assert len(folders) == 6
    assert all(Path(folder).parent == sandbox.root for folder in folders)


def test_the_working_folder_is_a_project_with_a_file_to_mention(sandbox: Sandbox) -> None:
    name, content = MENTION_FILE
    assert (sandbox.work / name).read_text(encoding="utf-8") == content
    assert (sandbox.work / ".git" / "HEAD").exists()


def test_markers_are_reported_once(sandbox: Sandbox) -> None:
    assert sandbox.take_markers() == ()
    (sandbox.work / MARKER_FILE).touch()
    assert sandbox.take_markers() == (MARKER_FILE,)
    assert sandbox.take_markers() == ()


def test_closing_leaves_neither_folder_nor_note(tmp_path: Path) -> None:
    sandbox = Sandbox(tmp_path)
    child = sandbox.spawn(fake("hangs"))
    assert list(tmp_path.glob("*.json"))
    sandbox.close()
    sandbox.close()
    assert gone(child.pid)
    assert not sandbox.root.exists()
    assert not list(tmp_path.iterdir())


def leave_something(record: Path) -> tuple[Path, int]:
    """A run that is killed the hard way, leaving a program behind; its folder and that pid."""
    script = (
        "import os; from pathlib import Path; from mcp_prompt_fuzz.lab.sandbox import Sandbox\n"
        f"s = Sandbox(Path({str(record)!r})); c = s.spawn({fake('sleeps')!r})\n"
        "print(s.root, c.pid, flush=True); os.kill(os.getpid(), 9)"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=False
    )
    root, pid = done.stdout.split()
    return Path(root), int(pid)


def test_what_a_killed_run_left_is_reaped(tmp_path: Path) -> None:
    root, pid = leave_something(tmp_path)
    assert not gone(pid)
    assert reap_leftovers(tmp_path) == 1
    assert gone(pid)
    assert not root.exists()
    assert reap_leftovers(tmp_path) == 0


@pytest.mark.parametrize("member", ["started", "token"])
def test_a_stranger_with_the_same_pid_is_left_alone(tmp_path: Path, member: str) -> None:
    _, pid = leave_something(tmp_path)
    (note_file,) = tmp_path.glob("*.json")
    note = json.loads(note_file.read_text(encoding="utf-8"))
    real = Running.from_json(note["processes"][0])
    note["processes"][0][member] = "somebody else's"
    note_file.write_text(json.dumps(note), encoding="utf-8")
    reap_leftovers(tmp_path)
    assert is_running(real)
    end_group(real)
    assert gone(pid)


def test_a_run_that_goes_on_is_left_alone(sandbox: Sandbox, tmp_path: Path) -> None:
    child = sandbox.spawn(fake("hangs"))
    assert reap_leftovers(tmp_path / "running") == 0
    assert not gone(child.pid)


def test_a_note_that_is_torn_is_thrown_away(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text("{", encoding="utf-8")
    assert reap_leftovers(tmp_path) == 0
    assert not list(tmp_path.iterdir())


def test_identity_needs_the_token(sandbox: Sandbox) -> None:
    child = sandbox.spawn(fake("hangs"))
    printed(child, "ready")
    assert is_running(child.running)
    assert not is_running(identify(child.pid, "another"))
