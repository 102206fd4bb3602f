"""A lab that runs in another Python than ours sees this package, and nothing that stands beside."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import mcp_prompt_fuzz
from mcp_prompt_fuzz.lab.host import Lab, LabError
from mcp_prompt_fuzz.lab.sandbox import Sandbox

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the lab is POSIX's")

ANSWERS = """#!/bin/sh
printf '%s\\n' "$PYTHONPATH" "$@" > '{seen}'
printf '%s\\n' '{{"id": 0, "ok": {{"port": 7}}}}'
cat > /dev/null
"""


def python(folder: Path, text: str) -> Path:
    program = folder / "python"
    program.write_text(text, encoding="utf-8")
    program.chmod(0o700)
    return program


def test_it_sees_this_package_alone(sandbox: Sandbox, tmp_path: Path) -> None:
    seen = tmp_path / "seen"
    lab = Lab(sandbox, isolate=False, python=python(tmp_path, ANSWERS.format(seen=seen)))
    lab.close()
    path, *words = seen.read_text("utf-8").splitlines()
    assert words[:2] == ["-m", "mcp_prompt_fuzz.lab"]
    assert lab.port == 7
    (ours,) = Path(path).iterdir()
    assert ours.name == "mcp_prompt_fuzz"
    assert ours.resolve() == Path(mcp_prompt_fuzz.__file__).resolve().parent


def test_why_it_does_not_start_is_told(sandbox: Sandbox, tmp_path: Path) -> None:
    breaks = "#!/bin/sh\necho no module named mcp_types >&2; exit 1\n"
    with pytest.raises(LabError, match="no module named mcp_types"):
        Lab(sandbox, isolate=False, python=python(tmp_path, breaks))
