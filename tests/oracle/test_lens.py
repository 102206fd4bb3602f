"""The lens remembers renderings, and counts what it asks."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.fakes.faulty import said

from mcp_prompt_fuzz.case import Case
from mcp_prompt_fuzz.oracle import Lens
from mcp_prompt_fuzz.oracle.lens import REMEMBERED
from mcp_prompt_fuzz.rendering import Rendering
from mcp_prompt_fuzz.transcript import Part

from .looking import a_case, turn


class Counting:
    """Renders the title, and remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __call__(self, case: Case) -> Rendering:
        self.asked.append(case.title)
        return Rendering(turns=(turn("user", case.title, ""), turn("assistant", "")))


def test_a_case_is_rendered_once() -> None:
    render = Counting()
    lens = Lens(render)
    case = a_case(said("a"))
    assert lens.look(case) is lens.look(case)
    assert lens.look(replace(case, title="another", rule="image")) == lens.look(case)
    assert render.asked == ["a test"]
    assert lens.renderings == 1


def test_nothing_is_remembered_where_that_is_asked_for() -> None:
    render = Counting()
    lens = Lens(render, remember=False)
    lens.look(a_case(said("a")))
    lens.look(a_case(said("a")))
    assert lens.renderings == len(render.asked) == 2


def test_looking_again_renders_again() -> None:
    lens = Lens(Counting())
    case = a_case(said("a"))
    lens.look(case)
    lens.look_again(case)
    assert lens.renderings == 2


def test_earlier_cases_come_first() -> None:
    render = Counting()
    earlier = replace(a_case(said("a")), title="earlier")
    lens = Lens(render)
    lens.look(replace(a_case(said("b")), before=(earlier,)))
    assert render.asked == ["earlier", "a test"]
    assert [case.title for case in lens.recent] == ["a test", "earlier"]


def test_a_history_is_rendered_by_itself() -> None:
    asked: list[Case] = []

    def render(case: Case) -> Rendering:
        asked.append(case)
        return Rendering()

    earlier, case = a_case(said("a")), a_case(said("b"))
    Lens(render).look(replace(case, before=(earlier,)))
    assert asked == [earlier, case]


def test_renderings_come_in_canonical_form() -> None:
    assert Lens(Counting()).look(a_case(said("a"))).turns == (turn("user", "a test"),)


def test_the_oldest_are_forgotten_once_they_take_too_much() -> None:
    render = Counting()
    lens = Lens(render)
    small = a_case(said("small"))
    large = [a_case(said(f"{n}" + "x" * (REMEMBERED // 5))) for n in range(5)]
    for case in (small, *large):
        lens.look(case)
    lens.look(large[-1])
    assert lens.renderings == 6
    lens.look(small)
    assert lens.renderings == 7


def test_what_is_too_large_to_remember_is_rendered_again() -> None:
    huge = "x" * REMEMBERED
    lens = Lens(lambda _: Rendering(turns=(turn("user", huge),)))
    case = a_case(said("a"))
    assert lens.look(case).turns == lens.look(case).turns
    assert lens.renderings == 2


def _counted(lens: Lens, *cases: Case) -> list[int]:
    """How many renderings each look took."""
    taken = []
    for case in cases:
        before = lens.renderings
        lens.look(case)
        taken.append(lens.renderings - before)
    return taken


SMALL = tuple(a_case(said(f"{number}")) for number in range(5))


@pytest.mark.parametrize(
    "rendering",
    [
        Rendering(turns=(turn("user", "x" * 5000),)),
        Rendering(turns=(turn("user", Part("image", data=b"x" * 5000)),)),
        Rendering(shown="x" * 5000),
        Rendering(error="x" * 5000),
        Rendering(turns=tuple(turn(role, "x") for role in ("user", "assistant") * 3)),
    ],
)
def test_whatever_is_large_counts(rendering: Rendering, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mcp_prompt_fuzz.oracle.lens.REMEMBERED", 5000)
    assert _counted(Lens(lambda _: rendering), SMALL[0], SMALL[0]) == [1, 1]
    assert _counted(Lens(lambda _: Rendering()), SMALL[0], SMALL[0]) == [1, 0]
    long = a_case(said("x" * 5000))
    assert _counted(Lens(lambda _: Rendering()), long, long) == [1, 1]


def test_what_is_forgotten_no_longer_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mcp_prompt_fuzz.oracle.lens.REMEMBERED", 5000)
    lens = Lens(lambda _: Rendering(shown="x" * 700))
    assert _counted(lens, *SMALL) == [1, 1, 1, 1, 1]
    assert _counted(lens, SMALL[4], SMALL[3]) == [0, 0]
    assert _counted(lens, SMALL[0]) == [1]
    assert _counted(lens, SMALL[4], SMALL[0]) == [0, 0]
    assert _counted(lens, SMALL[3]) == [1]


def test_the_last_cases_are_kept_newest_first() -> None:
    lens = Lens(Counting())
    for case in SMALL:
        lens.look(case)
    assert list(lens.recent) == [SMALL[4], SMALL[3], SMALL[2]]
