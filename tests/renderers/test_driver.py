"""Drivers that behave, and drivers that don't: each fault is one rendering, and the run goes on."""

from __future__ import annotations

import contextlib
import json
import os
import shlex
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from mcp_prompt_fuzz.case import NEWEST_REVISION, Case
from mcp_prompt_fuzz.reference import expected
from mcp_prompt_fuzz.renderer import Renderer, RendererUnavailable
from mcp_prompt_fuzz.renderers import UsageError, driver, open_renderer
from mcp_prompt_fuzz.rendering import Breakage

PIXEL = "iVBORw0KGgo="
posix_only = pytest.mark.skipif(sys.platform == "win32", reason="process groups are POSIX")


@pytest.fixture(autouse=True)
def _fakes_in_reach(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent), prepend=os.pathsep)


def saying(*texts: str, **members: object) -> Case:
    messages = tuple({"role": "user", "content": {"type": "text", "text": t}} for t in texts)
    return Case("t", NEWEST_REVISION, {"name": "p"}, messages, **members)  # type: ignore[arg-type]


def command(fake: str) -> str:
    return f"driver:{shlex.join([sys.executable, '-m', f'fake_drivers.{fake}'])}"


@contextlib.contextmanager
def driving(fake: str, timeout: float = 20) -> Iterator[Renderer]:
    renderer = open_renderer(command(fake), revision=NEWEST_REVISION, timeout=timeout)
    with contextlib.closing(renderer):
        yield renderer


def broken(renderer: Renderer, case: Case) -> tuple[str, str]:
    rendering = renderer.render(case)
    assert rendering.broke is not None, rendering
    assert not rendering.turns
    return rendering.broke.kind, rendering.broke.detail


def renders(renderer: Renderer) -> bool:
    case = saying("all is well")
    return renderer.render(case).turns == expected(case)


def gone(pid: int) -> bool:
    """Whether the process ends within a liveness bound (a zombie has ended)."""
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        with contextlib.suppress(OSError):
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        time.sleep(0.02)
    return False


def test_a_faithful_driver_renders_what_is_expected() -> None:
    case = Case(
        "t",
        NEWEST_REVISION,
        {"name": "p"},
        (
            {"role": "user", "content": {"type": "text", "text": "a\u2028\x00\r\n\ud800"}},
            {
                "role": "assistant",
                "content": {"type": "image", "data": PIXEL, "mimeType": "image/png"},
            },
            {
                "role": "user",
                "content": {"type": "resource_link", "uri": "a:b", "name": "n", "size": 3},
            },
        ),
    )
    with driving("always_faithful") as renderer:
        assert renderer.render(case).turns == expected(case)
        assert renderer.identity.lane == "driver"
        assert renderer.identity.view == "result"
        assert (renderer.identity.name, renderer.identity.version) == ("fake", "1.0")


def test_slots_are_filled_with_what_the_user_gives() -> None:
    message = {"role": "user", "content": {"type": "text", "text": [{"argument": "a"}, "."]}}
    case = Case("t", NEWEST_REVISION, {"name": "p"}, (message,), arguments={"a": "$1"})
    with driving("always_faithful") as renderer:
        (turn,) = renderer.render(case).turns
        assert turn.parts[0].text == "$1."


def test_a_driver_that_drops_images_is_seen_to() -> None:
    image = {"role": "user", "content": {"type": "image", "data": PIXEL, "mimeType": "image/png"}}
    case = Case("t", NEWEST_REVISION, {"name": "p"}, (image,))
    with driving("drops_images") as renderer:
        (turn,) = renderer.render(case).turns
        assert turn.parts == ()


@pytest.mark.parametrize(
    ("fake", "text", "kind", "told"),
    [
        ("exits", "exit", "exit", "exited with 7; its standard error ends: \\x1b[31mcan't go on"),
        ("aborts", "abort", "exit", "exited with -6"),
        ("prints_escapes", "escape", "garbage", "not JSON"),
        ("prints_garbage", "garbage", "garbage", "INFO rendering ..."),
        ("floods_stdout", "flood", "flood", "bytes in one answer"),
        ("floods_stderr", "exit", "exit", "the last word"),
        ("answers_other_id", "other", "protocol", "answered id 4711"),
        ("half_a_line", "half", "exit", "exited with 0 in the middle of a line"),
    ],
)
def test_a_fault_is_one_rendering_and_the_run_goes_on(
    fake: str, text: str, kind: str, told: str
) -> None:
    with driving(fake) as renderer:
        assert renders(renderer)
        for _ in range(2):
            found, detail = broken(renderer, saying(text))
            assert found == kind
            assert told in detail
            assert detail.isprintable()
            assert renders(renderer)


@pytest.mark.parametrize("fake", ["hangs", "never_reads", "replies_late"])
def test_a_hang_ends_at_the_time_limit(fake: str) -> None:
    with driving(fake, timeout=2.5) as renderer:
        started = time.monotonic()
        kind, detail = broken(renderer, saying("hang", "x" * 1_000_000))
        assert kind == "hang"
        assert "no answer within 2.5 s" in detail
        assert time.monotonic() - started < 10
        assert renders(renderer) or fake == "never_reads"


def test_a_double_answer_is_never_taken_for_another_s() -> None:
    """The second answer comes when it comes: before, during or after the wait for it."""
    with driving("replies_twice") as renderer:
        for _ in range(3):
            renderer.render(saying("twice"))
            assert renders(renderer)


class Doubling:
    """Stands in for the process of a driver that answers "twice" twice, the second time late."""

    def __init__(self, argv: object) -> None:
        self._late: list[bytes] = []

    def ask(self, line: bytes, *, limit: int, timeout: float) -> bytes:
        request = json.loads(line)
        if request["op"] == "hello":
            return b'{"protocol": 1, "name": "x", "version": "1", "accepts": "result"}'
        answers = [json.dumps({"id": request["id"], "text": "x"}).encode()]
        if b"twice" in line:
            self._late = answers * 2
        return (self._late or answers).pop()

    def unasked(self, wait: float = 0.0) -> bytes | None:
        return self._late.pop() if wait and self._late else None

    def tell(self, line: bytes) -> None:
        pass

    def end(self, politely: bool = False) -> None:
        pass


def test_from_the_second_time_on_the_case_that_is_answered_twice_is_blamed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(driver, "LineProcess", Doubling)
    connection = driver.Connection("driver:x", ["x"], timeout=1)
    connection.start()
    said = [connection.exchange("render", {"say": text}) for text in ("twice", "", "twice", "")]
    blamed = Breakage("protocol", "answered twice")
    assert [reply if reply == blamed else "answered" for reply in said] == [
        *("answered", "answered"),
        *(blamed, "answered"),
    ]


def test_earlier_cases_come_first_in_the_same_process() -> None:
    with driving("exits") as renderer:
        case = saying("after", before=(saying("earlier"),))
        assert renderer.render(case).turns == expected(case)


def test_what_is_broken_before_does_not_count() -> None:
    with driving("exits") as renderer:
        case = saying("after", before=(saying("exit"),))
        assert renderer.render(case).turns == expected(case)


@posix_only
def test_a_driver_that_ignores_signals_is_ended() -> None:
    with driving("ignores_sigterm") as renderer:
        pid = int(renderer.identity.version)
        assert renders(renderer)
        started = time.monotonic()
        renderer.close()
        assert time.monotonic() - started < 5
        assert gone(pid)
        renderer.close()


@posix_only
def test_children_of_a_driver_are_ended_with_it() -> None:
    with driving("forks_children") as renderer:
        children = renderer.identity.version.split()
        assert len(children) == 2
        assert renders(renderer)
    assert all(gone(int(child)) for child in children)


@posix_only
def test_a_driver_has_exited_although_its_child_holds_its_pipes() -> None:
    with driving("forks_children") as renderer:
        children = renderer.identity.version.split()
        assert broken(renderer, saying("exit"))[0] == "exit"
        assert all(gone(int(child)) for child in children)
        assert renders(renderer)


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        (command("wrong_protocol"), "speaks 2, not 1"),
        (command("never_says_hello"), "no answer within 1 s"),
        (command("no_such_file"), "exited with 1"),
        ("driver:no-such-program-anywhere --flag", "can't be started"),
    ],
)
def test_a_driver_that_gives_no_hello_is_unavailable(spec: str, told: str) -> None:
    with pytest.raises(RendererUnavailable, match=told) as caught:
        open_renderer(spec, revision=NEWEST_REVISION, timeout=1)
    assert caught.value.next_step


@pytest.mark.parametrize("spec", ["driver:", "driver:  ", "driver:'unfinished"])
def test_a_command_line_that_is_none_is_a_usage_error(spec: str) -> None:
    with pytest.raises(UsageError):
        open_renderer(spec, revision=NEWEST_REVISION, timeout=1)


def test_no_shell_reads_the_command_line(tmp_path: Path) -> None:
    code = "import sys; sys.exit(sys.argv[1])"
    spec = f"driver:{shlex.join([sys.executable, '-c', code])} '$HOME;|`id` \"*\"'"
    with pytest.raises(RendererUnavailable, match=r"\$HOME;\|`id` \"\*\""):
        open_renderer(spec, revision=NEWEST_REVISION, timeout=20)
