"""`metadata`: media type, URI, name, title, description and size stay known where the part is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from ..finding import Fault
from .found import Found
from .pieces import Occurrence
from .sight import Sight, may_be_withheld

_ALIASES: Final = {
    "image/jpg": "image/jpeg",
    "image/pjpeg": "image/jpeg",
    "image/x-png": "image/png",
    "audio/mp3": "audio/mpeg",
    "audio/x-wav": "audio/wav",
    "audio/wave": "audio/wav",
    "audio/vnd.wave": "audio/wav",
    "audio/x-flac": "audio/flac",
    "audio/x-m4a": "audio/mp4",
    "application/x-pdf": "application/pdf",
    "text/xml": "application/xml",
}
_GENERIC: Final = {None, "", "application/octet-stream"}
_DATA_URI: Final = re.compile(r"data:([^,;\s]*)[^,]*,\Z")


def bare_type(media_type: str) -> str:
    """The media type in lower case, without parameters, under its usual name."""
    bare = media_type.split(";", maxsplit=1)[0].strip().lower()
    return _ALIASES.get(bare, bare)


def agrees(told: str, sent: str) -> bool:
    """Whether the told media type is the one that was sent, however it is spelled."""
    told_bare, sent_bare = bare_type(told), bare_type(sent)
    subtype = sent_bare.partition("/")[2].removeprefix("x-")
    return told_bare in (sent_bare, subtype) or _ALIASES.get(f"audio/{told_bare}") == sent_bare


def check(sight: Sight) -> Iterator[Found]:
    """What stood beside a part and is absent, or contradicted, where the part arrives."""
    for message in sight.judged:
        spots = sight.whole(message)
        if not spots or may_be_withheld(sight.case.messages[message]):
            continue
        content = sight.twin.case.messages[message]["content"]
        yield from _labels(sight, message, content)
        yield from _media_type(sight, message, content, spots)


def _found(sight: Sight, message: int, member: str, level: str) -> Found:
    kind = sight.kind(message)
    what = "is absent" if level == "lost" else "is contradicted"
    fault = Fault("metadata", kind, level, member)  # type: ignore[arg-type]
    note = f"the {member} of the {kind} part {what}"
    return Found(fault, note, message)


def _labels(sight: Sight, message: int, content: dict[str, Any]) -> Iterator[Found]:
    for hole in sight.twin.label_holes(message):
        if not sight.template.found.get(hole):
            yield _found(sight, message, hole.field, "lost")
    size = content.get("size")
    if size is not None and not _says(sight, str(size)):
        yield _found(sight, message, "size", "lost")


def _says(sight: Sight, text: str) -> bool:
    turns = sight.twin_rendering.turns
    if any(part.size is not None and str(part.size) == text for t in turns for part in t.parts):
        return True
    return re.search(rf"(?<!\d){re.escape(text)}(?!\d)", sight.twin_text) is not None


def _media_type(
    sight: Sight, message: int, content: dict[str, Any], spots: list[Occurrence]
) -> Iterator[Found]:
    sent = content.get("resource", content).get("mimeType")
    if not sent:
        return
    told = [t for spot in spots if (t := _told_type(sight, spot)) not in _GENERIC]
    if any(agrees(t, sent) for t in told if t):
        return
    if bare_type(sent) in sight.twin_text_folded or sent.lower() in sight.twin_text_folded:
        return
    if told and not _document_as_text(told, sent):
        yield _found(sight, message, "mimeType", "altered")
    else:
        yield _found(sight, message, "mimeType", "lost")


def _document_as_text(told: list[str | None], sent: str) -> bool:
    """A document of a text type that is handed on as plain text is no contradiction."""
    return all(t == "text/plain" for t in told) and "image" not in sent and "audio" not in sent


def _told_type(sight: Sight, spot: Occurrence) -> str | None:
    part = sight.twin_rendering.turns[spot.place.turn].parts[spot.place.part]
    if part.kind != "text":
        return part.media_type
    written = _DATA_URI.search(spot.before)
    return written[1] if written else None
