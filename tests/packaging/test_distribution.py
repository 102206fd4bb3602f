"""What is built holds what is needed, and works where there is no checkout (make packaging)."""

from __future__ import annotations

import re
import shutil
import tarfile
import zipfile
from pathlib import Path

import pytest

from .conftest import ROOT, Distribution, Environment

pytestmark = pytest.mark.network

DATA = (
    "hypothesis_mcp/py.typed",
    "mcp_prompt_fuzz/py.typed",
    "mcp_prompt_fuzz/pytest_plugin.py",
    "mcp_prompt_fuzz/reports/page/page.html.j2",
    "mcp_prompt_fuzz/schemas/case.json",
    "mcp_prompt_fuzz/shipped_constraints.txt",
    "mcp_prompt_fuzz/shipped_corpus/image/alone.json",
    "mcp_prompt_fuzz/shipped_known/text-only.json",
    *(
        f"mcp_prompt_fuzz/commands/starters/{name}"
        for name in ("prompt_driver.py", "prompt-driver.ts", "prompt_driver.go", "prompt_driver.rs")
    ),
)


def test_the_wheel_holds_its_data_and_nothing_else(built: Distribution) -> None:
    with zipfile.ZipFile(built.wheel) as wheel:
        names = set(wheel.namelist())
        (points,) = (n for n in names if n.endswith("entry_points.txt"))
        told = wheel.read(points).decode()
    assert set(DATA) <= names
    assert {name.split("/")[0].partition("-")[0] for name in names} == {
        "hypothesis_mcp",
        "mcp_prompt_fuzz",
    }
    assert "mcp_prompt_fuzz = mcp_prompt_fuzz.pytest_plugin" in told
    cases = {f"mcp_prompt_fuzz/shipped_{p.relative_to(ROOT)}" for p in ROOT.glob("corpus/*/*.json")}
    assert cases <= names


def test_the_suite_passes_on_what_is_installed(
    built: Distribution, developers: Environment, tmp_path: Path
) -> None:
    with tarfile.open(built.sdist) as sdist:
        sdist.extractall(tmp_path, filter="data")
    (source,) = tmp_path.iterdir()
    for folder in ("src", "strategies"):
        shutil.rmtree(source / folder)
    # The measurements draw and judge: where the code stands has no part in them.
    suite = ("-m", "not network", "--ignore", "tests/quality", "-p", "no:cacheprovider")
    out = developers.run("python", "-m", "pytest", "-q", *suite, cwd=source)
    assert re.search(r"\b\d{4} passed", out), out[-2000:]  # thousands: it was not skipped instead


def test_the_corpus_here_wins_over_the_shipped_one(installed: Environment, tmp_path: Path) -> None:
    shipped = installed.run("mcp-prompt-fuzz", "replay", "text-only", cwd=tmp_path)
    assert shipped.count("corpus/") > 30
    (tmp_path / "corpus").mkdir()
    shutil.copy(ROOT / "corpus/image/alone.json", tmp_path / "corpus")
    own = installed.run("mcp-prompt-fuzz", "replay", "text-only", cwd=tmp_path)
    assert own.count("corpus/") == 1


@pytest.mark.parametrize(
    "command", [("mypy", "--strict"), ("pyright", "--pythonpath", "python")], ids=lambda c: c[0]
)
def test_both_packages_are_typed(
    command: tuple[str, ...], developers: Environment, tmp_path: Path
) -> None:
    shutil.copy(Path(__file__).with_name("consumer.py"), tmp_path / "consumer.py")
    (tmp_path / "pyrightconfig.json").write_text('{"typeCheckingMode": "strict"}', encoding="utf-8")
    words = [str(developers.programs / w) if w == "python" else w for w in command]
    out = developers.run(*words, "consumer.py", cwd=tmp_path)
    assert "Success" in out or "0 errors" in out
