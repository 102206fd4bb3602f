"""The rendering of a twin as literals with holes, and whether another rendering fills it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from ..transcript import Transcript
from .atoms import Value, atoms, utf8
from .cutting import Cutter, merged_rows
from .pieces import Filling, Occurrence, Piece, Row, Slot, Varying, spellings
from .twin import Hole, Twin
from .volatile import may_soften, softened


@dataclass(frozen=True)
class Template:
    """`rows` are the twin's atoms, texts cut into pieces; `found` says where each hole stands."""

    rows: tuple[Row, ...]
    found: Mapping[Hole, tuple[Occurrence, ...]] = field(default_factory=dict)
    foreign: frozenset[str] = frozenset()
    varies: bool = False

    def whole(self, hole: Hole | None) -> list[Occurrence]:
        """Where the content of the hole stands complete."""
        return [o for o in self.found.get(hole, ()) if o.whole] if hole else []

    def fits(self, transcript: Transcript, filling: Filling) -> bool:
        """Whether the transcript is this template with its holes filled."""
        return self.equals(transcript, filling) or self._fits(transcript, filling, soft=True)

    def equals(self, transcript: Transcript, filling: Filling) -> bool:
        """As `fits`, but no other counters, lengths or fences: what varies by itself alone may."""
        return self._fits(transcript, filling, soft=False)

    def _fits(self, transcript: Transcript, filling: Filling, *, soft: bool) -> bool:
        rows = list(atoms(transcript))
        return len(rows) == len(self.rows) and all(
            place == seen_place and _fit_row(expected, value, filling, soft=soft)
            for (place, expected), (seen_place, value) in zip(self.rows, rows, strict=True)
        )

    def capture(self, transcript: Transcript, filling: Filling, hole: Hole) -> str | bytes | None:
        """What stands in `hole` where the rest of the template fits; None where it doesn't."""
        rows = list(atoms(transcript))
        if len(rows) != len(self.rows):
            return None
        caught: str | bytes | None = None
        for (place, expected), (seen_place, seen) in zip(self.rows, rows, strict=True):
            if place != seen_place:
                return None
            if isinstance(expected, Slot) and expected.hole == hole and isinstance(seen, bytes):
                caught = seen
            elif isinstance(expected, tuple) and any(
                isinstance(piece, Slot) and piece.hole == hole for piece in expected
            ):
                if sum(isinstance(piece, Slot) and not piece.forms for piece in expected) > 1:
                    return None  # too much is unknown here to tell what stands where
                text = utf8(seen) if isinstance(seen, bytes) else seen
                pattern = _pattern(expected, filling, hole)
                match = re.fullmatch(pattern, text, re.DOTALL) if isinstance(text, str) else None
                if match is None:
                    return None
                caught = match["opened"]
            elif not _fit_row(expected, seen, filling, soft=True):
                return None
        return caught


def template_of(
    twin: Twin,
    transcript: Transcript,
    received: Mapping[str, str] | None,
    again: Transcript | None = None,
) -> Template:
    """The template that the twin's rendering makes, `received` being what the server was given.

    `again` is a second rendering of the same twin, which shows what varies by itself.
    """
    cutter = Cutter(twin, received)
    rows = tuple((place, cutter.cut(place, value)) for place, value in atoms(transcript))
    found = {hole: tuple(places) for hole, places in cutter.found.items()}
    foreign = frozenset(cutter.foreign)
    if again is None or again == transcript:
        return Template(rows, found, foreign)
    other = Cutter(twin, received)
    other_rows = [(place, other.cut(place, value)) for place, value in atoms(again)]
    merged = merged_rows(rows, other_rows)
    return Template(merged or rows, found, foreign, varies=True)


def _fit_row(
    expected: tuple[Piece, ...] | Slot | Value, value: Value, filling: Filling, *, soft: bool
) -> bool:
    if isinstance(expected, Slot):
        return value == filling(expected.hole)
    if not isinstance(expected, tuple):
        return value == expected
    text = utf8(value) if isinstance(value, bytes) else value
    if not isinstance(text, str):
        return False
    return _fit_pieces(expected, 0, text, 0, _Fill(filling, soft))


@dataclass(frozen=True, slots=True)
class _Fill:
    filling: Filling
    soft: bool

    def ends(self, piece: Piece, text: str, position: int) -> set[int]:
        """Where the piece may end if it begins at that position of the text."""
        if isinstance(piece, Slot):
            choices = spellings(piece, self.filling)
            if choices is None:
                return set(range(position, min(len(text), position + _MOST_UNKNOWN) + 1))
            return {
                position + len(choice) for choice in choices if text.startswith(choice, position)
            }
        if isinstance(piece, Varying):
            pattern = piece.soft_pattern if self.soft else piece.pattern
        elif not self.soft or not may_soften(piece):
            return {position + len(piece)} if text.startswith(piece, position) else set()
        else:
            pattern = softened(piece)
        match = _compiled(pattern).match(text, position)
        return _also_shorter(text, match.start(), match.end()) if match else set()


def _also_shorter(text: str, start: int, end: int) -> set[int]:
    """The end of a softened literal, or earlier within the run of digits that it ends with.

    The digits may belong to what stands in the next hole.
    """
    ends = {end}
    while end - 1 > start and text[end - 1].isdecimal() and text[end - 2].isdecimal():
        end -= 1
        ends.add(end)
    return ends


_MOST_UNKNOWN: Final = 64


@lru_cache(maxsize=1024)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.DOTALL)


def _fit_pieces(
    pieces: tuple[Piece, ...], index: int, text: str, position: int, fill: _Fill
) -> bool:
    while index < len(pieces):
        ends = fill.ends(pieces[index], text, position)
        index += 1
        if len(ends) == 1:
            position = ends.pop()
        else:
            return any(_fit_pieces(pieces, index, text, end, fill) for end in sorted(ends))
    return position == len(text)


def _pattern(pieces: tuple[Piece, ...], filling: Filling, opened: Hole) -> str:
    parts: list[str] = []
    for piece in pieces:
        if isinstance(piece, str):
            parts.append(softened(piece))
        elif isinstance(piece, Varying):
            parts.append(piece.soft_pattern)
        elif piece.hole == opened:
            parts.append("(?P=opened)" if "(?P<opened>.*)" in parts else "(?P<opened>.*)")
        else:
            choices = spellings(piece, filling)
            parts.append(
                ".*?"
                if choices is None
                else "(?:" + "|".join(re.escape(choice) for choice in choices) + ")"
            )
    return "".join(parts)
