"""Fakes as the harness sees them: a shape, an edit before it, and what may go wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

from mcp_prompt_fuzz.case import Case, materialise
from mcp_prompt_fuzz.renderer import Identity, Renderer, View
from mcp_prompt_fuzz.renderers.reply import decode_reply
from mcp_prompt_fuzz.rendering import Breakage, BreakageKind, Rendering

from .blocks import Edit, Reply, Shape, blocks_of

Fake: TypeAlias = Callable[[], Renderer]
"""Makes a fresh fake, with no memory of earlier prompts."""


class Refused(Exception):
    """The fake shows its user this error, and sends nothing."""


class Broke(Exception):
    """The fake fails as a program."""

    def __init__(self, kind: BreakageKind, detail: str = "as asked") -> None:
        super().__init__(detail)
        self.breakage = Breakage(kind, detail)


class FakeRenderer:
    """A renderer of that view that answers each case by calling `answer`."""

    def __init__(
        self, view: View, answer: Callable[[Case], Rendering], *, sandboxed: bool = False
    ) -> None:
        self._answer = answer
        self.identity = Identity(
            spec="fake", name="fake", version="1", lane="function", view=view, sandboxed=sandboxed
        )

    def prepare(self, cases: Iterable[Case]) -> None:
        """Nothing to do."""

    def render(self, case: Case) -> Rendering:
        for earlier in case.before:
            self._outcome(earlier)
        return self._outcome(case)

    def _outcome(self, case: Case) -> Rendering:
        try:
            return self._answer(case)
        except Refused as refusal:
            return Rendering(error=str(refusal))
        except Broke as broke:
            return Rendering(broke=broke.breakage)

    def close(self) -> None:
        """Nothing to do."""


def decoded(reply: Reply) -> Rendering:
    """The rendering that a fake's reply stands for."""
    return decode_reply({"text": reply} if isinstance(reply, str) else reply)


@dataclass(frozen=True)
class OfResult:
    """A fake that is handed the result: an edit of its blocks, then a shape."""

    shape: Shape
    edit: Edit = lambda blocks: blocks
    sandboxed: bool = False

    def __call__(self) -> Renderer:
        return FakeRenderer("result", self.answer, sandboxed=self.sandboxed)

    def answer(self, case: Case) -> Rendering:
        """What becomes of the case's result."""
        return decoded(self.shape(self.edit(blocks_of(materialise(case)))))
