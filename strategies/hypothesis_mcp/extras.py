"""Optional members of blocks, resources, links and prompts, with the values that break clients.

Annotations are hints (server/resources, 2025-06-18 on: clients "can use" them); ``_meta`` belongs
to whoever named the key. None of it may cost a part its content.
"""

from dataclasses import dataclass
from typing import Any, Final

from hypothesis_mcp.media import base64_file_of
from hypothesis_mcp.revisions import supports

__all__ = ["Extra", "extras_for", "fresh", "icon_sets", "metas"]


@dataclass(frozen=True)
class Extra:
    """One optional member: ``where`` it goes (``""`` is the block itself), its key and value."""

    name: str
    where: str
    key: str
    value: Any
    feature: str


_PNG_ICON: Final = "data:image/png;base64," + base64_file_of("image/png", 0)

_METAS: Final[tuple[dict[str, Any], ...]] = (
    {},
    {"example.invalid/a": "b"},
    {"a": None},
    {"a": [1, {"b": True}], "c": 1.5},
    {"\u540d": "\u2028"},
    {"__proto__": {"a": 1}},
)

_ICON_SETS: Final[tuple[list[dict[str, Any]], ...]] = (
    [],
    [{"src": "x:a"}],
    [{"src": _PNG_ICON, "mimeType": "image/png", "sizes": ["1x1"]}],
    [
        {"src": "https://example.invalid/a.svg", "sizes": ["any"], "theme": "dark"},
        {"src": "https://example.invalid/b.svg", "sizes": ["48x48", "96x96"], "theme": "light"},
    ],
    [{"src": "x:a", "sizes": []}],
)

_ANNOTATIONS: Final = (
    Extra("audience.none", "annotations", "audience", [], "annotations"),
    Extra("audience.user", "annotations", "audience", ["user"], "annotations"),
    Extra("audience.assistant", "annotations", "audience", ["assistant"], "annotations"),
    Extra("audience.both", "annotations", "audience", ["user", "assistant"], "annotations"),
    Extra("audience.reversed", "annotations", "audience", ["assistant", "user"], "annotations"),
    Extra("priority.zero", "annotations", "priority", 0, "annotations"),
    Extra("priority.one", "annotations", "priority", 1, "annotations"),
    Extra("priority.half", "annotations", "priority", 0.5, "annotations"),
    Extra("last_modified", "annotations", "lastModified", "2026-07-28T00:00:00Z", "lastModified"),
    Extra(
        "last_modified.offset",
        "annotations",
        "lastModified",
        "1999-12-31T23:59:59.999+14:00",
        "lastModified",
    ),
)

_BLOCK_METAS: Final = tuple(
    Extra(f"meta.{i}", "", "_meta", meta, "_meta") for i, meta in enumerate(_METAS)
)

_RESOURCE_METAS: Final = tuple(
    Extra(f"resource_meta.{i}", "resource", "_meta", meta, "_meta")
    for i, meta in enumerate(_METAS[:3])
)

_LINK: Final = (
    Extra("link.title", "", "title", "A", "title"),
    Extra("link.title.empty", "", "title", "", "title"),
    Extra("link.description", "", "description", "A", "resource_link"),
    Extra("link.description.lines", "", "description", "a\n\nb", "resource_link"),
    Extra("link.mime_type", "", "mimeType", "text/plain", "resource_link"),
    Extra("link.mime_type.upper", "", "mimeType", "IMAGE/PNG", "resource_link"),
    Extra("link.size.zero", "", "size", 0, "resource_link"),
    Extra("link.size", "", "size", 1024, "resource_link"),
    Extra("link.size.huge", "", "size", 2**53, "resource_link"),
    *(Extra(f"link.icons.{i}", "", "icons", icons, "icons") for i, icons in enumerate(_ICON_SETS)),
)


def extras_for(revision: str, kind: str) -> tuple[Extra, ...]:
    """Every optional member that a block of ``kind`` may carry under ``revision``."""
    found = _ANNOTATIONS + _BLOCK_METAS
    if kind.startswith("resource."):
        found += _RESOURCE_METAS
    if kind == "resource_link":
        found += _LINK
    return tuple(extra for extra in found if supports(revision, extra.feature))


def metas() -> tuple[dict[str, Any], ...]:
    """Values of ``_meta``; shared, so copy (`fresh`) before handing one out."""
    return _METAS


def icon_sets() -> tuple[list[dict[str, Any]], ...]:
    """Values of ``icons`` (2025-11-25 on); shared, so copy (`fresh`) before handing one out."""
    return _ICON_SETS


def fresh(value: Any) -> Any:
    """A copy of JSON data that shares nothing mutable: what is drawn may be changed at will."""
    if isinstance(value, dict):
        return {key: fresh(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [fresh(inner) for inner in value]
    return value
