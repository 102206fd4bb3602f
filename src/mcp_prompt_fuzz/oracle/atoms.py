"""A transcript as a flat sequence of places and values, which is what the oracle compares."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final, NamedTuple, TypeAlias

from ..transcript import Part, Transcript, Turn, canonical_transcript

Value: TypeAlias = str | bytes | int | None
_TOLD: Final = ("media_type", "uri", "name", "title", "description", "size")


class Place(NamedTuple):
    """Where a value stands: which turn, which part of it (-1: the turn itself), which member."""

    turn: int
    part: int
    member: str


def atoms(transcript: Transcript) -> Iterator[tuple[Place, Value]]:
    """Every place of a canonical transcript that says something, with what it says."""
    for t, turn in enumerate(transcript):
        yield Place(t, -1, "role"), turn.role
        for p, part in enumerate(turn.parts):
            yield Place(t, p, "kind"), part.kind
            if part.kind == "text":
                yield Place(t, p, "text"), part.text
            elif part.kind != "link":
                yield Place(t, p, "data"), part.data
            for member in _TOLD:
                value = getattr(part, member)
                if value is not None:
                    yield Place(t, p, member), value


def joined(transcript: Transcript) -> Transcript:
    """The transcript with neighbouring turns of one role and neighbouring texts run together.

    What a renderer cut in pieces, or left whole, looks the same here.
    """
    turns: list[Turn] = []
    for turn in canonical_transcript(transcript):
        if turns and turns[-1].role == turn.role:
            turns[-1] = replace(turns[-1], parts=turns[-1].parts + turn.parts)
        else:
            turns.append(turn)
    return tuple(replace(turn, parts=_joined_parts(turn.parts)) for turn in turns)


def _joined_parts(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    run: list[Part] = []
    for part in parts:
        if run and part.kind == run[-1].kind == "text":
            run[-1] = replace(run[-1], text=run[-1].text + part.text)
        else:
            run.append(part)
    return tuple(run)


def all_text(transcript: Transcript) -> str:
    """Everything in the transcript that is text, documents that hold UTF-8 included."""
    pieces: list[str] = []
    for place, value in atoms(transcript):
        if isinstance(value, str) and place.member not in ("role", "kind"):
            pieces.append(value)
        elif isinstance(value, bytes):
            text = utf8(value)
            if text is not None:
                pieces.append(text)
    return "\n".join(pieces)


def utf8(data: bytes) -> str | None:
    """The bytes as text, lone surrogates allowed, or None where they aren't UTF-8."""
    try:
        return data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return None
