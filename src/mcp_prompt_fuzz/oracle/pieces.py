"""What a twin's rendering is cut into: literals, slots for content, and what varies by itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from .atoms import Place, Value
from .spelling import LABEL_FORMS, data_spellings
from .twin import Hole

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


Row: TypeAlias = tuple[Place, tuple[Piece, ...] | Slot | Value]


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
