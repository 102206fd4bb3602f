"""What became of each part, seen on the twin: the five content rules, `text.verbatim`, `audience`.

On the twin every content stands once, so that its absence is a fact. How bad the absence is, three
edits tell: a part that can't be told from a blank one or from none is lost; one that can't be told
from other bytes is announced; otherwise something of it arrived, altered.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from ..case import Case, with_text
from ..finding import Fault, Level
from ..jsontypes import Json, without
from ..reference import data_of
from ..transcript import Transcript
from .atoms import all_text, atoms
from .found import Found
from .sight import Sight, audience_of, may_be_withheld, with_content
from .tokens import TOKEN, token
from .twin import encoded_file, plain_uri

SPARE: Final = 4000
"""Indices of tokens from here on are never used by a twin: they are for its variants."""


def rule_of(kind: str) -> str:
    """The rule that guards a kind."""
    return "text.verbatim" if kind == "text" else kind


def check(sight: Sight) -> Iterator[Found]:
    """Every part of the twin whose content does not arrive whole."""
    for message in sight.judged:
        if sight.arrives(message) or may_be_withheld(sight.case.messages[message]):
            continue
        yield absent(sight, message)


def absent(sight: Sight, message: int) -> Found:
    """The fault of a part whose content does not stand in the twin's rendering."""
    kind = sight.kind(message)
    if audience_of(sight.case.messages[message]) is not None:
        unmarked = _without_audience(sight.twin.case, message)
        if _token_arrives(sight, unmarked, message):
            note = f"the {kind} part is withheld because of its audience annotation"
            return Found(Fault("audience"), note, message, rendering=sight.twin_rendering)
    level, aspect = level_of_absence(sight, message)
    found = Found(
        Fault(rule_of(kind), kind, level, aspect),
        _NOTES[level].format(kind=kind),
        message,
        rendering=sight.twin_rendering,
    )
    return _folded(sight, message, found) if level == "lost" else found


_NOTES: dict[Level, str] = {
    "lost": "the {kind} part is gone: blank or absent, the rendering would be the same",
    "announced": "the {kind} part's content is gone; only that something was there can be told",
    "altered": "the {kind} part arrives changed",
}


def level_of_absence(sight: Sight, message: int) -> tuple[Level, str | None]:
    """How bad it is that the content of that message is absent, and its aspect if it was altered.

    At most three renderings beyond the twin's.
    """
    hole = sight.main_hole(message)
    assert hole is not None, "only judged messages can be absent"
    if sight.template.found.get(hole):
        return "altered", "other"
    twin = sight.twin.case
    if sight.alike(blanked(twin, message)) or sight.alike(twin.without_message(message)):
        return "lost", None
    if sight.alike(other_content(sight, message)):
        return "announced", None
    return "altered", _aspect_of_bytes(sight, message)


def blanked(case: Case, message: int) -> Case:
    """The case with an empty text in the place of that part."""
    return with_content(case, message, {"type": "text", "text": ""})


def other_content(sight: Sight, message: int) -> Case:
    """The twin with other content of the same kind, type and length in that message."""
    twin = sight.twin.case
    content: Json = dict(twin.messages[message]["content"])
    word = token(0, SPARE + message % 90)
    hole = sight.main_hole(message)
    assert hole is not None
    if hole.field == "text":
        content = with_text(content, word)
    elif hole.field == "uri":
        content["uri"] = plain_uri(content["uri"], word)
    else:
        content = _with_other_bytes(content)
    return with_content(twin, message, content)


def _with_other_bytes(content: Json) -> Json:
    number = int.from_bytes(data_of(content)[-3:], "big") | 1 << 26
    if "resource" in content:
        document = content["resource"]
        media_type = document.get("mimeType") or "application/octet-stream"
        return {**content, "resource": {**document, "blob": encoded_file(media_type, number)}}
    return {**content, "data": encoded_file(content["mimeType"], number)}


def _without_audience(case: Case, message: int) -> Case:
    content = dict(case.messages[message]["content"])
    content["annotations"] = without(content["annotations"], "audience")
    return with_content(case, message, content)


def _token_arrives(sight: Sight, variant: Case, message: int) -> bool:
    rendering = sight.lens.look(variant)
    hole = sight.main_hole(message)
    if not rendering.sent or hole is None:
        return False
    if hole.anchor:
        return hole.anchor in all_text(rendering.turns)
    data = data_of(variant.messages[message]["content"])
    return _bytes_stand(data, rendering.turns)


def _bytes_stand(data: bytes, turns: Transcript) -> bool:
    encoded = base64.b64encode(data).decode("ascii")
    return any(
        value == data or (isinstance(value, str) and encoded in value) for _, value in atoms(turns)
    )


def _aspect_of_bytes(sight: Sight, message: int) -> str:
    """What kind of alteration left some, but not all, of the content."""
    hole = sight.main_hole(message)
    turns = sight.twin_rendering.turns
    text = all_text(turns)
    if hole is None or hole.field != "data":
        anchor = hole.anchor if hole else ""
        cut = any(anchor[:length] in text for length in range(len(anchor) - 1, 3, -1))
        if anchor.upper() in text or anchor.title() in text:
            return "case"
        return "truncate" if cut else "other"
    data = data_of(sight.twin.case.messages[message]["content"])
    encoded = base64.b64encode(data).decode("ascii")
    for _, value in atoms(turns):
        if isinstance(value, bytes) and value and value != data and data.startswith(value):
            return "truncate"
    if any(encoded[:length] in text for length in range(len(encoded) - 1, 11, -1)):
        return "truncate"
    replaced = data.decode("utf-8", "replace")
    if replaced in text or data.decode("latin-1") in text:
        return "decoded"
    return "other"


def _folded(sight: Sight, message: int, found: Found) -> Found:
    """The finding about `any` part, if another kind in the same place is lost as well."""
    kind = sight.kind(message)
    twin = sight.twin.case
    word = token(0, SPARE + 91)
    if kind == "text":
        probe: Json = {
            "type": "image",
            "data": encoded_file("image/png", 1 << 25),
            "mimeType": "image/png",
        }
    else:
        probe = {"type": "text", "text": word}
    annotations = twin.messages[message]["content"].get("annotations")
    if annotations is not None:
        probe["annotations"] = annotations
    rendering = sight.lens.look(with_content(twin, message, probe))
    if not rendering.sent:
        return found
    stands = (
        _bytes_stand(data_of(probe), rendering.turns)
        if kind == "text"
        else word in all_text(rendering.turns)
    )
    if stands:
        return found
    note = "a part in this place is gone, whatever its kind"
    fault = Fault("text.verbatim", "any", "lost")
    return replace(found, fault=fault, note=note, kinds=(kind,))


def tokens_in(text: str) -> set[str]:
    """Every token, of whatever twin, that stands in the text."""
    return set(TOKEN.findall(text))
