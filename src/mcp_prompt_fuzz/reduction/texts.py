"""Shorter and plainer texts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..case import Case, fill, template_text, with_text


def shorter(text: str, plain: str = "a") -> Iterator[str]:
    """Shorter and plainer texts, boldest first: one character, halves, chunks, plain letters."""
    if not text:
        return
    yield ""
    yield plain
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


def shorter_texts(case: Case) -> Iterator[Case]:
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
