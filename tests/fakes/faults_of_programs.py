"""Faulty fakes that keep state, crash, hang, answer garbage, or fail now and then."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from mcp_prompt_fuzz.case import Case, materialise
from mcp_prompt_fuzz.renderer import Renderer
from mcp_prompt_fuzz.rendering import BreakageKind, Rendering

from . import shapes_dialects as dialects
from . import shapes_messages as messages
from . import shapes_strings as strings
from .blocks import Block, Blocks, Edit, Shape, blocks_of, of_kind
from .faulty import FaultyFake, case, said, shown
from .renderers import Broke, FakeRenderer, OfResult, Refused, decoded


@dataclass(frozen=True)
class Remembering:
    """A fake whose edit is handed the blocks of the prompt before, too."""

    shape: Shape
    edit: Callable[[Blocks, Blocks], Blocks]

    def __call__(self) -> Renderer:
        last: Blocks = []

        def answer(prompt: Case) -> Rendering:
            blocks = blocks_of(materialise(prompt))
            rendering = decoded(self.shape(self.edit(list(last), blocks)))
            last[:] = blocks
            return rendering

        return FakeRenderer("result", answer)


def _images_first(last: Blocks, blocks: Blocks) -> Blocks:
    return [b for b in last if b.kind == "image"] + blocks


def _first_text_stays(last: Blocks, blocks: Blocks) -> Blocks:
    old = next((b.text for b in last if b.is_text), None)
    new = next((b for b in blocks if b.is_text), None)
    if old is None or new is None:
        return blocks
    return [replace(b, text=old) if b is new else b for b in blocks]


_BEFORE: Final = case(said(""), before=(case(said("a")),))

STATE: Final[dict[str, FaultyFake]] = {
    "keeps_the_last_prompt": FaultyFake(
        Remembering(messages.merged_neighbours, lambda last, blocks: last + blocks),
        "isolated",
        _BEFORE,
    ),
    "keeps_the_last_images": FaultyFake(
        Remembering(dialects.openai_chat, _images_first),
        "isolated",
        case(said(""), before=(case(shown()),)),
    ),
    "keeps_the_first_text": FaultyFake(
        Remembering(strings.tagged_roles, _first_text_stays), "isolated", _BEFORE
    ),
}
"""Each leaves something of one prompt in the next."""


def _breaking(kind: BreakageKind, wanted: Callable[[Block], bool]) -> Edit:
    def edit(blocks: Blocks) -> Blocks:
        if any(map(wanted, blocks)):
            raise Broke(kind)
        return blocks

    return edit


def _robust(shape: Shape, edit: Edit, smallest: Case, aspect: str) -> FaultyFake:
    return FaultyFake(OfResult(shape, edit), "robust", smallest, (aspect,))


def _no_reply(blocks: Blocks) -> dict[str, object]:
    if len(blocks) > 2:
        return {"messages": "three or more"}
    reply = messages.one_part_a_message(blocks)
    assert isinstance(reply, dict)
    return reply


@dataclass(frozen=True)
class RefusingDescribed:
    """Refuses every prompt whose result has a description, whatever its parts."""

    def __call__(self) -> Renderer:
        return FakeRenderer("result", self._answer)

    def _answer(self, prompt: Case) -> Rendering:
        if "description" in prompt.result:
            raise Refused("TypeError: unexpected keyword argument 'description'")
        return OfResult(messages.merged_neighbours).answer(prompt)


PROGRAMS: Final[dict[str, FaultyFake]] = {
    "exits_on_sounds": _robust(
        messages.one_part_a_message,
        _breaking("exit", of_kind("audio")),
        case(shown("audio/wav")),
        "exit",
    ),
    "hangs_on_long_texts": _robust(
        strings.tagged_roles,
        _breaking("hang", lambda b: len(b.text) > 2000),
        case(said("a" * 2001)),
        "hang",
    ),
    "raises_on_empty_texts": _robust(
        dialects.gemini_contents,
        _breaking("exception", lambda b: b.is_text and not b.text),
        case(said("")),
        "exception",
    ),
    "answers_garbage_to_three_messages": _robust(
        _no_reply, lambda blocks: blocks, case(said(""), said(""), said("")), "garbage"
    ),
    "breaks_the_protocol_on_svg": _robust(
        messages.merged_neighbours,
        _breaking("protocol", lambda b: b.kind == "image" and "svg" in (b.media_type or "")),
        case(shown("image/svg+xml")),
        "protocol",
    ),
    "refuses_described_prompts": FaultyFake(
        RefusingDescribed(), "robust", case(said(""), result={"description": "A"}), ("error",)
    ),
}
"""Each fails as a program on some valid prompts."""


@dataclass(frozen=True)
class NowAndThen:
    """A fake whose edit is made on every n-th call only."""

    shape: Shape
    edit: Edit
    every: int

    def __call__(self) -> Renderer:
        calls = 0

        def answer(prompt: Case) -> Rendering:
            nonlocal calls
            calls += 1
            blocks = blocks_of(materialise(prompt))
            return decoded(self.shape(self.edit(blocks) if calls % self.every == 0 else blocks))

        return FakeRenderer("result", answer)


FLAKY: Final[dict[str, FaultyFake]] = {
    "exits_now_and_then": FaultyFake(
        NowAndThen(messages.one_part_a_message, _breaking("exit", lambda b: True), 7),
        "robust",
        None,
        ("exit",),
        flaky=True,
    ),
    "is_slow_now_and_then": FaultyFake(
        NowAndThen(strings.tagged_roles, _breaking("hang", lambda b: True), 11),
        "robust",
        None,
        ("hang",),
        flaky=True,
    ),
}
"""Each fails sometimes, whatever the prompt."""

FAULTS: Final = {**STATE, **PROGRAMS, **FLAKY}
