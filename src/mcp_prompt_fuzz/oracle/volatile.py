"""What changes from one rendering to the next though the case does not: ids, times, counters."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

_WORDS: Final = re.compile(r"\w+|\W", re.ASCII)
_DIGITS_OR_RUN: Final = re.compile(r"\d+|([^\w\s])\1\1+", re.ASCII)


def may_soften(literal: str) -> bool:
    """Whether the literal holds a counter or a fence that might be another one."""
    return _DIGITS_OR_RUN.search(literal) is not None


def softened(literal: str) -> str:
    """A pattern that also fits other counters, lengths and longer fences than `literal` holds."""
    pattern: list[str] = []
    end = 0
    for found in _DIGITS_OR_RUN.finditer(literal):
        pattern.append(re.escape(literal[end : found.start()]))
        mark = found[1]
        pattern.append(r"\d+" if mark is None else f"(?:{re.escape(mark)}){{3,}}")
        end = found.end()
    pattern.append(re.escape(literal[end:]))
    return "".join(pattern)


def pattern_of_both(
    one: str,
    other: str,
    *,
    after_hole: bool,
    before_hole: bool,
    spell: Callable[[str], str],
) -> str | None:
    """A pattern for what stood once as `one`, once as `other`, in two renderings of one twin.

    Lines that differ away from any hole may be anything; beside a hole only words may differ, since
    "anything" there would swallow the label that says who speaks. What did not differ is spelled
    by `spell`. None where no such pattern can be had.
    """
    lines, others = one.split("\n"), other.split("\n")
    if len(lines) != len(others):
        return None
    patterns: list[str] = []
    for number, (line, another) in enumerate(zip(lines, others, strict=True)):
        beside = (after_hole and number == 0) or (before_hole and number == len(lines) - 1)
        pattern = _pattern_of_line(line, another, beside_hole=beside, spell=spell)
        if pattern is None:
            return None
        patterns.append(pattern)
    return "\n".join(patterns)


def _pattern_of_line(
    line: str, another: str, *, beside_hole: bool, spell: Callable[[str], str]
) -> str | None:
    if line == another:
        return spell(line)
    words, others = _WORDS.findall(line), _WORDS.findall(another)
    if len(words) == len(others):
        pairs = list(zip(words, others, strict=True))
        if all(a == b or (a[0].isalnum() and b[0].isalnum()) for a, b in pairs):
            return "".join(spell(a) if a == b else r"\w{1,64}" for a, b in pairs)
    return None if beside_hole else r"[^\n]*"


def differs_in_words_alone(one: str, other: str, seen: str) -> bool:
    """Whether `seen` is `one` but for words, and only for those that differ in `other` as well.

    Both are renderings of the same; nothing but their words may come and go.
    """
    rows = [_WORDS.findall(text) for text in (one, other, seen)]
    if len({len(row) for row in rows}) > 1:
        return False
    return all(
        a == b == c or (a != b and all(word[0].isalnum() for word in (a, b, c)))
        for a, b, c in zip(*rows, strict=True)
    )
