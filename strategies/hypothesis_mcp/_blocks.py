"""Content blocks and messages: what is drawn for each, and in which order."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from hypothesis import strategies as st

from hypothesis_mcp._draws import STOP, Menu, index_into, pick
from hypothesis_mcp._texts import (
    PLAIN_TEXTS,
    TEXTS,
    TextBuilder,
    draw_canary,
    draw_free,
    join_pieces,
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

__all__ = ["Grammar", "draw_block", "draw_messages", "grammar"]

Json = dict[str, Any]

_MEDIA_TYPES: Final = {
    "image": IMAGE_TYPES,
    "audio": AUDIO_TYPES,
    "resource.blob": BLOB_TYPES,
    "resource.text": TEXT_TYPES,
}
_MAX_CHANGES: Final = 4
# What is valid by schema alone. The prose of every revision asks for base64, for a valid media
# type, and for a media type and a valid URI on an embedded resource.
_LOOSE: Final = {
    "text": (),
    "image": ("loose.type_empty", "loose.base64"),
    "audio": ("loose.type_empty", "loose.base64"),
    "resource.text": ("loose.no_type", "loose.type_empty", "loose.uri"),
    "resource.blob": ("loose.no_type", "loose.type_empty", "loose.uri", "loose.base64", "loose.both"),
    "resource_link": ("loose.uri",),
}


@dataclass(frozen=True)
class Grammar:
    """What may be drawn, worked out once per strategy from its parameters."""

    revision: str
    kinds: tuple[str, ...]
    strict: bool
    sandboxed: bool
    first_heads: tuple[tuple[str, str, str], ...]
    next_heads: tuple[tuple[str, str, str], ...]
    changes: dict[str, Menu]
    extras: dict[str, tuple[Extra, ...]]


def _heads(kinds: tuple[str, ...]) -> list[tuple[str, str, str]]:
    # (kind, where a text comes from, role). Texts are the commonest part by far, and where most
    # faults are, so they stand several times.
    heads: list[tuple[str, str, str]] = [(STOP, "", "")]
    roles = ("user", "assistant")
    if "text" in kinds:
        heads += [("text", "table", role) for role in roles for _ in range(3)]
    heads += [(kind, "table", role) for kind in kinds if kind != "text" for role in roles]
    if "text" in kinds:
        heads += [("text", source, role) for source in ("free", "canary") for role in roles]
    return heads


def _changes(kind: str, strict: bool) -> Menu:
    changes: list[str] = [STOP, "extra"]
    if kind in {"text", "resource.text"}:
        changes += ["piece", "free", "canary"]
    if kind in {"image", "audio", "resource.blob"}:
        changes += ["other_bytes", "no_bytes"]
    if not strict:
        changes += _LOOSE[kind]
    # Half of all blocks stay as they are.
    changes += [STOP] * (len(changes) + 1)
    if kind in {"text", "resource.text"}:
        changes.append("slot")  # last, because it is offered only where there are arguments
    return tuple(changes)


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
        first_heads=(*heads, ("nothing", "", "")),
        next_heads=(*heads, *[(STOP, "", "")] * (len(heads) // 3)),
        changes={kind: _changes(kind, strict) for kind in allowed},
        extras={kind: extras_for(revision, kind) for kind in allowed},
    )


def _plain_block(kind: str) -> tuple[Json, TextBuilder | None]:
    """The block that everything of its kind shrinks to."""
    if kind == "text":
        return {"type": "text", "text": ""}, TextBuilder(PLAIN_TEXTS[0])
    if kind == "resource_link":
        return {"type": "resource_link", "uri": URIS[0], "name": LINK_NAMES[0]}, None
    mime_type = _MEDIA_TYPES[kind][0]
    if kind == "resource.text":
        inner = {"uri": URIS[0], "mimeType": mime_type, "text": ""}
        return {"type": "resource", "resource": inner}, TextBuilder(PLAIN_TEXTS[0])
    data = base64_file_of(mime_type, 0)
    if kind == "resource.blob":
        inner = {"uri": URIS[0], "mimeType": mime_type, "blob": data}
        return {"type": "resource", "resource": inner}, None
    return {"type": kind, "data": data, "mimeType": mime_type}, None


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


def _change(
    draw: st.DrawFn, rules: Grammar, kind: str, names: list[str], block: Json, text: TextBuilder
) -> str:
    """Draw one change and make it; its name is returned."""
    menu = rules.changes[kind]
    size = len(menu) if names or menu[-1] != "slot" else len(menu) - 1
    change = menu[draw(index_into(size)) - 1]
    if change == "extra":
        extra = pick(draw, rules.extras[kind])
        target = block.setdefault(extra.where, {}) if extra.where else block
        target[extra.key] = fresh(extra.value)
    elif change == "piece":
        text.add(pick(draw, TEXTS))
    elif change == "free":
        text.add(draw_free(draw))
    elif change == "canary":
        text.add(draw_canary(draw, rules.sandboxed))
    elif change == "slot":
        text.add({"argument": pick(draw, names)})
    elif change == "other_bytes":
        mime_type = block.get("resource", block).get("mimeType", "")
        _set_bytes(block, base64_file_of(mime_type, 1))
    elif change == "no_bytes":
        _set_bytes(block, "")
    elif change != STOP:
        _loosen(block, change)
    return change


def draw_block(
    draw: st.DrawFn, rules: Grammar, kind: str, source: str, names: list[str]
) -> tuple[Json, bool]:
    """One content block of ``kind``, and whether it obeys the prose as well as the schema.

    ``source`` says where a text comes from (table, free, canary); ``names`` are the declared
    arguments, each of which may have a slot in a text.
    """
    block, text = _plain_block(kind)
    inner = block.get("resource", block)
    if kind in _MEDIA_TYPES:
        inner["mimeType"] = pick(draw, _MEDIA_TYPES[kind])
    if "uri" in inner:
        inner["uri"] = pick(draw, URIS)
    if kind == "resource_link":
        inner["name"] = pick(draw, LINK_NAMES)
    elif text is None:
        _set_bytes(block, base64_file_of(inner["mimeType"], 0))
    elif source == "free":
        text = TextBuilder(draw_free(draw))
    elif source == "canary":
        text = TextBuilder(draw_canary(draw, rules.sandboxed))
    else:
        text = TextBuilder(pick(draw, TEXTS))
    strict = True
    for _ in range(_MAX_CHANGES):
        change = _change(draw, rules, kind, names, block, text or TextBuilder(""))
        if change == STOP:
            break
        strict = strict and not change.startswith("loose.")
    if text is not None:
        inner["text"] = join_pieces(text.pieces)
    return block, strict


def draw_messages(
    draw: st.DrawFn, rules: Grammar, max_messages: int, names: list[str]
) -> tuple[list[Json], bool]:
    """The messages of a prompt, and whether all obey the prose as well as the schema."""
    messages: list[Json] = []
    strict = True
    for heads in (rules.first_heads, *[rules.next_heads] * (max_messages - 1)):
        kind, source, role = pick(draw, heads)
        if kind == STOP:
            break
        if kind == "nothing":
            return [], True
        block, obeys = draw_block(draw, rules, kind, source, names)
        strict = strict and obeys
        messages.append({"role": role, "content": block})
    if not messages:
        block, text = _plain_block(rules.kinds[0])
        if text is not None:
            block.get("resource", block)["text"] = PLAIN_TEXTS[0]
        messages.append({"role": "user", "content": block})
    return messages, strict
