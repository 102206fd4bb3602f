"""What comes of a line that is typed: an answer, a failure, nothing, a dialog, an end."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import pytest

from mcp_prompt_fuzz.case import Case
from mcp_prompt_fuzz.clients import terminal
from mcp_prompt_fuzz.clients.gemini_cli import GeminiCli
from mcp_prompt_fuzz.clients.program import Bench, Shown
from mcp_prompt_fuzz.clients.terminal import SIZE, Menu, Terminal
from mcp_prompt_fuzz.lab.child import Child
from mcp_prompt_fuzz.lab.host import Address
from mcp_prompt_fuzz.lab.process_table import TOKEN_VARIABLE

SCRIPT = Path(__file__).with_name("small_ui.py")
LIMIT = 60.0

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals there")


class SmallUi(GeminiCli):
    """`small_ui.py`, whose server and model are asked for `/ask`, and the server alone for
    `/fail`."""

    menu = Menu(3, ())

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.folder = folder
        self.starts = self.takes = 0
        stand_in: Any = SimpleNamespace(lab=self, timeout=LIMIT)
        self._bench = stand_in
        self.start(stand_in, {})

    def start(self, bench: Bench, servers: Mapping[str, Address]) -> None:
        self.starts += 1
        environment = {**os.environ, "SMALL_UI_PICKS": "never", TOKEN_VARIABLE: uuid4().hex}
        command = [sys.executable, str(SCRIPT)]
        self._child = Child(command, environment, self.folder, terminal=SIZE)
        self._terminal = Terminal(self._child, LIMIT, self.menu)
        self._terminal.wait_for("Type your message", 0, LIMIT)

    def waiting(self) -> tuple[int, int]:
        """As the lab would say it."""
        took = [line for line in ("/ask", "/fail") if self.terminal.shows(f"took {line}", 0)]
        return len(took), took.count("/ask")

    def take(self) -> None:
        self.takes += 1


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SmallUi]:
    for limit in ("_SHOWN_LIMIT", "_TAKEN_LIMIT"):
        monkeypatch.setattr(terminal, limit, LIMIT)
    started = SmallUi(tmp_path)
    yield started
    started.stop()


def invoked(program: SmallUi, name: str) -> Shown:
    case = Case("t", "2025-06-18", {"name": name}, ())
    return program.invoke(case, f"/{name}")


def test_an_answer_is_over_once_it_stands_on_the_screen(program: SmallUi) -> None:
    shown = invoked(program, "ask")
    assert (shown.error, program.starts) == (None, 1)
    assert program.terminal.shows("Noted.", 0)


def test_a_failure_is_told(program: SmallUi) -> None:
    assert (invoked(program, "fail").error, program.starts) == ("boom", 1)


def test_where_nothing_comes_of_it_it_is_tried_again_and_not_started_anew(
    program: SmallUi,
) -> None:
    shown = invoked(program, "void")
    assert (shown.error, program.starts, program.takes) == (None, 1, 1)
    assert program.terminal.since(0).count("took /void") == 2
    assert invoked(program, "ask").error is None


def test_a_dialog_is_left_by_a_new_start(program: SmallUi, monkeypatch: pytest.MonkeyPatch) -> None:
    for limit in ("_SHOWN_LIMIT", "_TAKEN_LIMIT"):
        monkeypatch.setattr(terminal, limit, 0.5)
    assert invoked(program, "dialog").error is None
    assert program.starts == 3  # once for each of the two tries


def test_a_program_that_was_told_to_end_is_started_anew(program: SmallUi) -> None:
    assert invoked(program, "end").text == "the program has ended"
    assert program.starts == 3
