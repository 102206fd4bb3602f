"""Fakes of a live session: a function that asks for a prompt and renders what it gets.

A faulty one overrides the one step in which it goes wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mcp_prompt_fuzz.case import Case, declared_arguments
from mcp_prompt_fuzz.jsontypes import Json
from mcp_prompt_fuzz.renderer import Renderer
from mcp_prompt_fuzz.rendering import Rendering
from mcp_prompt_fuzz.serving import RpcError

from .blocks import Reply, Shape, blocks_of
from .renderers import FakeRenderer, Refused, decoded
from .wire import Wire


class User:
    """Hands the user's arguments over as they are, by name."""

    def __init__(self, shape: Shape) -> None:
        self.shape = shape

    def __call__(self) -> Renderer:
        return FakeRenderer("session", self.answer)

    def answer(self, case: Case) -> Rendering:
        """What becomes of the invocation."""
        wire = Wire(case)
        # A function has no listing of its own: what it asks belongs to the invocation.
        wire.phase = "invoke"
        try:
            rendering = self.invoke(wire, case)
        except Refused as refusal:
            rendering = Rendering(error=str(refusal))
        return replace(rendering, requests=tuple(wire.asked))

    def invoke(self, wire: Wire, case: Case) -> Rendering:
        """Ask for the prompt, and render it."""
        try:
            arguments = self.bind(wire, case)
            result = wire.get(case.prompt["name"], arguments)
        except RpcError as error:
            return self.failed(error)
        return decoded(self.rendered(case, result))

    def bind(self, wire: Wire, case: Case) -> Json:
        """The arguments that the server is sent."""
        return dict(case.arguments)

    def rendered(self, case: Case, result: Json) -> Reply:
        """What the result is made into."""
        return self.shape(blocks_of(result))

    def failed(self, error: RpcError) -> Rendering:
        """What becomes of an error that the server answers."""
        return Rendering(error=f"the server says: {error.message} ({error.code})")


def declared_names(case: Case) -> Sequence[str]:
    """The names of the declared arguments, in order."""
    return [argument["name"] for argument in declared_arguments(case.prompt)]


class UserWhoReadsTheListing(User):
    """Looks the prompt up in the listing first, and sends the declared arguments in order."""

    def bind(self, wire: Wire, case: Case) -> Json:
        cursor: str | None = None
        while True:
            page = wire.list(cursor=cursor)
            for prompt in page["prompts"]:
                if prompt["name"] == case.prompt["name"]:
                    names = [argument["name"] for argument in declared_arguments(prompt)]
                    ordered = [n for n in names if n in case.arguments]
                    others = [n for n in case.arguments if n not in names]
                    return {name: case.arguments[name] for name in (*ordered, *others)}
            cursor = page.get("nextCursor")
            if cursor is None:
                return dict(case.arguments)
