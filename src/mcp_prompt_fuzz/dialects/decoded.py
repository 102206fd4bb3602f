"""What decoding a provider's request gives, and the small steps that every dialect shares."""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import unquote_to_bytes

from mcp_prompt_fuzz.transcript import Part, PartKind, Transcript, text_part

_DATA_URI: Final = re.compile(
    r"data:(?P<type>[^,;]*)(?P<parameters>(?:;[^,;]*)*),(?P<data>.*)", re.S
)


class DialectError(ValueError):
    """The body isn't a request of that dialect; the message says where it stops being one."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """The transcript that a request holds, and what its provider would reject in it."""

    turns: Transcript
    notes: tuple[str, ...] = ()


@dataclass(slots=True)
class Notes:
    """Collects notes for the rule `provider`, each once, in order.

    They name forms, never content, so that the same fault reads the same in every case.
    """

    seen: dict[str, None] = field(default_factory=dict)

    def add(self, note: str) -> None:
        self.seen.setdefault(note)

    def add_misplaced(self, what: str, role: str | None) -> None:
        """Note what a message of that role can't hold."""
        article = "an" if role == "assistant" else "a"
        self.add(f"{what} in {article} {role or 'nameless'} message")

    def __iter__(self) -> Iterator[str]:
        return iter(self.seen)


def expect_object(value: object, where: str) -> dict[str, Any]:
    """`value` as a JSON object. Raises `DialectError`."""
    if not isinstance(value, dict):
        raise DialectError(f"{where}: an object was expected, not {_kind_name(value)}")
    return value


def expect_list(value: object, where: str) -> list[Any]:
    """`value` as a JSON array. Raises `DialectError`."""
    if not isinstance(value, list):
        raise DialectError(f"{where}: an array was expected, not {_kind_name(value)}")
    return value


def _kind_name(value: object) -> str:
    if value is None:
        return "nothing"
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "an array"
    return "a string" if isinstance(value, str) else "a scalar"


def text_of(value: object) -> str | None:
    """A string as it is, None for anything else."""
    return value if isinstance(value, str) else None


def decode_base64(data: object, notes: Notes, what: str) -> bytes:
    """The bytes of a base64 string.

    Line breaks, the URL-safe alphabet and missing padding are read as meant; what no reader could
    decode is noted and kept as its characters, so that it still differs from other content.
    """
    if not isinstance(data, str):
        notes.add(f"{what}: data that is not a string")
        return b""
    with suppress(ValueError):
        return binascii.a2b_base64(data, strict_mode=True)  # as almost everybody spells it
    compact = "".join(data.split()).translate(str.maketrans("-_", "+/")).rstrip("=")
    try:
        return base64.b64decode(compact + "=" * (-len(compact) % 4), validate=True)
    except (binascii.Error, ValueError):
        notes.add(f"{what}: data that is not base64")
        return data.encode("utf-8", "surrogatepass")


def media_kind(media_type: str | None) -> PartKind:
    """The kind of a part that holds bytes of that media type."""
    major = (media_type or "").partition("/")[0].strip().lower()
    if major == "image":
        return "image"
    return "audio" if major == "audio" else "file"


def media_part(
    data: bytes, media_type: str | None, kind: PartKind | None = None, **told: Any
) -> Part:
    """A part that holds bytes. `kind` is that of the media type unless told."""
    return Part(kind=kind or media_kind(media_type), data=data, media_type=media_type, **told)


def url_part(
    url: object, notes: Notes, what: str, *, kind: PartKind | None = None, **told: Any
) -> Part:
    """The part that a URL stands for: native media for a data URI, a link for any other."""
    if not isinstance(url, str):
        notes.add(f"{what}: a URL that is not a string")
        return unknown_part(url)
    if url[:5].lower() != "data:":
        return Part(kind="link", uri=url, **told)
    found = _DATA_URI.fullmatch("data:" + url[5:])
    if found is None:
        notes.add(f"{what}: a data URI without data")
        return Part(kind="link", uri=url, **told)
    parameters = [p for p in found["parameters"].split(";") if p]
    encoded = bool(parameters) and parameters[-1].strip().lower() == "base64"
    kept = parameters[:-1] if encoded else parameters
    media_type = ";".join([found["type"], *kept]) or None
    if encoded:
        data = decode_base64(found["data"], notes, what)
    else:
        notes.add(f"{what}: a data URI without base64")
        data = unquote_to_bytes(found["data"].encode("utf-8", "surrogatepass"))
        data = _base64_all_the_same(data)
    if not found["type"]:
        notes.add(f"{what}: a data URI without a media type")
    return media_part(data, media_type, kind, **told)


def _base64_all_the_same(data: bytes) -> bytes:
    """The bytes that a payload stands for if it is base64, though nothing says that it is."""
    try:
        return base64.b64decode(data, validate=True) if len(data) >= _TELLING else data
    except ValueError:
        return data


_TELLING: Final = 16
"""So many characters of base64 are no text by chance."""


def users_alone(part: Part, role: str | None, notes: Notes) -> Part:
    """The part, noted where it is no text and stands in a message that isn't the user's."""
    if part.kind != "text" and role != "user":
        notes.add_misplaced(part.kind, role)
    return part


def content_parts(
    content: Any, notes: Notes, read: Callable[[Any], Iterable[Part]]
) -> Iterator[Part]:
    """The parts of a content that is a string, or an array whose pieces `read` reads."""
    if isinstance(content, str):
        yield text_part(content)
        return
    if not isinstance(content, list):
        notes.add("content that is neither a string nor an array")
        if content is not None:
            yield unknown_part(content)
        return
    for piece in content:
        yield from read(piece)


def unknown_part(value: object) -> Part:
    """Something that the dialect has no name for: its text if it has one, else its JSON."""
    if isinstance(value, str):
        return text_part(value)
    if isinstance(value, dict) and isinstance(value.get("text"), str):
        return text_part(value["text"])
    return text_part(json.dumps(value, ensure_ascii=False, sort_keys=True))
