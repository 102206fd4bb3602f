"""Typing at a program whose menu takes its time: what is typed is taken, and nothing else."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import uuid4

import pytest

from mcp_prompt_fuzz.clients import terminal
from mcp_prompt_fuzz.clients.terminal import SIZE, Menu, Terminal
from mcp_prompt_fuzz.lab.child import Child
from mcp_prompt_fuzz.lab.process_table import TOKEN_VARIABLE

SCRIPT = Path(__file__).with_name("small_ui.py")
LIMIT = 60.0

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals there")


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Callable[..., Terminal]]:
    """Starts `small_ui.py`, and ends it."""
    children: list[Child] = []

    def start(menu: Menu, **variables: str) -> Terminal:
        environment = {**os.environ, **variables, TOKEN_VARIABLE: uuid4().hex}
        children.append(Child([sys.executable, str(SCRIPT)], environment, tmp_path, terminal=SIZE))
        started = Terminal(children[-1], LIMIT, menu)
        started.wait_for("Type your message", 0, LIMIT)
        return started

    yield start
    for child in children:
        child.end()


def took(screen: Terminal, line: str) -> bool:
    mark, taken = screen.say(line)
    return taken and screen.comes_to_show(f"took {line}", mark, LIMIT)


@pytest.mark.parametrize("menu", [Menu(3, ()), Menu(2, ("Leave at once",))], ids=["draws", "stale"])
def test_enter_waits_for_the_menu_and_not_for_silence(
    opened: Callable[..., Terminal], menu: Menu, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Enter upon the menu of before ends the program: no silence may be taken for its end."""
    monkeypatch.setattr(terminal, "_DRAWN_LATE", LIMIT)
    screen = opened(menu)
    for line in ("/look", '/look --a="x y"'):
        assert took(screen, line), screen.end()
    assert screen.exit_status is None


def test_a_line_that_was_not_taken_is_wiped_and_typed_again(
    opened: Callable[..., Terminal], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(terminal, "_SHOWN_LIMIT", LIMIT)
    screen = opened(Menu(3, ()), SMALL_UI_PICKS="once")
    assert took(screen, "/look"), screen.end()


def test_it_shows_whether_a_new_line_can_be_typed(
    opened: Callable[..., Terminal], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without this, each prompt that can't be had cost a new start of the program."""
    monkeypatch.setattr(terminal, "_SHOWN_LIMIT", LIMIT)
    screen = opened(Menu(3, ()), SMALL_UI_PICKS="never")
    assert screen.takes_lines()
    assert took(screen, "/look")
    assert screen.takes_lines()
    screen._press("left over")
    assert screen.comes_to_show("> left over", 0, LIMIT)
    assert screen.takes_lines(), "what is left over is wiped"
    monkeypatch.setattr(terminal, "_SHOWN_LIMIT", 0.5)
    screen.say("/dialog")
    assert not screen.takes_lines()


def test_a_program_that_draws_less_is_typed_at_all_the_same(
    opened: Callable[..., Terminal],
) -> None:
    screen = opened(Menu(9, ()), SMALL_UI_PICKS="never")
    assert took(screen, "/look"), screen.end()
