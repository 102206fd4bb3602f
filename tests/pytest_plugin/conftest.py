"""A client's own project, in an empty folder, tested by a pytest of its own."""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib.metadata import entry_points
from pathlib import Path

import pytest

import hypothesis_mcp
import mcp_prompt_fuzz

CLIENT = '''
"""The renderer of a client, and what goes wrong in such."""

import base64


def faithful(result):
    return [{"role": m["role"], "content": [part(m["content"])]} for m in result["messages"]]


def part(content):
    if content["type"] == "text":
        return content
    if content["type"] == "resource_link":
        return {**content, "type": "link"}
    if content["type"] != "resource":
        return {name: content[name] for name in ("type", "data", "mimeType")}
    held = content["resource"]
    told = {name: held[name] for name in ("uri", "mimeType") if name in held}
    if "text" in held:
        data = base64.b64encode(held["text"].encode()).decode()
        return {"type": "file", "data": data, "mimeType": "text/plain", **told}
    return {"type": "file", "data": held["blob"], "mimeType": "application/octet-stream", **told}


def drops_images(result):
    return [m for m in faithful(result) if m["content"][0]["type"] != "image"]


def trims(result):
    turns = faithful(result)
    for turn in turns:
        for content in turn["content"]:
            if content["type"] == "text":
                content["text"] = content["text"].strip()
    return turns


def forgets_roles(result):
    return [{**turn, "role": "user"} for turn in faithful(result)]


def runs_backticks(result):
    turns = faithful(result)
    for turn in turns:
        for content in turn["content"]:
            if content["type"] == "text":
                ran = content["text"].replace("`echo pfz-$((6*3))-ran`", "pfz-18-ran")
                content["text"] = ran
    return turns
'''


@pytest.fixture
def client(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., pytest.RunResult]:
    """Writes a test module into a client's project, and runs pytest on it.

    `process=True` for what needs an interpreter of its own: workers, Hypothesis profiles.
    """
    packages = {str(Path(p.__path__[0]).parent) for p in (mcp_prompt_fuzz, hypothesis_mcp)}
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([*sorted(packages), str(pytester.path)]))
    for name in ("CI", "HYPOTHESIS_STORAGE_DIRECTORY", "PYTEST_ADDOPTS"):
        monkeypatch.delenv(name, raising=False)
    pytester.makepyfile(my_client=CLIENT)
    pytester.makeini("[pytest]\naddopts = --strict-markers --strict-config\nfilterwarnings = error")
    pytester.syspathinsert()
    (pytester.path / "corpus").mkdir()  # the shipped one takes its time

    def run(module: str, *args: str, process: bool = False) -> pytest.RunResult:
        pytester.makepyfile(test_prompts=module)
        if process:
            return pytester.runpytest_subprocess(*plugin(), *args, timeout=120)
        return pytester.runpytest_inprocess(*plugin(), *args)

    return run


def plugin() -> list[str]:
    """How pytest is told of the plugin where no installed package does."""
    names = {point.name for point in entry_points(group="pytest11")}
    return [] if "mcp_prompt_fuzz" in names else ["-p", "mcp_prompt_fuzz.pytest_plugin"]
