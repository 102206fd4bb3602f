"""What the lab's process runs in, by the SDK that is installed here."""

from __future__ import annotations

from importlib import metadata, util
from pathlib import Path
from typing import Any

import pytest

from mcp_prompt_fuzz.clients import lab_environment
from mcp_prompt_fuzz.clients.lab_environment import lab_python, shipped_constraints
from mcp_prompt_fuzz.renderer import RendererUnavailable


def installed(version: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metadata, "version", lambda name: version)


@pytest.mark.parametrize("version", ["2.0.0", "2.3.0", "10.1"])
def test_it_runs_here_where_the_sdk_is_new_enough(
    version: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed(version, monkeypatch)
    monkeypatch.setattr(util, "find_spec", lambda name: None)
    assert lab_python() is None


def test_beside_an_older_sdk_it_gets_an_environment_of_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made: list[Any] = []

    def python_environment(*args: Any, **named: Any) -> Path:
        made.append((*args, named))
        return Path("/made/python")

    installed("1.30.0", monkeypatch)
    monkeypatch.setattr(util, "find_spec", lambda name: name)
    monkeypatch.setattr(lab_environment, "python_environment", python_environment)
    told: list[str] = []
    assert lab_python(told.append) == Path("/made/python")
    ((name, (pin,), progress, named),) = made
    progress(name)
    assert told == ["the lab's servers"]
    assert pin.startswith("mcp==2.")
    assert pin in named["constraints"].read_text("utf-8").splitlines()


def test_without_uv_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    installed("1.23.0", monkeypatch)
    monkeypatch.setattr(util, "find_spec", lambda name: None)
    with pytest.raises(RendererUnavailable, match=r"need mcp 2\.x, and mcp 1\.23\.0") as missing:
        lab_python()
    assert "uv" in missing.value.problem
    assert missing.value.next_step == "pip install 'mcp-prompt-fuzz[clients]'"


def test_all_that_the_sdk_needs_is_pinned() -> None:
    """An environment that is made tomorrow holds what one that was made today does."""
    lines = shipped_constraints().read_text("utf-8").splitlines()
    pinned = {line.partition("==")[0] for line in lines if "==" in line}
    assert {"mcp", "mcp-types", "anyio", "starlette", "uvicorn", "pydantic"} <= pinned
