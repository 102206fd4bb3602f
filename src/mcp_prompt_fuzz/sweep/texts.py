"""Every hard string and every canary, many to a case."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final

from hypothesis_mcp.canaries import canaries_for
from hypothesis_mcp.hard_strings import HARD_STRINGS

from ..case import Case
from .pieces import says, swept, text_content

_TEXTS_A_CASE: Final = 24
"""Only where such a case shows a fault does each of its texts cost a rendering."""

_LONG_TEXTS: Final = (("a", 300), ("b", 1200), ("c", 5000), ("d", 20000))


def text_cases(revision: str) -> Iterator[Case]:
    """Hard strings, and long texts, as parts of their own."""
    yield from _said(revision, "hard strings", HARD_STRINGS.values())
    long_texts = (letter * length for letter, length in _LONG_TEXTS)
    yield swept(revision, "long texts", [says("user", text_content(t)) for t in long_texts])


def canary_cases(revision: str, *, sandboxed: bool) -> Iterator[Case]:
    """Text that looks like something to run or to expand: alone, and within other words."""
    canaries = canaries_for(sandboxed)
    texts = [canary.text for canary in canaries] + [f"see {c.text} here" for c in canaries]
    yield from _said(revision, "text that looks like a command", texts)


def document_cases(revision: str) -> Iterator[Case]:
    """Hard strings as embedded documents."""
    for number, group in enumerate(_batched(HARD_STRINGS.values(), _TEXTS_A_CASE), start=1):
        yield swept(
            revision,
            f"documents with hard strings, {number}",
            [
                says("user", {"type": "resource", "resource": {"uri": f"file:///{n}", "text": t}})
                for n, t in enumerate(group)
            ],
        )


def _said(revision: str, title: str, texts: Iterable[str]) -> Iterator[Case]:
    for number, group in enumerate(_batched(texts, _TEXTS_A_CASE), start=1):
        messages = [says("user", text_content(text)) for text in group]
        yield swept(revision, f"{title}, {number}", messages)


def _batched(texts: Iterable[str], size: int) -> Iterator[tuple[str, ...]]:
    rest = iter(texts)
    while batch := tuple(islice(rest, size)):
        yield batch
