"""Cases that the repro's programs are tried with."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from mcp_prompt_fuzz.case import Case
from mcp_prompt_fuzz.repro.folder import PROGRAMS, program

WriteCase = Callable[[Case], Path]


@pytest.fixture
def folder_of(tmp_path: Path) -> WriteCase:
    """A folder with the case and both programs, as a repro has them."""

    def write(case: Case) -> Path:
        text = json.dumps(case.to_json())
        (tmp_path / "case.json").write_text(text, encoding="utf-8")
        for name in PROGRAMS:
            (tmp_path / name).write_text(program(name), encoding="utf-8")
        return tmp_path

    return write
