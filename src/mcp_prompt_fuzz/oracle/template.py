"""The rendering of a twin as literals with holes, and whether another rendering fills it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, TypeAlias

from ..transcript import Transcript
from .atoms import Place, Value, atoms, utf8
from .spelling import LABEL_FORMS, data_spellings
from .tokens import TOKEN
from .twin import Hole, Twin, contents
from .volatile import may_soften, pattern_of_both, softened

Filling: TypeAlias = Callable[[Hole], tuple[str, ...] | bytes | None]
"""What stands for a hole in a case: see `twin.contents`."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A hole where it stands; `forms` are the spellings in which it may, none if only in part."""

    hole: Hole
    forms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Varying:
    """A literal that differed between two renderings of the same twin."""

    seen: str
    pattern: str
    soft_pattern: str


Piece: TypeAlias = str | Slot | Varying


@dataclass(frozen=True, slots=True)
class Occurrence:
    """One place where the content of a hole stands in the twin's rendering.

    `whole` is False where only its token does. `before` is the literal text that precedes it.
    """

    place: Place
    offset: int
    forms: tuple[str, ...]
    whole: bool
    before: str


@dataclass(frozen=True)
class Template:
    """`rows` are the twin's atoms, texts cut into pieces; `found` says where each hole stands."""

    rows: tuple[tuple[Place, tuple[Piece, ...] | Slot | Value], ...]
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
    cutter = _Cutter(twin, received)
    rows = tuple((place, cutter.cut(place, value)) for place, value in atoms(transcript))
    found = {hole: tuple(places) for hole, places in cutter.found.items()}
    foreign = frozenset(cutter.foreign)
    if again is None or again == transcript:
        return Template(rows, found, foreign)
    other = _Cutter(twin, received)
    other_rows = [(place, other.cut(place, value)) for place, value in atoms(again)]
    merged = _merged(rows, other_rows)
    return Template(merged or rows, found, foreign, varies=True)


class _Cutter:
    """Cuts the atoms of one rendering of a twin into literals and slots."""

    def __init__(self, twin: Twin, received: Mapping[str, str] | None) -> None:
        self.twin = twin
        self.received = received
        self.found: dict[Hole, list[Occurrence]] = defaultdict(list)
        self.foreign: set[str] = set()
        self.data = [
            (hole, data)
            for hole in twin.holes
            if hole.field == "data" and isinstance(data := contents(twin.case, hole, None), bytes)
        ]

    def cut(self, place: Place, value: Value) -> tuple[Piece, ...] | Slot | Value:
        if isinstance(value, bytes):
            for hole, data in self.data:
                if value == data:
                    self.found[hole].append(Occurrence(place, 0, ("bytes",), True, ""))
                    return Slot(hole, ("bytes",))
            text = utf8(value)
            if text is None or not TOKEN.search(text):
                return value
            value = text
        if not isinstance(value, str) or place.member in ("role", "kind"):
            return value
        pieces: list[Piece] = []
        end = 0
        for start, stop, slot in self._slots(value):
            if start < end:
                continue
            before = value[end:start]
            if before:
                pieces.append(before)
            pieces.append(slot)
            self.found[slot.hole].append(
                Occurrence(place, start, slot.forms, bool(slot.forms), value[:start][-80:])
            )
            end = stop
        if end < len(value) or not pieces:
            pieces.append(value[end:])
        return tuple(pieces)

    def _slots(self, value: str) -> list[tuple[int, int, Slot]]:
        spots = list(self._data_slots(value))
        for match in TOKEN.finditer(value):
            hole = self.twin.by_anchor.get(match[0])
            if hole is None:
                self.foreign.add(match[0])
                continue
            spots.append(self._label_slot(value, match, hole))
        return sorted(spots, key=lambda spot: (spot[0], -spot[1]))

    def _label_slot(self, value: str, match: re.Match[str], hole: Hole) -> tuple[int, int, Slot]:
        texts = contents(self.twin.case, hole, self.received)
        forms = ("raw",) if hole.field in ("text", "argument") else tuple(LABEL_FORMS)
        best: tuple[int, int, Slot] | None = None
        for text in texts if isinstance(texts, tuple) else ():
            fitting = [
                (form, start, start + len(spelled))
                for form in forms
                if (spelled := LABEL_FORMS[form](text))
                and value.startswith(spelled, start := match.start() - spelled.index(hole.anchor))
                and start >= 0
            ]
            if fitting and (best is None or fitting[0][2] > best[1]):
                widest = max(stop for _, _, stop in fitting)
                same = tuple(form for form, _, stop in fitting if stop == widest)
                best = (min(start for _, start, _ in fitting), widest, Slot(hole, same))
        return best or (match.start(), match.end(), Slot(hole, ()))

    def _data_slots(self, value: str) -> Iterator[tuple[int, int, Slot]]:
        for hole, data in self.data:
            places: dict[tuple[int, int], list[str]] = defaultdict(list)
            for form, spelled in data_spellings(data).items():
                start = value.find(spelled) if len(spelled) <= len(value) else -1
                while start >= 0:
                    places[start, start + len(spelled)].append(form)
                    start = value.find(spelled, start + len(spelled))
            for (start, stop), forms in places.items():
                yield start, stop, Slot(hole, tuple(forms))


def spellings(slot: Slot, filling: Filling) -> list[str] | None:
    """The texts that may stand in the slot; None where anything may (it held only a token)."""
    if not slot.forms:
        return None
    content = filling(slot.hole)
    if content is None:
        return [""]
    if isinstance(content, bytes):
        known = data_spellings(content)
        return [known[form] for form in slot.forms if form in known]
    return [LABEL_FORMS[form](text) for text in content for form in slot.forms]


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


def _merged(
    rows: Sequence[tuple[Place, tuple[Piece, ...] | Slot | Value]],
    others: Sequence[tuple[Place, tuple[Piece, ...] | Slot | Value]],
) -> tuple[tuple[Place, tuple[Piece, ...] | Slot | Value], ...] | None:
    """The rows with what differs between two renderings made to vary; None if it can't be told."""
    if len(rows) != len(others):
        return None
    merged: list[tuple[Place, tuple[Piece, ...] | Slot | Value]] = []
    for (place, one), (other_place, other) in zip(rows, others, strict=True):
        if place != other_place:
            return None
        if one == other:
            merged.append((place, one))
        elif isinstance(one, tuple) and isinstance(other, tuple) and len(one) == len(other):
            pieces = _merged_pieces(one, other)
            if pieces is None:
                return None
            merged.append((place, pieces))
        else:
            return None
    return tuple(merged)


def _merged_pieces(one: tuple[Piece, ...], other: tuple[Piece, ...]) -> tuple[Piece, ...] | None:
    merged: list[Piece] = []
    for index, (a, b) in enumerate(zip(one, other, strict=True)):
        if a == b:
            merged.append(a)
        elif isinstance(a, str) and isinstance(b, str):
            after, before = index > 0, index < len(one) - 1
            strict, soft = (
                pattern_of_both(a, b, after_hole=after, before_hole=before, spell=spell)
                for spell in (re.escape, softened)
            )
            if strict is None or soft is None:
                return None
            merged.append(Varying(a, strict, soft))
        else:
            return None
    return tuple(merged)
