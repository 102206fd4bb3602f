"""A finding in words: the first difference, with invisible characters made visible."""

from __future__ import annotations

import unicodedata
from typing import Final

from .case import Case
from .oracle import Found
from .rendering import Rendering

_NAMES: Final = {
    "\n": "⏎",
    "\r": "␍",
    "\t": "⇥",
    " ": "·",
    "\0": "␀",
    "\u00a0": "⍽",
    "\u200b": "<U+200B>",
    "\ufeff": "<U+FEFF>",
}
_AROUND: Final = 24
_INVISIBLE: Final = frozenset({"Cc", "Cf", "Zl", "Zp", "Zs", "Cs", "Co", "Cn", "Mn"})


def visible(text: str, *, spaces: bool = True) -> str:
    """The text with every invisible, combining or reordering character spelled out."""
    return "".join(_shown(c, spaces) for c in text)


def _shown(character: str, spaces: bool) -> str:
    if character == " " and not spaces:
        return character
    if character in _NAMES:
        return _NAMES[character]
    if unicodedata.category(character) in _INVISIBLE:
        return f"<U+{ord(character):04X}>"
    return character


def first_difference(sent: str, seen: str) -> str:
    """Two lines that show both texts around the first character in which they differ."""
    at = next(
        (n for n, (a, b) in enumerate(zip(sent, seen, strict=False)) if a != b),
        min(len(sent), len(seen)),
    )
    return "\n".join(
        f"{label}: {_window(text, at)}  ({len(text)} characters)"
        for label, text in (("sent", sent), ("seen", seen))
    )


def _window(text: str, at: int) -> str:
    start, stop = max(0, at - _AROUND), at + _AROUND
    before = "…" if start else ""
    after = "…" if stop < len(text) else ""
    return f"{before}{visible(text[start:stop])}{after}"


def explanation(found: Found, case: Case, rendering: Rendering) -> str:
    """A few lines of plain text on what was found: which part, what differs, what was received."""
    lines = [found.note]
    if found.message is not None and len(case.messages) > 1:
        lines.append(f"It is about message {found.message + 1} of {len(case.messages)}.")
    if found.sent is not None and found.seen is not None:
        lines.append(first_difference(found.sent, found.seen))
    if found.fault.rule.startswith(("arguments.", "list.")) and rendering.requests is not None:
        lines += [
            f"The server received: {request.method} {visible(str(request.params), spaces=False)}"
            for request in rendering.requests[-4:]
        ]
    if found.pair is not None:
        lines.append("The same rendering comes of another prompt (the pair of this finding).")
    return "\n".join(lines)
