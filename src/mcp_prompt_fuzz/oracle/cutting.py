"""Cuts a twin's rendering into literals and slots, and finds what varies between two of them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from .atoms import Place, Value, utf8
from .pieces import Occurrence, Piece, Row, Slot, Varying
from .spelling import LABEL_FORMS, data_spellings
from .tokens import TOKEN
from .twin import Hole, Twin, contents
from .volatile import pattern_of_both, softened


class Cutter:
    """Cuts the atoms of one rendering of a twin into literals and slots."""

    def __init__(self, twin: Twin, received: Mapping[str, str] | None) -> None:
        self.twin = twin
        self.received = received
        self.found: dict[Hole, list[Occurrence]] = defaultdict(list)
        self.foreign: set[str] = set()
        media = [
            (hole, data)
            for hole in twin.holes
            if hole.field == "data" and isinstance(data := contents(twin.case, hole, None), bytes)
        ]
        self._by_bytes = {data: hole for hole, data in reversed(media)}
        # Shortest first: most texts are shorter than any of them.
        self._spelled = sorted(
            (
                (spelled, form, hole)
                for hole, data in media
                for form, spelled in data_spellings(data).items()
            ),
            key=lambda spelling: len(spelling[0]),
        )

    def cut(self, place: Place, value: Value) -> tuple[Piece, ...] | Slot | Value:
        if isinstance(value, bytes):
            hole = self._by_bytes.get(value)
            if hole is not None:
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
        places: dict[tuple[Hole, int, int], list[str]] = defaultdict(list)
        for spelled, form, hole in self._spelled:
            if len(spelled) > len(value):
                break
            start = value.find(spelled)
            while start >= 0:
                places[hole, start, start + len(spelled)].append(form)
                start = value.find(spelled, start + len(spelled))
        for (hole, start, stop), forms in places.items():
            yield start, stop, Slot(hole, tuple(forms))


def merged_rows(
    rows: Sequence[Row],
    others: Sequence[Row],
) -> tuple[Row, ...] | None:
    """The rows with what differs between two renderings made to vary; None if it can't be told."""
    if len(rows) != len(others):
        return None
    merged: list[Row] = []
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
            merged.append(Varying(strict, soft))
        else:
            return None
    return tuple(merged)
