"""What a model is sent: turns with a role, each holding parts."""

from __future__ import annotations

import base64
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final, Literal, TypeAlias

from .jsontypes import Json

_SHORT: Final = 1000
"""Characters of a text that is worth keeping for the next rendering."""

PartKind: TypeAlias = Literal["text", "image", "audio", "file", "link"]


@dataclass(frozen=True, slots=True)
class Part:
    """One piece of a turn, in the form in which the model gets it.

    `text` is set for kind `text`; `data` (decoded bytes) for `image`, `audio` and `file`;
    the remaining members are what the model is told beside the content, None where it isn't.
    """

    kind: PartKind
    text: str = ""
    data: bytes = b""
    media_type: str | None = None
    uri: str | None = None
    name: str | None = None
    title: str | None = None
    description: str | None = None
    size: int | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """Consecutive parts under one role; `role` is None where the renderer states none."""

    role: str | None
    parts: tuple[Part, ...]


Transcript: TypeAlias = tuple[Turn, ...]


def text_part(text: str) -> Part:
    """A part that is nothing but text."""
    return _shared(text) if len(text) <= _SHORT else Part("text", text)


@lru_cache(maxsize=4096)
def _shared(text: str) -> Part:
    """Most parts of a rendering were in the one before: as values, they need no second one."""
    return Part("text", text)


def canonical_transcript(turns: Iterable[Turn]) -> Transcript:
    """The transcript without empty text parts and empty turns, which no model can see."""
    return tuple(kept for turn in turns if (kept := _visible(turn)).parts)


def _visible(turn: Turn) -> Turn:
    """The turn without empty text parts: almost always the turn as it is."""
    for part in turn.parts:
        if not part.text and part.kind == "text":
            return replace(turn, parts=tuple(p for p in turn.parts if p.kind != "text" or p.text))
    return turn


def part_to_json(part: Part) -> Json:
    """The part in the line protocol's spelling, without members that are unknown."""
    shown: Json = {"type": part.kind}
    if part.kind == "text":
        shown["text"] = part.text
    elif part.kind != "link":
        shown["data"] = base64.b64encode(part.data).decode("ascii")
    told = {
        "mimeType": part.media_type,
        "uri": part.uri,
        "name": part.name,
        "title": part.title,
        "description": part.description,
        "size": part.size,
    }
    return shown | {member: value for member, value in told.items() if value is not None}


def transcript_to_json(turns: Transcript) -> list[Json]:
    """The transcript as the `messages` of a driver's reply."""
    return [{"role": t.role, "content": [part_to_json(p) for p in t.parts]} for t in turns]
