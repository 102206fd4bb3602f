"""Helpers: what the oracle sees and says of a function from blocks to a reply."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.fakes.blocks import Shape, blocks_of
from tests.fakes.renderers import Broke, Refused, decoded

from mcp_prompt_fuzz.case import NEWEST_REVISION, Case, materialise
from mcp_prompt_fuzz.finding import Fault
from mcp_prompt_fuzz.jsontypes import Json
from mcp_prompt_fuzz.oracle import Conditions, Found, Judgement, Lens, judge
from mcp_prompt_fuzz.oracle.sight import Sight
from mcp_prompt_fuzz.rendering import Rendering, Request
from mcp_prompt_fuzz.rules import View
from mcp_prompt_fuzz.transcript import Part, Transcript, Turn, text_part

Render = Callable[[Case], Rendering]


def rendering_by(shape: Shape) -> Render:
    """A renderer from a shape, which may refuse or break."""

    def render(case: Case) -> Rendering:
        try:
            return decoded(shape(blocks_of(materialise(case))))
        except Refused as refusal:
            return Rendering(error=str(refusal))
        except Broke as broke:
            return Rendering(broke=broke.breakage)

    return render


def a_case(*messages: Json, **members: Any) -> Case:
    """A case with those messages."""
    return Case(
        "a test", NEWEST_REVISION, members.pop("prompt", {"name": "p"}), messages, **members
    )


def conditions(view: View = "result", **members: Any) -> Conditions:
    """All rules, in the newest revision."""
    return Conditions(view, members.pop("revision", NEWEST_REVISION), **members)


def sight(render: Render, case: Case, view: View = "result", **members: Any) -> Sight:
    """The case under a fresh lens."""
    return Sight(case, Lens(render), conditions(view, **members))


def judgement(render: Render, case: Case, view: View = "result", **members: Any) -> Judgement:
    """What judging the case comes to."""
    return judge(case, Lens(render), conditions(view, **members))


def faults(render: Render, case: Case, view: View = "result", **members: Any) -> list[Fault]:
    """The faults seen on the case."""
    return [found.fault for found in judgement(render, case, view, **members).found]


def of_shape(shape: Shape, *messages: Json, **members: Any) -> list[Fault]:
    """The faults of a shape on a case with those messages."""
    return faults(rendering_by(shape), a_case(*messages), **members)


def only(found: list[Found]) -> Found:
    """The one that there is."""
    assert len(found) == 1, found
    return found[0]


def turn(role: str | None, *parts: str | Part) -> Turn:
    """A turn; strings are text parts."""
    return Turn(role, tuple(text_part(p) if isinstance(p, str) else p for p in parts))


def transcript(*turns: Turn) -> Transcript:
    """A transcript of those turns."""
    return turns


def asked(method: str, server: str = "main", **params: Any) -> Request:
    """A request of the invocation."""
    return Request(method, params, server)


def got(name: str = "p", server: str = "main", **arguments: str) -> Request:
    """A request for a prompt."""
    return Request("prompts/get", {"name": name, "arguments": arguments}, server)
