"""Lines of any length there and back, whether pipes can be waited for or have threads."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

from mcp_prompt_fuzz.renderers import line_process
from mcp_prompt_fuzz.renderers.line_process import BrokenLine, LineProcess

MUCH = 1024 * 1024
ECHO = "import sys\nfor line in sys.stdin: print(line, end='', flush=True)"
ECHO_TWICE = "import sys\nfor line in sys.stdin: print(line, end=line, flush=True)"
ECHO_ONCE = "print(input(), flush=True)"


@pytest.fixture(params=["polled", "threads"], autouse=True)
def _way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "threads":
        monkeypatch.setattr(line_process, "_POLLED", False)


def running(program: str) -> Iterator[LineProcess]:
    process = LineProcess([sys.executable, "-c", program])
    yield process
    process.end()


@pytest.fixture
def echo() -> Iterator[LineProcess]:
    yield from running(ECHO)


@pytest.fixture
def echo_twice() -> Iterator[LineProcess]:
    yield from running(ECHO_TWICE)


@pytest.fixture
def echo_once() -> Iterator[LineProcess]:
    yield from running(ECHO_ONCE)


def test_lines_come_back_in_order(echo: LineProcess) -> None:
    lines = [b"a", b"b" * MUCH, b"c", b"d" * (4 * MUCH), b"", b"e"]
    assert [echo.ask(line, limit=5 * MUCH, timeout=60) for line in lines] == lines
    assert not echo.unasked()


def test_what_is_told_while_a_long_line_is_on_its_way_comes_after_it(echo: LineProcess) -> None:
    for line in (b"a" * MUCH, b"b", b"c" * MUCH):
        echo.tell(line)
    told = [echo.ask(b"d", limit=2 * MUCH, timeout=60)[:2]]
    for _ in range(3):
        told.append(echo.ask(b"", limit=2 * MUCH, timeout=60)[:2])
    assert told == [b"aa", b"b", b"cc", b"d"]


def test_a_second_answer_is_seen(echo_twice: LineProcess) -> None:
    assert echo_twice.ask(b"a", limit=99, timeout=60) == b"a"
    assert echo_twice.unasked(60)
    assert echo_twice.unasked(None)


def test_an_end_is_told(echo_once: LineProcess) -> None:
    assert echo_once.ask(b"a", limit=99, timeout=60) == b"a"
    with pytest.raises(BrokenLine, match="exited with 0"):
        echo_once.ask(b"b" * MUCH, limit=99, timeout=60)


def test_too_much_is_a_flood(echo: LineProcess) -> None:
    with pytest.raises(BrokenLine, match="more than 100 bytes") as broken:
        echo.ask(b"a" * MUCH, limit=100, timeout=60)
    assert broken.value.breakage.kind == "flood"
