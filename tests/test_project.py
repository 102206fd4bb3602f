"""What a clone of this project promises: the changelog, the README, make."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest

from mcp_prompt_fuzz.formats import check_case

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def test_the_changelog_begins_with_the_packages_version() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    first = re.search(r"^## (\S+)", changelog, re.MULTILINE)
    assert first is not None
    assert first[1] == PROJECT["version"]


def test_what_is_installed_is_this_version() -> None:
    try:
        installed = version("mcp-prompt-fuzz")
    except ModuleNotFoundError:
        pytest.skip("run from the source tree, without being installed")
    assert installed == PROJECT["version"]


def test_the_readme_names_its_commands() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    for command in ("make fuzz", "make test", "make check", "make help"):
        assert command in readme


def test_the_readme_s_prompt_is_a_case() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    (text,) = re.findall(r"```json\n(.*?)```", readme, re.DOTALL)
    check_case(json.loads(text), "README.md")


def test_workflows_pin_their_actions() -> None:
    texts = [(ROOT / "README.md").read_text("utf-8")]
    texts += [path.read_text("utf-8") for path in (ROOT / ".github/workflows").glob("*.yml")]
    used = [line for text in texts for line in re.findall(r"uses: (\S+)", text)]
    assert used
    assert all(re.search(r"@[0-9a-f]{40}$", action) for action in used)


def test_constraints_name_each_dependency_once() -> None:
    lines = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    pinned = [re.match(r"([\w.-]+)==\S+", line) for line in lines if not line.startswith("#")]
    names = [match[1] for match in pinned if match]
    assert len(names) == len(pinned) == len(set(names))
    for requirement in PROJECT["dependencies"]:
        name = re.match(r"[\w.-]+", requirement)
        assert name is not None
        assert name[0] in names


needs_make = pytest.mark.skipif(shutil.which("make") is None, reason="no make here")

COMMAND_LINE = """driver:node -e "x($a, '$(b)')" $$ \\$c #d %e  two spaces"""

PRINTS = """\
include Makefile
print:
	@printf '%s' "$$RENDERER"
print-shipped:
	@printf '%s' "$(SHIPPED)"
"""


def make(tmp_path: Path, target: str, *words: str, renderer: str | None = None) -> str:
    """What make prints in a copy of the Makefile."""
    shutil.copy(ROOT / "Makefile", tmp_path)
    (tmp_path / "print.mk").write_text(PRINTS, encoding="utf-8")
    environment = {"PATH": "/usr/local/bin:/usr/bin:/bin"}
    if renderer is not None:
        environment["RENDERER"] = renderer
    command = ["make", "-s", "-f", "print.mk", target, *words]
    made = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
    )
    return made.stdout


@needs_make
def test_any_command_line_survives_make(tmp_path: Path) -> None:
    assert make(tmp_path, "print") == "text-only"
    assert make(tmp_path, "print", renderer=COMMAND_LINE) == COMMAND_LINE
    assert make(tmp_path, "print", f"RENDERER={COMMAND_LINE}") == COMMAND_LINE


@needs_make
@pytest.mark.parametrize(
    ("renderer", "shipped"),
    [
        ("text-only", ""),
        ("reference", ""),
        ("python:a:b", ""),
        ("driver:opencode --serve", ""),
        ("opencode", "opencode"),
        ("opencode@1.2", "opencode@1.2"),
    ],
)
def test_clients_are_only_needed_where_one_is_named(
    renderer: str, shipped: str, tmp_path: Path
) -> None:
    assert make(tmp_path, "print-shipped", renderer=renderer) == shipped
