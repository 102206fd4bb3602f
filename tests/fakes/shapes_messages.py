"""Faithful shapes: lists of messages with native parts."""

from __future__ import annotations

import hashlib
import json
import time
import uuid
from typing import Final

from mcp_prompt_fuzz.jsontypes import Json

from .blocks import (
    Block,
    Blocks,
    Reply,
    Shape,
    base64_of,
    bytes_of,
    message,
    native,
    text,
    turns_of,
)

_CHUNK: Final = 400
_LONG: Final = 2_000


def one_part_a_message(blocks: Blocks) -> Reply:
    """Each message as it came."""
    return {"messages": [message(b.role, native(b)) for b in blocks]}


def merged_neighbours(blocks: Blocks) -> Reply:
    """What one speaker says in a row is one message."""
    return {"messages": [message(role, *map(native, run)) for role, run in turns_of(blocks)]}


def documents_inlined(blocks: Blocks) -> Reply:
    """Text documents become text under a line that names them."""

    def part(block: Block) -> Json:
        if block.kind != "resource.text":
            return native(block)
        told = f" ({block.media_type})" if block.media_type else ""
        return text(f"Contents of {block.uri}{told}:\n{block.text}\n(end of the document)")

    return {"messages": [message(role, *map(part, run)) for role, run in turns_of(blocks)]}


def metadata_as_json_before_each_part(blocks: Blocks) -> Reply:
    """A line of JSON tells what comes; then the part itself."""
    return {"messages": [message(b.role, text(b.told_as_json), native(b)) for b in blocks]}


def attachments_last(blocks: Blocks) -> Reply:
    """Each turn's media stand at its end, with a mark in the text where they were."""

    def turn(role: str, run: Blocks) -> Json:
        parts: list[Json] = []
        attached: list[Json] = []
        for block in run:
            if block.is_text:
                parts.append(text(block.text))
            else:
                attached.append(native(block))
                parts.append(text(f"[attachment {len(attached)}]"))
        return message(role, *parts, *attached)

    return {"messages": [turn(role, run) for role, run in turns_of(blocks)]}


def long_texts_in_chunks(blocks: Blocks) -> Reply:
    """A long text becomes several text parts of one message."""

    def parts(block: Block) -> list[Json]:
        if not block.is_text or len(block.text) <= _CHUNK:
            return [native(block)]
        starts = range(0, len(block.text), _CHUNK)
        return [text(block.text[start : start + _CHUNK]) for start in starts]

    return {"messages": [message(b.role, *parts(b)) for b in blocks]}


def long_texts_as_files(blocks: Blocks) -> Reply:
    """A long text becomes a file, as where text is pasted into a chat."""

    def part(block: Block) -> Json:
        if block.is_text and len(block.text) > _LONG:
            return {"type": "file", "data": base64_of(block.text), "mimeType": "text/plain"}
        return native(block)

    return {"messages": [message(b.role, part(b)) for b in blocks]}


def same_image_as_above(blocks: Blocks) -> Reply:
    """An image that was shown before is referred to by its number."""
    numbers: dict[tuple[str, str | None], int] = {}
    messages = []
    for block in blocks:
        part = native(block)
        if block.kind == "image" and block.data:
            key = (block.data, block.media_type)
            if key in numbers:
                part = text(f"(image number {numbers[key]} once more)")
            else:
                numbers[key] = len(numbers) + 1
        messages.append(message(block.role, part))
    return {"messages": messages}


def empty_texts_skipped(blocks: Blocks) -> Reply:
    """A message without any text is no message."""
    return one_part_a_message([b for b in blocks if not b.is_text or b.text])


def user_only_parts_withheld(blocks: Blocks) -> Reply:
    """What is for the user alone does not reach the model."""
    return one_part_a_message([b for b in blocks if b.audience != ["user"]])


def with_preamble_and_postamble(blocks: Blocks) -> Reply:
    """Two sentences of the client's own around the prompt."""
    said = [message(role, *map(native, run)) for role, run in turns_of(blocks)]
    before = message("system", text("The user has picked the prompt below."))
    after = message("user", text("Please do as the prompt says."))
    return {"messages": [before, *said, after]}


def with_volatile_system_message(blocks: Blocks) -> Reply:
    """The time and the session's id come first."""
    line = f"It is {time.time_ns()}.\nSession {uuid.uuid4()}\nBe helpful."
    return {"messages": [message("system", text(line)), *_messages(merged_neighbours, blocks)]}


def _messages(shape: Shape, blocks: Blocks) -> list[Json]:
    reply = shape(blocks)
    assert isinstance(reply, dict)
    said: list[Json] = reply["messages"]
    return said


def assistant_media_in_user_turns(blocks: Blocks) -> Reply:
    """Providers take media from the user only: the assistant's come in a turn that says so."""

    def said(block: Block) -> Json:
        if block.role == "assistant" and not block.is_text:
            return message("user", text("The assistant had sent this:"), native(block))
        return message(block.role, native(block))

    return {"messages": [said(b) for b in blocks]}


def speakers_named_in_one_turn(blocks: Blocks) -> Reply:
    """Everything is one user's turn, in which each part comes after the name of its speaker."""
    parts = [part for b in blocks for part in (text(f"\n{b.role} says:\n"), native(b))]
    return {"messages": [message("user", *parts)]}


def whole_prompt_as_system_message(blocks: Blocks) -> Reply:
    """The prompt is an instruction: a system message that quotes the conversation."""
    parts = [
        part
        for number, b in enumerate(blocks, start=1)
        for part in (text(f"<{b.role} number={number}>"), native(b), text(f"</{b.role}>"))
    ]
    return {"messages": [message("system", *parts), message("user", text("Go on."))]}


def checksums_beside_media(blocks: Blocks) -> Reply:
    """The SHA-256 of each medium stands before it."""

    def parts(block: Block) -> list[Json]:
        if not block.is_bytes:
            return [native(block)]
        digest = hashlib.sha256(bytes_of(block)).hexdigest()
        return [text(f"sha256 {digest}"), native(block)]

    return {"messages": [message(b.role, *parts(b)) for b in blocks]}


def first_words_as_title(blocks: Blocks) -> Reply:
    """A system message has the first words of the first text as the conversation's title."""
    first = next((b.text for b in blocks if b.is_text), "")
    title = " ".join(first.split())[:30]
    said = _messages(one_part_a_message, blocks)
    return {"messages": [message("system", text(f"Conversation: {title}")), *said]}


def as_tool_result(blocks: Blocks) -> Reply:
    """The prompt comes as what a tool gave, its speakers in a JSON line before each part."""
    parts = [
        part
        for b in blocks
        for part in (text(json.dumps({"speaker": b.role, **b.told})), native(b))
    ]
    return {"messages": [message("user", text("Run it.")), message("tool", *parts)]}
