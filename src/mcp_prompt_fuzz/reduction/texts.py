"""Shorter and plainer texts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Final

from ..case import Case, fill, template_text, with_text
from .search import Search

LONG: Final = 32
"""Texts beyond so many characters are cut before anything else is tried with them."""


def cut_long_texts(search: Search) -> None:
    """Have long texts and values as short as they can be, cut at their ends alone."""
    for index, message in enumerate(search.best.messages):
        text = template_text(message["content"])
        if isinstance(text, str) and len(text) > LONG:
            _cut(search, text, partial(_with_text_at, index=index))
    for name, value in search.best.arguments.items():
        if len(value) > LONG:
            _cut(search, value, partial(_with_value, name=name))


def _cut(search: Search, text: str, put: Callable[[Case, str], Case]) -> None:
    """Find the shortest text by bisection: of plain letters, if only its length matters.

    `put` puts a text in its place.
    """

    def takes(candidate: str) -> bool:
        return search.takes(put(search.best, candidate))

    plain = "a" * len(text)
    if takes(plain):
        text = plain
    end = _least(len(text), lambda length: takes(text[:length]))
    if text != plain:
        _least(end, lambda length: takes(text[end - length : end]))


def _least(most: int, holds: Callable[[int], bool]) -> int:
    """The least number at which it holds, as it does at `most`, if it then holds at all above."""
    least = 0
    while most - least > 1:
        middle = (least + most) // 2
        if holds(middle):
            most = middle
        else:
            least = middle
    return most


def _with_text_at(case: Case, text: str, *, index: int) -> Case:
    message = case.messages[index]
    return case.with_message(index, {**message, "content": with_text(message["content"], text)})


def _with_value(case: Case, value: str, *, name: str) -> Case:
    return replace(case, arguments={**case.arguments, name: value})


def shorter(text: str, plain: str = "a") -> Iterator[str]:
    """Shorter and plainer texts, boldest first: one character, halves, chunks, plain letters."""
    if not text:
        return
    yield ""
    yield plain
    if len(text) > LONG and text == plain * len(text):
        yield text[:-1]  # it was cut by bisection, and its length is all that there is to it
        return
    if any(character.isspace() for character in text):
        yield " "
    special = [c for c in dict.fromkeys(text) if not (c.isascii() and c.isalnum())][:6]
    for character in special:
        yield character
    for character in special:
        yield from (plain + character, character + plain, plain + character + plain)
    chunk = len(text) // 2
    while chunk >= 1 and len(text) > 1:
        step = max(chunk, len(text) // 16)
        for start in range(0, len(text), step):
            yield text[:start] + text[start + chunk :]
        chunk //= 2
    if text != plain * len(text):
        yield plain * len(text)
    for character in dict.fromkeys(text):
        if character != plain:
            yield text.replace(character, plain)


def plainer_texts(case: Case) -> Iterator[Case]:
    for index, message in enumerate(case.messages):
        text = template_text(message["content"])
        if text is None:
            continue
        if not isinstance(text, str):
            filled = fill(text, case.arguments)
            yield case.with_message(
                index, {**message, "content": with_text(message["content"], filled)}
            )
            for at, piece in enumerate(text):
                fewer = [*text[:at], *text[at + 1 :]]
                yield case.with_message(
                    index, {**message, "content": with_text(message["content"], fewer)}
                )
                for smaller in shorter(piece) if isinstance(piece, str) else ():
                    pieces = [*text[:at], smaller, *text[at + 1 :]]
                    yield case.with_message(
                        index, {**message, "content": with_text(message["content"], pieces)}
                    )
            continue
        for plainer in shorter(text):
            yield case.with_message(
                index, {**message, "content": with_text(message["content"], plainer)}
            )


def equal_texts(case: Case) -> Iterator[Case]:
    """Texts that are equal made plain together."""
    texts = [template_text(message["content"]) for message in case.messages]
    for text in {t for t in texts if isinstance(t, str) and texts.count(t) > 1}:
        for plain in ("a", text.strip()[:1]):
            yield replace(
                case,
                messages=tuple(
                    {**m, "content": with_text(m["content"], plain)} if own == text else m
                    for m, own in zip(case.messages, texts, strict=True)
                ),
            )
