"""What is loaded, and what is needed, in projects that have the package installed."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import mcp_prompt_fuzz

pytest_plugins = ("pytester",)

Client = Callable[..., pytest.RunResult]


def test_where_it_is_merely_installed_nothing_else_is_loaded(
    client: Client, pytester: pytest.Pytester
) -> None:
    # Hypothesis has a plugin of its own, which may load it; that is none of ours.
    without = ("-p", "no:hypothesispytest", "-p", "no:hypothesis-pytest")
    module = """
    import sys

    def test_what_is_loaded():
        assert "mcp_prompt_fuzz.pytest_plugin" in sys.modules
        ours = {name for name in sys.modules if name.startswith(("mcp_prompt_fuzz.", "hypothesis"))}
        assert ours == {"mcp_prompt_fuzz.pytest_plugin"}
        assert not {"mcp", "mcp_types", "pydantic", "anyio", "jsonschema"} & set(sys.modules)
    """
    # anyio's plugin loads anyio: it is told to stay away too.
    ran = client(module, *without, "-p", "no:anyio", process=True)
    ran.assert_outcomes(passed=1)


def test_its_module_imports_pytest_alone() -> None:
    # Read, not imported: it is for the pytest of a test to load.
    (folder,) = mcp_prompt_fuzz.__path__
    lines = (Path(folder) / "pytest_plugin.py").read_text("utf-8").splitlines()
    assert [line for line in lines if line.startswith(("import ", "from "))] == ["import pytest"]


WITHOUT_PYTEST = """
import sys

sys.modules["pytest"] = sys.modules["_pytest"] = None
from mcp_prompt_fuzz.testing import check_renderer
from my_client import drops_images, faithful

check_renderer(faithful, max_examples=5)
check_renderer("python:my_client:drops_images", rules=["text.verbatim"], max_examples=5)
try:
    check_renderer(drops_images, max_examples=5)
except AssertionError as error:
    print(error)
"""


def test_a_plain_function_needs_no_pytest(client: Client, pytester: pytest.Pytester) -> None:
    client("", "--collect-only")  # writes the project
    ran = subprocess.run(
        [sys.executable, "-c", WITHOUT_PYTEST],
        cwd=pytester.path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stdout.startswith("image: The bytes of each image reach the model.\nloss: ")
    assert '"type": "image"' in ran.stdout
    command = "mcp-prompt-fuzz fuzz python:my_client:drops_images --rules image --seed 0"
    assert f"  {command} --max-examples 5\n" in ran.stdout
    assert "\n\n" in ran.stdout
