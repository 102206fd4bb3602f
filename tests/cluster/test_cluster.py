"""A real Dask cluster on loopback finds what one machine finds, also when a worker dies."""

from __future__ import annotations

import importlib.util
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from mcp_prompt_fuzz.cli import main

ROOT = Path(__file__).parents[2]
WORKERS = 3
PATIENCE = 300
"""Seconds that a machine may take which has much else to do."""

SPEC = "python:tests.campaign_fakes:slow"
LITTLE = ("--seed", "3", "--max-examples", "230", "--rules", "image,text.*,robust")

WAIT = """
import sys, distributed
with distributed.Client(sys.argv[1], timeout=300) as client:
    client.wait_for_workers(int(sys.argv[2]), timeout=300)
"""

IMPATIENT = """
import sys
from mcp_prompt_fuzz.campaign import cluster
from mcp_prompt_fuzz.cli import main
cluster._PATIENCE = 2
sys.exit(main(sys.argv[1:]))
"""

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
        deadline = time.monotonic() + PATIENCE
        while not address.exists() or not address.read_text():
            assert running.processes[0].poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.05)
        running.url = json.loads(address.read_text())["address"]
        for _ in range(WORKERS):
            running.start(
                tmp_path, "dask_worker", running.url, "--no-nanny", "--nthreads", "1",
                "--no-dashboard", "--host", "127.0.0.1",
            )  # fmt: skip
        subprocess.run(
            [sys.executable, "-c", WAIT, running.url, str(WORKERS)], check=True, timeout=PATIENCE
        )
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
    told, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 1, told
    alone = fuzzing(tmp_path, *LITTLE, "--out", "one")
    alone.communicate(timeout=PATIENCE)
    assert alone.returncode == 1
    many, one = run_of(tmp_path / "many"), run_of(tmp_path / "one")
    assert many["findings"] == one["findings"]
    assert (many["status"], many["errors"]) == ("complete", [])
    assert many["counts"]["examples"] == one["counts"]["examples"]
    checks = [{r: o["checks"] for r, o in run["rules"].items()} for run in (many, one)]
    assert checks[0] == checks[1]


Serve = Callable[[socket.socket], None]


def says_nothing(connection: socket.socket) -> None:
    """Holds the line."""


def speaks_http(connection: socket.socket) -> None:
    """Is a server of another kind."""
    connection.recv(1000)
    connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
    connection.close()


@contextmanager
def listening(serve: Serve) -> Iterator[str]:
    """The address of somebody who is no scheduler."""
    connections: list[socket.socket] = []

    def accept() -> None:
        with suppress(OSError):  # the end of the test
            while True:
                connection, _ = server.accept()
                connections.append(connection)
                serve(connection)

    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=accept, daemon=True)
        thread.start()
        yield f"tcp://127.0.0.1:{server.getsockname()[1]}"
        server.shutdown(socket.SHUT_RDWR)
        thread.join()
    for connection in connections:
        connection.close()


def impatient(folder: Path, url: str) -> tuple[int, str]:
    """What a run comes to that waits for nobody longer than it must."""
    command = [sys.executable, "-c", IMPATIENT, "fuzz", SPEC, "--scheduler", url]
    ran = subprocess.run(
        command,
        cwd=folder,
        env=environment(),
        check=False,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    return ran.returncode, ran.stderr


@needs_dask
@pytest.mark.parametrize("serve", [says_nothing, speaks_http])
def test_one_who_is_no_scheduler_is_no_cluster(serve: Serve, tmp_path: Path) -> None:
    with listening(serve) as url:
        status, told = impatient(tmp_path, url)
    assert (status, f"no cluster at {url}: " in told) == (3, True), told
    assert "Traceback" not in told


@needs_dask
def test_an_address_where_nobody_is_is_no_cluster(tmp_path: Path) -> None:
    status, told = impatient(tmp_path, "tcp://127.0.0.1:1")
    assert (status, "no cluster at tcp://127.0.0.1:1: " in told) == (3, True), told
    assert "dask scheduler" in told, "what to do about it"
    assert "Traceback" not in told
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("url", ["localhost", "localhost:8786", "http://localhost:8787", ""])
def test_what_is_no_address_is_a_usage_error(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["fuzz", "text-only", "--scheduler", url]) == 2
    assert "give tcp://HOST:PORT" in capsys.readouterr().err


def test_without_the_extra_exit_3_names_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert main(["fuzz", "text-only", "--scheduler", "tcp://127.0.0.1:1"]) == 3
    assert "mcp-prompt-fuzz[cluster]" in capsys.readouterr().err
