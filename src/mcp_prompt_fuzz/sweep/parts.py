"""Every kind in both roles, every type of medium, every annotation, and what repeats."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ..case import Case
from ..jsontypes import Json
from .pieces import data_of_type, kinds_under, plain_content, says, swept, text_content

_IMAGES: Final = (
    "image/png",
    "image/jpeg",
    "image/gif",
    "image/webp",
    "image/svg+xml",
    "image/bmp",
    "image/PNG",
    "image/tiff",
)
_SOUNDS: Final = ("audio/mpeg", "audio/flac", "audio/ogg", "audio/wav")
_BLOBS: Final = ("text/plain", "application/json", "image/png", "application/octet-stream")
_LINK: Final[Json] = {
    "type": "resource_link",
    "uri": "https://example.com/a%20b?c=d&e=f",
    "name": "A & b",
    "title": 'The "title"',
    "description": "what <it> is",
    "mimeType": "text/html",
    "size": 12345,
}
_ANNOTATIONS: Final[tuple[Json, ...]] = (
    {"audience": ["assistant"]},
    {"audience": ["user", "assistant"], "priority": 0},
    {"priority": 1, "lastModified": "2025-01-01T00:00:00Z"},
    {"audience": ["user"]},
)


def richest(revision: str) -> Case:
    """One case with every kind that the revision knows, from both roles."""
    kinds = kinds_under(revision)
    said = [
        says(role, plain_content(kind, n + shift))
        for role, shift in (("user", 0), ("assistant", 4))
        for n, kind in enumerate(kinds)
    ]
    return swept(revision, "every kind, from the user and from the assistant", said)


def part_cases(revision: str) -> Iterator[Case]:
    """The richest case first, then what is rarer, then each kind alone between two texts."""
    yield richest(revision)
    yield swept(revision, "media and documents of every type", _typed(revision))
    yield swept(
        revision,
        "annotated parts",
        [
            says("user", {**plain_content(kind, n), "annotations": annotations})
            for n, annotations in enumerate(_ANNOTATIONS)
            for kind in kinds_under(revision)
        ],
    )
    yield swept(
        revision,
        "the same text twice, the same image twice",
        [says("user", text_content("twice"))] * 2 + [says("user", plain_content("image"))] * 2,
    )
    yield swept(
        revision,
        "a conversation that the assistant opens and ends",
        [
            says(role, text_content(f"turn {word}"))
            for word, role in (("a", "assistant"), ("b", "user"), ("c", "user"), ("d", "assistant"))
        ],
    )
    yield swept(revision, "empty parts between others", _empty_ones())
    yield swept(
        revision,
        "a described result",
        [says("user", text_content("a"))],
        result={"description": "what it is", "_meta": {"example.invalid/note": 1}},
    )
    yield swept(revision, "no messages", [])
    for kind in kinds_under(revision):
        for role in ("user", "assistant"):
            yield swept(
                revision,
                f"{kind} from the {role}, between two texts",
                [
                    says("user", text_content("before")),
                    says(role, plain_content(kind, 1)),
                    says("user", text_content("after")),
                ],
            )


def _typed(revision: str) -> list[Json]:
    contents: list[Json] = [
        {"type": "image", "data": data_of_type(t, n), "mimeType": t} for n, t in enumerate(_IMAGES)
    ]
    if "audio" in kinds_under(revision):
        contents += [
            {"type": "audio", "data": data_of_type(t, n), "mimeType": t}
            for n, t in enumerate(_SOUNDS)
        ]
    contents += [
        {"type": "resource", "resource": {"uri": f"file:///{n}", "blob": data, "mimeType": t}}
        for n, t in enumerate(_BLOBS)
        if (data := data_of_type(t, n))
    ]
    if "resource_link" in kinds_under(revision):
        contents.append(_LINK)
    return [says("user", content) for content in contents]


def _empty_ones() -> list[Json]:
    contents: list[Json] = [
        text_content("a"),
        text_content(""),
        {"type": "image", "data": "", "mimeType": "image/png"},
        {"type": "resource", "resource": {"uri": "file:///e", "blob": ""}},
        text_content("b"),
    ]
    return [says("user", content) for content in contents]
