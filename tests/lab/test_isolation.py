"""Namespaces, as far as this system allows them; dead proxies where it allows none."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("mcp_types", reason="the lab needs mcp 2.x")

from mcp_prompt_fuzz.lab import host
from mcp_prompt_fuzz.lab.host import Lab, LabError
from mcp_prompt_fuzz.lab.isolation import (
    DEAD_PROXIES,
    NAMESPACE,
    WALLED,
    Isolation,
    own_namespace_prefix,
)
from mcp_prompt_fuzz.lab.process_table import started_at
from mcp_prompt_fuzz.lab.sandbox import Sandbox, reap_leftovers

from .test_sandbox import fake, printed, wait_for


@pytest.fixture(params=[True, False], ids=["walled", "open files"])
def lab(
    request: pytest.FixtureRequest, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Lab]:
    """In each kind of isolation that there is here."""

    def allowed(*, walled: bool) -> list[str]:
        return own_namespace_prefix(walled=walled) if walled == request.param else []

    monkeypatch.setattr(host, "own_namespace_prefix", allowed)
    made = Lab(sandbox)
    yield made
    made.close()
    if sandbox.isolation.holder is None:
        pytest.skip("no such namespaces here")
    assert sandbox.isolation.description == (WALLED if request.param else NAMESPACE)


def test_a_client_sees_loopback_alone(lab: Lab, sandbox: Sandbox) -> None:
    if sandbox.isolation.holder is None:
        pytest.skip("no such namespaces here")
    assert "refused: OSError 101" in printed(sandbox.spawn(fake("reaches_out")), "\n")
    script = (
        f"import urllib.request as u; print(u.urlopen({lab.model_url + '/v1/models'!r}).status)"
    )
    assert "200" in printed(sandbox.spawn([sys.executable, "-c", script]), "\n")


def test_a_client_sees_the_system_and_itself_alone(
    sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, seen = tmp_path / "home", tmp_path / "home" / "seen"
    (seen / "inner").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    files = [home / "secret", seen / "tool", sandbox.work / "own", Path("/etc/passwd")]
    for file in files[:3]:
        file.write_text("told", encoding="utf-8")
    lab = Lab(sandbox, see=[seen / "inner", seen])
    if sandbox.isolation.description != WALLED:
        lab.close()
        pytest.skip("no mount namespaces here")
    scratch = Path("/tmp/mcp-prompt-fuzz-scratch")
    command = [*fake("looks_around"), *map(str, [*files, scratch])]
    said = printed(sandbox.spawn(command), " end")
    lab.close()
    results = dict(line.rsplit(" ", 1) for line in said.splitlines() if line[:2] in ("r ", "a "))
    secret, tool, own, _ = map(str, files)
    assert results[f"r {secret}"] == "FileNotFoundError"
    assert (results[f"r {tool}"], results[f"a {tool}"]) == ("told", "OSError")
    assert (results[f"r {own}"], results[f"a {own}"]) == ("told", "1")
    assert results["a /etc/passwd"] in ("OSError", "PermissionError")
    assert results[f"a {scratch}"] == "1"
    assert f"in {sandbox.work}" in said
    assert [file.read_text("utf-8") for file in files[:3]] == ["told", "told", "toldx"]
    assert not scratch.exists()


def test_without_namespaces_the_run_says_so(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(host, "own_namespace_prefix", lambda walled: ["false"])
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
