"""A real Dask cluster on loopback finds what one machine finds, also when a worker dies."""

from __future__ import annotations

import importlib.util
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
WORKERS = 3
SPEC = "python:tests.campaign_fakes:slow"
LITTLE = ("--seed", "3", "--max-examples", "230", "--rules", "image,text.*,robust")

installed = importlib.util.find_spec("distributed") is not None
needs_dask = pytest.mark.skipif(not installed, reason="distributed isn't installed ([cluster])")
needs_signals = pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX's")


def environment() -> dict[str, str]:
    path = os.pathsep.join(str(ROOT / each) for each in (".", "src", "strategies"))
    return {**os.environ, "PYTHONPATH": path}


@dataclass
class Running:
    """A scheduler and its workers, each a process."""

    url: str
    processes: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def start(self, folder: Path, *words: str) -> None:
        command = [sys.executable, "-m", "distributed.cli." + words[0], *words[1:]]
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=environment(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self.processes.append(process)


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Running]:
    address = tmp_path / "scheduler.json"
    running = Running("")
    quiet = ("--no-dashboard", "--scheduler-file", str(address))
    try:
        running.start(tmp_path, "dask_scheduler", *quiet, "--host", "127.0.0.1", "--port", "0")
        while not address.exists() or not address.read_text():
            assert running.processes[0].poll() is None
            time.sleep(0.05)
        running.url = json.loads(address.read_text())["address"]
        for _ in range(WORKERS):
            running.start(
                tmp_path, "dask_worker", running.url, "--no-nanny", "--nthreads", "1",
                "--no-dashboard", "--host", "127.0.0.1",
            )  # fmt: skip
        yield running
    finally:
        for process in running.processes:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def fuzzing(folder: Path, *words: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "mcp_prompt_fuzz", "fuzz", SPEC, *words]
    return subprocess.Popen(
        command,
        cwd=folder,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def run_of(folder: Path) -> Any:
    return json.loads((folder / "run.json").read_text("utf-8"))


def examples(journal: Path) -> int:
    return journal.read_bytes().count(b'{"example"') if journal.exists() else 0


@needs_dask
@needs_signals
def test_a_cluster_that_loses_a_worker_finds_the_same(cluster: Running, tmp_path: Path) -> None:
    process = fuzzing(tmp_path, *LITTLE, "--out", "many", "--scheduler", cluster.url)
    journal = tmp_path / "many/private/journal.jsonl"
    while examples(journal) < 20 and process.poll() is None:
        time.sleep(0.02)
    assert process.poll() is None, process.communicate()
    os.killpg(cluster.processes[-1].pid, signal.SIGKILL)
    told, _ = process.communicate(timeout=120)
    assert process.returncode == 1, told
    alone = fuzzing(tmp_path, *LITTLE, "--out", "one")
    alone.communicate(timeout=120)
    assert alone.returncode == 1
    many, one = run_of(tmp_path / "many"), run_of(tmp_path / "one")
    assert many["findings"] == one["findings"]
    assert (many["status"], many["errors"]) == ("complete", [])
    assert many["counts"]["examples"] == one["counts"]["examples"]
    checks = [{r: o["checks"] for r, o in run["rules"].items()} for run in (many, one)]
    assert checks[0] == checks[1]


@needs_dask
@pytest.mark.parametrize(
    ("url", "status", "says"),
    [
        ("tcp://127.0.0.1:1", 3, "no cluster at tcp://127.0.0.1:1"),
        ("localhost", 2, "give tcp://HOST:PORT"),
    ],
)
def test_a_scheduler_that_is_not_there(url: str, status: int, says: str, tmp_path: Path) -> None:
    process = fuzzing(tmp_path, *LITTLE, "--scheduler", url)
    told, _ = process.communicate(timeout=120)
    assert process.returncode == status, told
    assert says in told
    assert "Traceback" not in told


def test_without_the_extra_exit_3_names_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from mcp_prompt_fuzz.cli import main  # noqa: PLC0415 - beside the module it patches

    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert main(["fuzz", "text-only", "--scheduler", "tcp://127.0.0.1:1"]) == 3
    assert "mcp-prompt-fuzz[cluster]" in capsys.readouterr().err
