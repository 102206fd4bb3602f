"""Beside an SDK 1.x, what needs the lab runs all the same: its servers are installed apart."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from .conftest import ROOT, Distribution, Environment, new_environment

pytestmark = pytest.mark.network

SDK = "mcp==1.30.0"
DRIVER = "driver:python3 connecting_driver.py"
LIBRARY = "langchain-mcp-adapters"


@pytest.fixture(scope="module")
def older(built: Distribution, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """The wheel with its extra for clients, an old SDK beside it in the same site-packages."""
    folder = tmp_path_factory.mktemp("older")
    pins = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    constraints = folder / "constraints.txt"
    kept = [pin for pin in pins if not pin.startswith("mcp")]
    constraints.write_text("\n".join([*kept, SDK]), encoding="utf-8")
    environment = new_environment(folder / "env")
    environment.install(f"{built.wheel}[clients]", constraints=constraints)
    return environment


def test_an_end_to_end_rendering(older: Environment, tmp_path: Path) -> None:
    cache = {"MCP_PROMPT_FUZZ_CACHE": str(tmp_path / "cache")}
    shutil.copy(Path(__file__).with_name("connecting_driver.py"), tmp_path)
    told = older.run("python", "-m", "pip", "list", "--format=json", cwd=tmp_path)
    versions = {each["name"]: each["version"] for each in json.loads(told)}
    assert versions["mcp"] == SDK.partition("==")[2]

    def run(*words: str) -> str:
        return older.run("mcp-prompt-fuzz", *words, cwd=tmp_path, more=cache)

    out = run("check", DRIVER)
    assert "negotiates 2025-11-25" in out
    assert "ready:" in out
    # A real client in its sandbox, from the cached environment of the lab: no registry is asked.
    case = "corpus/text/one-text.json"
    assert "nothing is broken (text.verbatim checked)" in run("show", LIBRARY, case)
    no_registry = dict.fromkeys(("PIP_INDEX_URL", "UV_INDEX_URL"), "http://127.0.0.1:9/")
    again = older.run("mcp-prompt-fuzz", "check", DRIVER, cwd=tmp_path, more=cache | no_registry)
    assert "ready:" in again
    assert "installing" not in again
