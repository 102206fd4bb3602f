"""What became of each part, seen on the twin: the five content rules, `text.verbatim`, `audience`.

On the twin every content stands once, so that its absence is a fact. How bad the absence is, three
edits tell: a part that can't be told from a blank one or from none is lost; one that can't be told
from other bytes is announced; otherwise something of it arrived, altered.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator
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
    absent = [
        message
        for message in sight.judged
        if not sight.arrives(message) and not may_be_withheld(sight.case.messages[message])
    ]
    withheld = {message for message in absent if _is_withheld(sight, message)}
    levels = levels_of_absence(sight, [m for m in absent if m not in withheld])
    folded = _taken_whatever_the_kind(sight, [m for m in levels if levels[m][0] == "lost"])
    for message in absent:
        kind = sight.kind(message)
        if message in withheld:
            fault = Fault("audience")
            note = f"the {kind} part is withheld because of its audience annotation"
        elif message in folded:
            fault = Fault("text.verbatim", "any", "lost")
            note = "a part in this place is gone, whatever its kind"
        else:
            level, aspect = levels[message]
            fault = Fault(rule_of(kind), kind, level, aspect)
            note = _NOTES[level].format(kind=kind)
        kinds = (kind,) if message in folded else ()
        yield Found(fault, note, message, kinds=kinds)


def _is_withheld(sight: Sight, message: int) -> bool:
    """Whether the part arrives once its annotations name no audience."""
    if audience_of(sight.case.messages[message]) is None:
        return False
    return _token_arrives(sight, _without_audience(sight.twin.case, message), message)


_NOTES: dict[Level, str] = {
    "lost": "the {kind} part is gone: blank or absent, the rendering would be the same",
    "announced": "the {kind} part's content is gone; only that something was there can be told",
    "altered": "the {kind} part arrives changed",
}


def levels_of_absence(sight: Sight, absent: list[int]) -> dict[int, tuple[Level, str | None]]:
    """How bad it is that the contents of those messages are absent, and the aspect if altered.

    All of them are made blank at once, then each alone if that can be told.
    """
    levels: dict[int, tuple[Level, str | None]] = {}
    unknown = []
    for message in absent:
        hole = sight.main_hole(message)
        if hole is not None and sight.template.found.get(hole):
            levels[message] = ("altered", "other")
        else:
            unknown.append(message)
    blank = sight.twin.case
    for message in unknown:
        blank = blanked(blank, message)
    if unknown and sight.alike(blank):
        return levels | dict.fromkeys(unknown, ("lost", None))
    for message in unknown:
        levels[message] = _level_alone(sight, message)
    return levels


def _level_alone(sight: Sight, message: int) -> tuple[Level, str | None]:
    twin = sight.twin.case
    if sight.alike(blanked(twin, message)) or sight.alike(twin.without_message(message)):
        return "lost", None
    aspect = _aspect_of_bytes(sight, message)
    if aspect == "other" and sight.alike(other_content(sight, message)):
        return "announced", None
    return "altered", aspect


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
    if "resource" in content:
        document = content["resource"]
        media_type = document.get("mimeType") or "application/octet-stream"
        other = _other_file(media_type, document["blob"])
        return {**content, "resource": {**document, "blob": other}}
    return {**content, "data": _other_file(content["mimeType"], content["data"])}


def _other_file(media_type: str, encoded: str) -> str:
    """Another file of that type, of the same length: some hold their number in decimal digits."""
    numbers = [digit * 10**zeros for zeros in range(8) for digit in (7, 8)]
    others = [encoded_file(media_type, number) for number in numbers]
    return min(
        (other for other in others if other != encoded),
        key=lambda other: abs(len(other) - len(encoded)),
    )


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
    return bytes_stand(data, rendering.turns)


def bytes_stand(data: bytes, turns: Transcript) -> bool:
    encoded = base64.b64encode(data).decode()
    return any(
        value == data or (isinstance(value, str) and encoded in value) for _, value in atoms(turns)
    )


def _aspect_of_bytes(sight: Sight, message: int) -> str:
    """What kind of alteration left some, but not all, of the content."""
    hole = sight.main_hole(message)
    turns, text = sight.twin_rendering.turns, sight.twin_text
    if hole is None or hole.field != "data":
        anchor = hole.anchor if hole else ""
        rest = TOKEN.sub("", text)  # tokens of one twin begin alike
        cut = any(anchor[:length] in rest for length in range(len(anchor) - 1, 3, -1))
        if anchor.upper() in text or anchor.title() in text:
            return "case"
        return "truncate" if cut else "other"
    data = data_of(sight.twin.case.messages[message]["content"])
    encoded = base64.b64encode(data).decode()
    for _, value in atoms(turns):
        if isinstance(value, bytes) and value and value != data and data.startswith(value):
            return "truncate"
    if any(encoded[:length] in text for length in range(len(encoded) - 1, 11, -1)):
        return "truncate"
    replaced = data.decode(errors="replace")
    if replaced in text or data.decode("latin-1") in text:
        return "decoded"
    return "other"


def _taken_whatever_the_kind(sight: Sight, lost: list[int]) -> set[int]:
    """Those of the lost parts in whose place a part of another kind is lost as well.

    A text is tried in the place of each other part, an image in the place of a text.
    """
    variant = sight.twin.case
    for message in lost:
        annotations = variant.messages[message]["content"].get("annotations")
        probe = _probe(sight, message)
        if annotations is not None:
            probe["annotations"] = annotations
        variant = with_content(variant, message, probe)
    rendering = sight.lens.look(variant) if lost else sight.twin_rendering
    if not rendering.sent:
        return set()
    text = all_text(rendering.turns)
    return {
        message
        for message in lost
        if (
            not bytes_stand(data_of(_probe(sight, message)), rendering.turns)
            if sight.kind(message) == "text"
            else _probe(sight, message)["text"] not in text
        )
    }


def _probe(sight: Sight, message: int) -> Json:
    if sight.kind(message) != "text":
        return {"type": "text", "text": token(0, SPARE + message % 90)}
    image = encoded_file("image/png", (1 << 25) + message)
    return {"type": "image", "data": image, "mimeType": "image/png"}


def tokens_in(text: str) -> set[str]:
    """Every token, of whatever twin, that stands in the text."""
    return set(TOKEN.findall(text))
