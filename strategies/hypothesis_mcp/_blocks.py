"""Content blocks and messages: what is drawn for each, and in which order."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from hypothesis_mcp._draws import LARGEST, STOP, Draw, Menu, choices, pick, pick_next
from hypothesis_mcp._texts import (
    PIECES,
    PLAIN_TEXTS,
    TEXTS,
    TextBuilder,
    draw_canary,
    draw_free,
)
from hypothesis_mcp.extras import Extra, extras_for, fresh
from hypothesis_mcp.media import (
    AUDIO_TYPES,
    BLOB_TYPES,
    IMAGE_TYPES,
    TEXT_TYPES,
    base64_file_of,
)
from hypothesis_mcp.revisions import check_revision, kinds_of
from hypothesis_mcp.uris import LINK_NAMES, URIS

__all__ = ["Grammar", "draw_block", "draw_message", "draw_messages", "grammar"]

Json = dict[str, Any]
Head = tuple[str, str]

# What the one index of a block points into.
_TABLES: Final[dict[str, tuple[str, ...]]] = {
    "text": TEXTS[:LARGEST],
    "image": IMAGE_TYPES,
    "audio": AUDIO_TYPES,
    "resource.text": TEXT_TYPES,
    "resource.blob": BLOB_TYPES,
    "resource_link": URIS,
}
_SLOTS: Final = 4
_OTHER: Final = 100
_OF_TEXTS: Final = frozenset({"piece", "free", "canary", "slot"})
_MAX_CHANGES: Final = 4
# Weights of the changes, found by looking at what 2,000 cases hold.
_CHANGES: Final[dict[str, Menu]] = {
    "text": ("extra", "extra", "piece", "piece", "free", "canary", "canary", "canary"),
    "image": ("extra", "extra", "other_bytes", "no_bytes"),
    "audio": ("extra", "extra", "other_bytes", "no_bytes"),
    "resource.text": (
        *("extra", "extra", "piece", "piece", "piece", "free", "canary"),
        *("uri", "uri", "uri"),
    ),
    "resource.blob": ("extra", "extra", "uri", "uri", "other_bytes", "no_bytes"),
    "resource_link": (*("extra",) * 8, "name", "name"),
}
# What is valid by schema alone. The prose of every revision asks for base64, for a valid media
# type, and for a media type and a valid URI on an embedded resource.
_LOOSE_BLOB: Final = ("loose.base64", "loose.both")
_LOOSE: Final[dict[str, Menu]] = {
    "text": (),
    "image": ("loose.type_empty", "loose.base64"),
    "audio": ("loose.type_empty", "loose.base64"),
    "resource.text": ("loose.no_type", "loose.type_empty", "loose.uri"),
    "resource.blob": (
        "loose.no_type",
        "loose.type_empty",
        "loose.uri",
        "loose.base64",
        "loose.both",
    ),
    "resource_link": ("loose.uri",),
}


@dataclass(frozen=True)
class Grammar:
    """What may be drawn, worked out once per strategy from its parameters."""

    revision: str
    kinds: tuple[str, ...]
    strict: bool
    sandboxed: bool
    heads: tuple[Head, ...]
    first_heads: tuple[Head, ...]
    next_heads: tuple[Head, ...]
    changes: dict[str, Menu]
    extras: dict[str, tuple[Extra, ...]]


def _heads(kinds: tuple[str, ...]) -> tuple[Head, ...]:
    # Texts are the commonest part by far, and where most faults are, so they stand several times.
    return tuple(
        (kind, role)
        for kind in kinds
        for _ in range(4 if kind == "text" else 1)
        for role in ("user", "assistant")
    )


def _menu(kind: str, strict: bool) -> Menu:
    changes = _CHANGES[kind]
    if not strict:
        changes += _LOOSE[kind]
    if kind in {"text", "resource.text"}:
        changes += ("slot",) * _SLOTS  # last, because they are offered only with arguments
    return changes


@lru_cache(maxsize=256)
def grammar(revision: str, kinds: frozenset[str] | None, strict: bool, sandboxed: bool) -> Grammar:
    """The grammar for these parameters; ``kinds=None`` means all that ``revision`` has.

    Raises ``ValueError`` for a revision or kind that isn't known, or a kind that the revision
    doesn't have.
    """
    allowed = kinds_of(check_revision(revision))
    if kinds is not None:
        if unknown := sorted(kinds - set(allowed)):
            raise ValueError(f"{revision} has no content of kind {', '.join(unknown)}")
        allowed = tuple(kind for kind in allowed if kind in kinds)
    if not allowed:
        raise ValueError("at least one kind of content is needed")
    heads = _heads(allowed)
    return Grammar(
        revision=revision,
        kinds=allowed,
        strict=strict,
        sandboxed=sandboxed,
        heads=heads,
        first_heads=(*heads, ("nothing", ""), *heads * 2),
        next_heads=heads,
        changes={kind: _menu(kind, strict) for kind in allowed},
        extras={kind: extras_for(revision, kind) for kind in allowed},
    )


def _block(draw: Draw | None, kind: str) -> Json:
    """A block of ``kind`` with one index drawn for it, or the plainest one without."""
    table = _TABLES[kind]
    index = draw.number(len(table)) if draw else 0
    entry = table[index]
    if kind == "text":
        return {"type": "text", "text": entry}
    if kind == "resource_link":
        return {"type": "resource_link", "uri": entry, "name": LINK_NAMES[0]}
    if kind == "resource.text":
        inner = {"uri": URIS[0], "mimeType": entry, "text": PLAIN_TEXTS[0]}
        return {"type": "resource", "resource": inner}
    # Each entry has bytes of its own, so that two parts with equal bytes have equal indexes, and
    # shrink as one.
    data = base64_file_of(entry, index)
    if kind == "resource.blob":
        return {"type": "resource", "resource": {"uri": URIS[0], "mimeType": entry, "blob": data}}
    return {"type": kind, "data": data, "mimeType": entry}


def _set_bytes(block: Json, data: str) -> None:
    if block["type"] == "resource":
        block["resource"]["blob"] = data
    else:
        block["data"] = data


def _loosen(block: Json, change: str) -> None:
    inner = block.get("resource", block)
    if change == "loose.no_type":
        inner.pop("mimeType", None)
    elif change == "loose.type_empty":
        inner["mimeType"] = ""
    elif change == "loose.uri":
        inner["uri"] = "not a uri"
    elif change == "loose.both":
        inner["text"] = "a"
    else:
        _set_bytes(block, "!!!")


def _change_text(
    draw: Draw, rules: Grammar, names: list[str], text: TextBuilder, change: str
) -> None:
    if change == "piece":
        text.put(pick(draw, PIECES))
    elif change == "free":
        text.add(draw_free(draw))
    elif change == "canary":
        text.add(draw_canary(draw, rules.sandboxed))
    else:
        text.add({"argument": pick(draw, names)})


def _change_block(draw: Draw, rules: Grammar, kind: str, block: Json, change: str) -> None:
    inner = block.get("resource", block)
    if change == "extra":
        extra = pick(draw, rules.extras[kind])
        target = block.setdefault(extra.where, {}) if extra.where else block
        target[extra.key] = fresh(extra.value)
    elif change == "uri":
        inner["uri"] = pick(draw, URIS)
    elif change == "name":
        inner["name"] = pick(draw, LINK_NAMES)
    elif change == "other_bytes":
        _set_bytes(block, base64_file_of(inner.get("mimeType", ""), _OTHER))
    elif change == "no_bytes":
        _set_bytes(block, "")
    else:
        _loosen(block, change)


def draw_block(draw: Draw, rules: Grammar, kind: str, names: list[str]) -> tuple[Json, bool]:
    """One content block of ``kind``, and whether it obeys the prose as well as the schema.

    ``names`` are the declared arguments, each of which may have a slot in a text.
    """
    block = _block(draw, kind)
    inner = block.get("resource", block)
    text = TextBuilder(inner["text"]) if "text" in inner else None
    menu = rules.changes[kind] if names or text is None else rules.changes[kind][:-_SLOTS]
    strict = True
    for change in choices(draw, menu, _MAX_CHANGES):
        if text is not None and change in _OF_TEXTS:
            _change_text(draw, rules, names, text, change)
        else:
            _change_block(draw, rules, kind, block, change)
            strict = strict and not change.startswith("loose.")
    if text is not None:
        inner["text"] = text.text()
    return block, strict


def draw_message(
    draw: Draw, rules: Grammar, kind: str, role: str, names: list[str]
) -> tuple[Json, bool]:
    """One message, and whether it obeys the prose as well as the schema."""
    block, strict = draw_block(draw, rules, kind, names)
    return {"role": role, "content": block}, strict


def draw_messages(
    draw: Draw, rules: Grammar, sizes: tuple[int, int], names: list[str]
) -> tuple[list[Json], bool]:
    """The messages of a prompt, and whether all obey the prose as well as the schema.

    ``sizes`` are the fewest and the most messages. No message at all is valid, but the plainest
    prompt has one.
    """
    fewest, most = sizes
    messages: list[Json] = []
    strict = True
    full: tuple[Head, ...] = ()
    for heads in (rules.first_heads, *[rules.next_heads] * (most - 1), full):
        kind, role = pick_next(draw, heads, (STOP, ""))
        if kind == "nothing" and fewest == 0:
            return [], True
        if kind in {STOP, "nothing"}:
            break
        message, obeys = draw_message(draw, rules, kind, role, names)
        strict = strict and obeys
        messages.append(message)
    while len(messages) < max(fewest, 1):
        messages.append({"role": "user", "content": _block(None, rules.kinds[0])})
    return messages, strict
