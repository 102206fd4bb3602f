"""Untrusted text made safe to show: what clients and servers print may hold anything."""

from __future__ import annotations

from typing import Final

_SHORT: Final = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}

_NOT_XML: Final = {
    **{code: "\ufffd" for code in range(0x20) if code not in {0x9, 0xA, 0xD}},
    **dict.fromkeys(range(55296, 57344), "�"),
    0xFFFE: "\ufffd",
    0xFFFF: "\ufffd",
}


def visible(text: str, *, lines: bool = False) -> str:
    """The text with everything that can't be seen, or that could steer a terminal, spelled out.

    Control characters, bidirectional controls, zero-width characters, odd spaces and lone
    surrogates become `\\xNN`, `\\uNNNN` or `\\UNNNNNNNN`. With `lines`, line feeds stay.
    """
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() or (lines and char == "\n") else _spelled(char) for char in text
    )


def _spelled(char: str) -> str:
    if char in _SHORT:
        return _SHORT[char]
    code = ord(char)
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def one_line(text: str, limit: int = 80) -> str:
    """The text made visible on one line, cut to `limit` characters."""
    shown = visible(text[: limit + 1])
    return shown if len(shown) <= limit else shown[: limit - 1] + "…"


def for_xml(text: str) -> str:
    """The text with the characters that no XML 1.0 document may hold replaced by U+FFFD."""
    return text.translate(_NOT_XML)


def for_markdown_cell(text: str) -> str:
    """The text made visible and harmless inside a cell of a Markdown table."""
    shown = visible(text)
    for mark in "\\`*_{}[]<>|~":
        shown = shown.replace(mark, f"\\{mark}")
    return shown
