"""One lab process for all tests here: starting it costs about a second."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from mcp_prompt_fuzz.lab.host import Lab
from mcp_prompt_fuzz.lab.sandbox import Sandbox


@pytest.fixture
def sandbox(tmp_path: Path) -> Iterator[Sandbox]:
    made = Sandbox(tmp_path / "running")
    yield made
    made.close()


@pytest.fixture(scope="package")
def open_lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """A lab outside of any network namespace, so that the tests themselves can call it."""
    around = Sandbox(tmp_path_factory.mktemp("running"))
    lab = Lab(around, isolate=False)
    yield lab
    lab.close()
    around.close()
