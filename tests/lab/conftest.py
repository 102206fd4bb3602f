"""One lab process for all tests here: starting it costs about a second."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from mcp_prompt_fuzz.lab.host import Lab
from mcp_prompt_fuzz.lab.sandbox import Sandbox

Note: TypeAlias = Callable[[str, str, str, str], None]
_NOTED = "lab-check"


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


@pytest.fixture
def note(record_property: Callable[[str, object], None]) -> Note:
    """Say what is tried next: client, revision, way, what. The end of the run tells it as a table.

    What a failed test noted last is what failed; what it noted before was well.
    """

    def note(client: str, revision: str, way: str, what: str) -> None:
        record_property(_NOTED, (client, revision, way, what))

    return note


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """The table of what was read by whom."""
    rows: dict[tuple[str, str, str], tuple[list[str], list[str]]] = {}
    for outcome in ("passed", "failed"):
        for report in terminalreporter.getreports(outcome):
            noted = [tuple(value) for name, value in report.user_properties if name == _NOTED]
            if report.when != "call" or not noted:
                continue
            for number, (client, revision, way, what) in enumerate(noted, 1):
                well, badly = rows.setdefault((client, revision, way), ([], []))
                failed = outcome == "failed" and number == len(noted)
                (badly if failed else well).append(what)
    if not rows:
        return
    write = terminalreporter.write_line
    terminalreporter.section("the lab, as others read it")
    write("| client | revision | way | read correctly | not |")
    write("| --- | --- | --- | --- | --- |")
    for (client, revision, way), (well, badly) in sorted(rows.items()):
        cells = (client, revision, way, ", ".join(well), ", ".join(badly))
        write(f"| {' | '.join(cells)} |")
