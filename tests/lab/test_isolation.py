"""The network namespace, where this system allows one; dead proxies where not."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("mcp_types", reason="the lab needs mcp 2.x")

from mcp_prompt_fuzz.lab import host
from mcp_prompt_fuzz.lab.host import Lab, LabError
from mcp_prompt_fuzz.lab.isolation import DEAD_PROXIES, NAMESPACE, Isolation
from mcp_prompt_fuzz.lab.process_table import started_at
from mcp_prompt_fuzz.lab.sandbox import Sandbox, reap_leftovers

from .test_sandbox import fake, printed, wait_for


def test_a_client_sees_loopback_alone(sandbox: Sandbox) -> None:
    lab = Lab(sandbox)
    if sandbox.isolation.description != NAMESPACE:
        pytest.skip("no network namespaces here")
    assert "refused: OSError 101" in printed(sandbox.spawn(fake("reaches_out")), "\n")
    script = (
        f"import urllib.request as u; print(u.urlopen({lab.model_url + '/v1/models'!r}).status)"
    )
    assert "200" in printed(sandbox.spawn([sys.executable, "-c", script]), "\n")
    lab.close()


def test_without_namespaces_the_run_says_so(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(host, "own_namespace_prefix", lambda: ["false"])
    lab = Lab(sandbox)
    assert sandbox.isolation.description == DEAD_PROXIES
    assert "127.0.0.1:9" in printed(sandbox.spawn(fake("shows_environment")), "end")
    lab.close()


def test_a_namespace_that_cannot_be_entered_is_not_used(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(host, "can_enter", lambda isolation: False)
    lab = Lab(sandbox)
    assert sandbox.isolation == Isolation(None)
    assert lab.http("GET", f"{lab.model_url}/v1/models", seconds=10)
    lab.close()


def test_the_api_of_a_client_is_called_from_inside(sandbox: Sandbox) -> None:
    lab = Lab(sandbox)
    reply = lab.http("POST", f"{lab.model_url}/api/show", {"model": "m"}, seconds=10)
    assert reply is not None
    assert (reply.status, reply.json()["details"]) == (200, {})
    with pytest.raises(ConnectionError):
        lab.http("GET", "http://127.0.0.1:1/", seconds=10)
    lab.close()
    with pytest.raises(LabError):
        lab.take()


def test_a_harness_that_is_killed_leaves_nothing_running(tmp_path: Path) -> None:
    script = f"""
import os, sys
from pathlib import Path
from mcp_prompt_fuzz.lab.host import Lab
from mcp_prompt_fuzz.lab.sandbox import Sandbox
sandbox = Sandbox(Path({str(tmp_path)!r}))
lab = Lab(sandbox)
child = sandbox.spawn({fake("ignores_sigterm")!r})
lab.guard(sandbox.processes)
print(child.pid, *(running.pid for running in sandbox.processes), flush=True)
os.kill(os.getpid(), 9)
"""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=False
    )
    pids = {int(pid) for pid in done.stdout.split()}
    assert len(pids) == 2, done.stderr
    wait_for(lambda: all(started_at(pid) is None for pid in pids))
    assert reap_leftovers(tmp_path) == 1
