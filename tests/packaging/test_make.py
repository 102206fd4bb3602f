"""A command line reaches the program as it was written, through make and the shell."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import ROOT

pytestmark = pytest.mark.skipif(
    shutil.which("make") is None or sys.platform == "win32", reason="no make here"
)

NODE = (
    """driver:node -e "let $a = '$(x)'; console.log(\\`\\${$a} $$ #1 %d\\`)"  --two  'three four'"""
)
PRINTS_ARGUMENTS = """\
#!/bin/sh
[ "$1" = -c ] && exit  # whether it is there
for each in "$@"; do printf '%s\\n' "$each"; done
"""


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A folder with the Makefile, and in place of Python a program that prints its arguments."""
    for name in ("Makefile", "pyproject.toml", "constraints.txt"):
        shutil.copy(ROOT / name, tmp_path)
    python = tmp_path / ".venv/bin/python"
    python.parent.mkdir(parents=True)
    python.write_text(PRINTS_ARGUMENTS, encoding="utf-8")
    python.chmod(0o755)
    (tmp_path / ".venv/.made-for").write_text(str(tmp_path.resolve()), encoding="utf-8")
    return tmp_path


def made(folder: Path, *words: str, **variables: str) -> list[str]:
    environment = {"PATH": "/usr/local/bin:/usr/bin:/bin", **variables}
    command = ["make", "-s", *words]
    ran = subprocess.run(
        command, cwd=folder.resolve(), env=environment, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout.splitlines()


@pytest.mark.parametrize("from_environment", [True, False])
def test_quotes_dollars_and_spaces_survive(from_environment: bool, clone: Path) -> None:
    words = () if from_environment else (f"RENDERER={NODE}",)
    variables = {"RENDERER": NODE} if from_environment else {}
    expected = ["-m", "mcp_prompt_fuzz", "replay", NODE]
    assert made(clone, "replay", *words, **variables) == expected
    fuzz = made(clone, "fuzz", *words, "SEED=7", "MAX_EXAMPLES=9", "OUT=my run", **variables)
    assert fuzz == [
        *("-m", "mcp_prompt_fuzz", "fuzz", NODE, "--max-examples", "9"),
        *("--out", "my run", "--seed", "7"),
    ]
