"""Content blocks and messages: what is drawn for each, and in which order."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from hypothesis_mcp._draws import LARGEST, STOP, Draw, Menu, choices, pick
from hypothesis_mcp._texts import (
    PIECES,
    PLAIN_TEXTS,
    RARE_TEXTS,
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
from hypothesis_mcp.uris import LINK_NAMES, URIS

__all__ = ["Grammar", "draw_message", "draw_messages", "grammar"]

Json = dict[str, Any]
Head = tuple[str, str]
Item = Head | str

# What the one index of a block points into.
_TABLES: Final[dict[str, tuple[str, ...]]] = {
    "text": TEXTS[:LARGEST],
    "image": IMAGE_TYPES,
    "audio": AUDIO_TYPES,
    "resource.text": TEXT_TYPES,
    "resource.blob": BLOB_TYPES,
    "resource_link": URIS,
}
_OTHER: Final = 100
_WITH_TEXT: Final = frozenset({"text", "resource.text"})
_OF_TEXTS: Final = frozenset({"piece", "rare", "free", "canary", "slot"})
_SLOTS: Final[Menu] = ("slot",) * 6
# A part has three changes or so at most; this only bounds the loop.
_MAX_CHANGES: Final = 16


def _weighted(**weights: int) -> Menu:
    return tuple(change for change, weight in weights.items() for _ in range(weight))


# Weights found by counting what 2,000 cases hold: each entry of a table eight times on average.
# Eight entries stand before the extras of every kind: so an extra stays one when its part becomes
# another kind.
_CHANGES: Final[dict[str, Menu]] = {
    "text": _weighted(canary=8, extra=3, piece=2, rare=7, free=2),
    "image": _weighted(other_bytes=4, no_bytes=4, extra=10),
    "audio": _weighted(other_bytes=4, no_bytes=4, extra=10),
    "resource.text": _weighted(uri=5, canary=3, extra=8, piece=2, free=1),
    "resource.blob": _weighted(uri=4, other_bytes=2, no_bytes=2, extra=10),
    "resource_link": _weighted(name=8, extra=15),
}
# Texts are the commonest part by far, and where most faults are; links have the most members.
_WEIGHTS: Final = {"text": 4, "resource_link": 2}
# What is valid by schema alone. The prose of every revision asks for base64, for a valid media
# type, and for a media type and a valid URI on an embedded resource.
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
    """What may be drawn, worked out once per strategy from its parameters.

    ``first`` is the menu of what a prompt may begin with. ``after`` are those of what may follow,
    by the kind of the last block, whether another message may come, and whether there are arguments
    to have a slot for.
    """

    revision: str
    kinds: tuple[str, ...]
    strict: bool
    sandboxed: bool
    heads: tuple[Head, ...]
    first: tuple[Item, ...]
    after: dict[tuple[str, bool, bool], tuple[Item, ...]]
    extras: dict[str, tuple[Extra, ...]]


def _heads(kinds: tuple[str, ...]) -> tuple[Head, ...]:
    return tuple(
        (kind, role)
        for kind in kinds
        for _ in range(_WEIGHTS.get(kind, 1))
        for role in ("user", "assistant")
    )


@lru_cache(maxsize=256)
def grammar(revision: str, kinds: tuple[str, ...], strict: bool, sandboxed: bool) -> Grammar:
    """The grammar for these parameters; ``kinds`` are some that ``revision`` has."""
    heads = _heads(kinds)

    def after(kind: str, room: bool, slots: bool) -> tuple[Item, ...]:
        return (
            *(heads if room else (STOP,) * len(heads)),
            *_CHANGES[kind],
            *(() if strict else _LOOSE[kind]),
            *(_SLOTS if slots and kind in _WITH_TEXT else ()),
        )

    return Grammar(
        revision=revision,
        kinds=kinds,
        strict=strict,
        sandboxed=sandboxed,
        heads=heads,
        first=(*heads, "nothing", *heads * 3),
        after={
            (kind, room, slots): after(kind, room, slots)
            for kind in kinds
            for room in (False, True)
            for slots in (False, True)
        },
        extras={kind: extras_for(revision, kind) for kind in kinds},
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


class _Part:
    """A content block while it is drawn; ``strict`` says whether it obeys the prose so far."""

    def __init__(self, kind: str, block: Json) -> None:
        inner = block.get("resource", block)
        self.kind = kind
        self.strict = True
        self._block = block
        self._inner = inner
        self._text = TextBuilder(inner["text"]) if "text" in inner else None

    def change(self, draw: Draw, rules: Grammar, names: list[str], change: str) -> None:
        """Draw what ``change`` asks for; ``names`` are the arguments to have a slot for."""
        if self._text is not None and change in _OF_TEXTS:
            _change_text(draw, rules, names, self._text, change)
        elif change == "extra":
            extra = pick(draw, rules.extras[self.kind])
            target = self._block.setdefault(extra.where, {}) if extra.where else self._block
            target[extra.key] = fresh(extra.value)
        elif change == "uri":
            self._inner["uri"] = pick(draw, URIS)
        elif change == "name":
            self._inner["name"] = pick(draw, LINK_NAMES)
        elif change == "other_bytes":
            _set_bytes(self._block, base64_file_of(self._inner.get("mimeType", ""), _OTHER))
        elif change == "no_bytes":
            _set_bytes(self._block, "")
        else:
            _loosen(self._block, change)
            self.strict = False

    def block(self) -> Json:
        """The block, as it stands now."""
        if self._text is not None:
            self._inner["text"] = self._text.text()
        return self._block


def _change_text(
    draw: Draw, rules: Grammar, names: list[str], text: TextBuilder, change: str
) -> None:
    if change == "piece":
        text.add(pick(draw, PIECES))
    elif change == "rare":
        text.restart(pick(draw, RARE_TEXTS))
    elif change == "free":
        text.add(draw_free(draw))
    elif change == "canary":
        text.add(draw_canary(draw, rules.sandboxed))
    else:
        text.add({"argument": pick(draw, names)})


def draw_message(draw: Draw, rules: Grammar) -> Json:
    """One message without slots."""
    kind, role = pick(draw, rules.heads)
    part = _Part(kind, _block(draw, kind))
    for change in choices(draw, rules.after[kind, False, False], _MAX_CHANGES):
        part.change(draw, rules, [], str(change))
    return {"role": role, "content": part.block()}


def draw_messages(
    draw: Draw, rules: Grammar, sizes: tuple[int, int], names: list[str]
) -> tuple[list[Json], bool]:
    """The messages of a prompt, and whether all obey the prose as well as the schema.

    ``sizes`` are the fewest and the most messages, ``names`` the declared arguments, each of which
    may have a slot in a text. No message at all is valid, but the plainest prompt has one.

    One loop draws messages and changes of the last one alike, so that a plain message is two
    numbers, and goes without a trace when both are deleted.
    """
    fewest, most = sizes
    drawn: list[tuple[str, _Part]] = []

    def menu() -> tuple[Item, ...]:
        if not drawn:
            return rules.first
        return rules.after[drawn[-1][1].kind, len(drawn) < most, bool(names)]

    while len(drawn) < max(fewest, 1):
        for item in choices(draw, menu, most + _MAX_CHANGES):
            if item == "nothing":
                if fewest == 0:
                    return [], True
                break
            if isinstance(item, str):
                drawn[-1][1].change(draw, rules, names, item)
            else:
                kind, role = item
                drawn.append((role, _Part(kind, _block(draw, kind))))
        # Who stops too early has drawn the plainest message, and is asked again.
        if len(drawn) < max(fewest, 1):
            drawn.append(("user", _Part(rules.kinds[0], _block(None, rules.kinds[0]))))
    messages = [{"role": role, "content": part.block()} for role, part in drawn]
    return messages, all(part.strict for _, part in drawn)
