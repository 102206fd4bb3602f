"""Texts as cases hold them: pieces, some of them slots for an argument's value."""

from functools import lru_cache
from typing import Any, Final

from hypothesis import strategies as st

from hypothesis_mcp._draws import LARGEST, Draw, pick
from hypothesis_mcp.canaries import CANARIES, canaries_for
from hypothesis_mcp.hard_strings import FREE_ALPHABET, HARD_STRINGS

__all__ = [
    "PIECES",
    "PLAIN_TEXTS",
    "RARE_TEXTS",
    "TEXTS",
    "TextBuilder",
    "draw_canary",
    "draw_free",
]

Piece = str | dict[str, str]

PLAIN_TEXTS: Final = ("a", "b", "Hello.", "Explain this, please.")
"""Ordinary texts; the first is what everything shrinks to."""

TEXTS: Final = PLAIN_TEXTS + tuple(HARD_STRINGS.values())

RARE_TEXTS: Final = TEXTS[LARGEST:]
"""Texts for which a block's one index has no room."""

PIECES: Final = (*PLAIN_TEXTS, *TEXTS[58:LARGEST], *RARE_TEXTS)
"""Texts that are put beside others."""

_STAND_INS: Final = {0xE000 + number: letter for number, letter in enumerate(FREE_ALPHABET)}
_FREE: Final = st.text([chr(point) for point in _STAND_INS], min_size=1, max_size=40).map(
    lambda drawn: drawn.translate(_STAND_INS)
)
"""Drawn as characters for private use: Hypothesis mixes strings into its texts that stand in the
modules it finds loaded, where the alphabet permits, and one seed would draw other texts each time.
"""
_CANARY_TEXTS: Final = frozenset(canary.text for canary in CANARIES)


@lru_cache(maxsize=2)
def _canary_texts(sandboxed: bool) -> tuple[str, ...]:
    return tuple(canary.text for canary in canaries_for(sandboxed))


def draw_free(draw: Draw) -> str:
    """A text of one to forty harmless characters."""
    return draw(_FREE)


def draw_canary(draw: Draw, sandboxed: bool) -> str:
    """The text of one canary."""
    return pick(draw, _canary_texts(sandboxed))


class TextBuilder:
    """Puts pieces together; keeps canaries apart from the texts beside them.

    Without a space beside it a canary could stop being live (``@file`` needs a word of its own).
    The plain text gives way to the first piece that is added: so a text from a table, a free one
    and one that is a single slot all shrink alike.
    """

    def __init__(self, first: str) -> None:
        self.pieces: list[Piece] = [first]

    def restart(self, piece: str) -> None:
        """Forget what there was, and begin with ``piece``."""
        self.pieces = [piece]

    def add(self, piece: Piece) -> None:
        """Append a piece."""
        if self.pieces == [PLAIN_TEXTS[0]]:
            self.pieces = [piece]
            return
        last = self.pieces[-1]
        strings = isinstance(last, str) and isinstance(piece, str) and last and piece
        if strings and (last in _CANARY_TEXTS or piece in _CANARY_TEXTS):
            self.pieces.append(" ")
        self.pieces.append(piece)

    def text(self) -> Any:
        """The shortest spelling: a string where there is no slot, else a list."""
        joined: list[Piece] = []
        for piece in self.pieces:
            if isinstance(piece, str) and joined and isinstance(joined[-1], str):
                joined[-1] += piece
            elif piece != "":
                joined.append(piece)
        if not joined:
            return ""
        if len(joined) == 1 and isinstance(joined[0], str):
            return joined[0]
        return joined
