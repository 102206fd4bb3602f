"""Faulty fakes that lose order, speakers, borders, or run what they are sent."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Final
from urllib.parse import unquote

from hypothesis_mcp.canaries import CANARIES, MARKER_FILE, MENTION_FILE
from mcp_prompt_fuzz.case import Case, materialise
from mcp_prompt_fuzz.jsontypes import Json
from mcp_prompt_fuzz.renderer import Renderer
from mcp_prompt_fuzz.rendering import Rendering

from . import shapes_dialects as dialects
from . import shapes_messages as messages
from . import shapes_strings as strings
from .blocks import (
    Block,
    Blocks,
    Edit,
    Reply,
    Shape,
    blocks_of,
    data_uri,
    dropping,
    native,
    on_texts,
    turns_of,
)
from .faulty import FaultyFake, case, document, said, shown
from .renderers import FakeRenderer, OfResult

CANARY: Final = {canary.name: canary for canary in CANARIES}


def _media_first_in_each_turn(blocks: Blocks) -> Blocks:
    turns = (sorted(run, key=lambda b: b.is_text) for _, run in turns_of(blocks))
    return [block for run in turns for block in run]


def _is_assistant(block: Block) -> bool:
    return block.role == "assistant"


ORDER: Final[dict[str, FaultyFake]] = {
    "reverses_messages": FaultyFake(
        OfResult(messages.one_part_a_message, lambda blocks: blocks[::-1]),
        "order",
        case(said("a"), said("b")),
    ),
    "puts_media_first": FaultyFake(
        OfResult(messages.merged_neighbours, _media_first_in_each_turn),
        "order",
        case(said("a"), shown()),
    ),
    "puts_the_assistant_last": FaultyFake(
        OfResult(strings.tagged_roles, lambda blocks: sorted(blocks, key=_is_assistant)),
        "order",
        case(said("a", "assistant"), said("b")),
    ),
    "puts_documents_first": FaultyFake(
        OfResult(
            dialects.openai_chat,
            lambda blocks: sorted(blocks, key=lambda b: "resource." not in b.kind),
        ),
        "order",
        case(said("a"), document("b")),
    ),
}
"""Each puts parts where they were not said."""


def _all_from_the_user(blocks: Blocks) -> Blocks:
    return [replace(b, role="user") for b in blocks]


def _swapped(blocks: Blocks) -> Blocks:
    other = {"user": "assistant", "assistant": "user"}
    return [replace(b, role=other[b.role]) for b in blocks]


def _last_from_the_user(blocks: Blocks) -> Blocks:
    return [*blocks[:-1], *_all_from_the_user(blocks[-1:])]


def _between_rules(blocks: Blocks) -> Reply:
    return "\n---\n".join(_as_string(b) for b in blocks)


def _as_string(block: Block) -> str:
    if block.is_text:
        return block.text
    content = data_uri(block) if block.is_bytes else block.text
    return f"{block.told_as_json}\n{content}"


ROLES: Final[dict[str, FaultyFake]] = {
    "makes_everyone_the_user": FaultyFake(
        OfResult(messages.merged_neighbours, _all_from_the_user),
        "roles",
        case(said("a", "assistant")),
    ),
    "names_no_speakers": FaultyFake(OfResult(_between_rules), "roles", case(said("a"))),
    "swaps_speakers": FaultyFake(
        OfResult(messages.one_part_a_message, _swapped), "roles", case(said("a"))
    ),
    "makes_the_last_one_the_user": FaultyFake(
        OfResult(dialects.gemini_contents, _last_from_the_user),
        "roles",
        case(said("a", "assistant")),
    ),
}
"""Each forgets or mixes up who speaks."""


def _joined_texts(blocks: Blocks) -> Reply:
    said_ = []
    for role, run in turns_of(blocks):
        parts: list[Json] = []
        for part in map(native, run):
            if parts and part["type"] == parts[-1]["type"] == "text":
                parts[-1] = {"type": "text", "text": parts[-1]["text"] + part["text"]}
            else:
                parts.append(part)
        said_.append({"role": role, "content": parts})
    return {"messages": said_}


def _joined_in_a_string(blocks: Blocks) -> Reply:
    labels = {"user": "Q: ", "assistant": "A: "}
    return "\n".join(
        labels[role] + "".join(_as_string(b) for b in run) for role, run in turns_of(blocks)
    )


DISTINCT: Final[dict[str, FaultyFake]] = {
    "joins_neighbouring_texts": FaultyFake(
        OfResult(_joined_texts), "distinct", case(said("a"), said("b")), ("boundary",)
    ),
    "joins_what_one_speaker_says": FaultyFake(
        OfResult(_joined_in_a_string), "distinct", case(said("a"), said("b")), ("boundary",)
    ),
}
"""Each leaves no border between two texts."""


def _expanding(
    shape: Shape, change: Callable[[str], str], smallest: str, aspect: str, **members: bool
) -> FaultyFake:
    fake = OfResult(shape, on_texts(change, "text", "resource.text"), **members)
    return FaultyFake(fake, "inert", case(said(smallest)), (aspect,))


def _replacing(old: str, new: str) -> Callable[[str], str]:
    return lambda text: text.replace(old, new)


def _running(name: str) -> Callable[[str], str]:
    return _replacing(CANARY[name].text, CANARY[name].evidence)


def _reading(text: str) -> str:
    name, content = MENTION_FILE
    return f"{text}\n\n{content}" if f"@{name}" in text else text


def _obeying(text: str) -> str:
    return "Commands: help, quit" if text.startswith("/help") else text


class _MakesTheMarkerFile:
    """Runs the command, whose output is nothing, and sends the text as it is."""

    def __call__(self) -> Renderer:
        return FakeRenderer("result", self._answer, sandboxed=True)

    def _answer(self, prompt: Case) -> Rendering:
        rendering = OfResult(messages.merged_neighbours).answer(prompt)
        texts = "\n".join(b.text for b in blocks_of(materialise(prompt)))
        ran = CANARY["shell.marker"].text in texts
        return replace(rendering, ran=(MARKER_FILE,) if ran else ())


INERT: Final[dict[str, FaultyFake]] = {
    "runs_shell_commands": _expanding(
        messages.merged_neighbours,
        _running("shell.bang"),
        CANARY["shell.bang"].text,
        "shell",
    ),
    "substitutes_commands": _expanding(
        strings.tagged_roles, _running("shell.dollar"), CANARY["shell.dollar"].text, "shell"
    ),
    "makes_the_marker_file": FaultyFake(
        _MakesTheMarkerFile(), "inert", case(said(CANARY["shell.marker"].text)), ("shell",)
    ),
    "reads_mentioned_files": _expanding(
        messages.one_part_a_message, _reading, "@pfz-canary.txt", "mention", sandboxed=True
    ),
    "expands_positional_variables": _expanding(
        messages.merged_neighbours, _replacing("$1", ""), "$1", "template"
    ),
    "expands_mustaches": _expanding(
        strings.tagged_roles, _replacing("{{topic}}", "weather"), "{{topic}}", "template"
    ),
    "expands_dollar_braces": _expanding(
        strings.ids_in_every_line, _replacing("${topic}", ""), "${topic}", "template"
    ),
    "decodes_percent": _expanding(dialects.openai_chat, unquote, "%20", "escape"),
    "decodes_backslash_n": _expanding(
        strings.xml_with_escaped_attributes, _replacing("\\n", "\n"), "\\n", "escape"
    ),
    "decodes_entities": _expanding(
        dialects.anthropic_messages,
        lambda t: re.sub("&(amp|#65);", lambda m: html.unescape(m[0]), t),
        "&amp;",
        "escape",
    ),
    "obeys_slash_commands": _expanding(dialects.gemini_contents, _obeying, "/help", "slash"),
}
"""Each takes prompt text for something to run, to expand or to read."""


def _withholding(shape: Shape, edit: Edit, smallest: Case) -> FaultyFake:
    return FaultyFake(OfResult(shape, edit), "audience", smallest)


AUDIENCE: Final[dict[str, FaultyFake]] = {
    "withholds_what_is_for_the_assistant": _withholding(
        messages.one_part_a_message,
        dropping(lambda b: b.audience == ["assistant"]),
        case(said("a", annotations={"audience": ["assistant"]})),
    ),
    "withholds_what_is_also_for_the_user": _withholding(
        dialects.openai_chat,
        dropping(lambda b: "user" in (b.audience or ())),
        case(said("a", annotations={"audience": ["user", "assistant"]})),
    ),
    "withholds_images_with_an_audience": _withholding(
        strings.tagged_roles,
        dropping(lambda b: b.kind == "image" and b.audience is not None),
        case(shown(annotations={"audience": ["assistant"]})),
    ),
}
"""Each withholds what the model was meant to see."""

FAULTS: Final = {**ORDER, **ROLES, **DISTINCT, **INERT, **AUDIENCE}
