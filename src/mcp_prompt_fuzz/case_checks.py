"""What a case must keep that its JSON Schema can't say."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from .case import kind_of
from .jsontypes import Json
from .rules import RULES

Path: TypeAlias = tuple[str | int, ...]

AUDIO_SINCE: Final = "2025-03-26"
LINK_SINCE: Final = "2025-06-18"
INPUT_SINCE: Final = "2026-07-28"

_MEDIA_TYPE: Final = re.compile(
    # RFC 9110, section 8.3.1: type "/" subtype *( OWS ";" OWS parameter ).
    r"[!#$%&'*+.^_`|~0-9A-Za-z-]+/[!#$%&'*+.^_`|~0-9A-Za-z-]+"
    r"([ \t]*;[ \t]*[!#$%&'*+.^_`|~0-9A-Za-z-]+="
    r"([!#$%&'*+.^_`|~0-9A-Za-z-]+|\"[^\"\\\x00-\x1f]*\"))*"
)
_URI: Final = re.compile(
    # RFC 3986, section 4.3 and appendix A, without the grammar of hosts.
    r"[A-Za-z][A-Za-z0-9+.-]*:(?:[A-Za-z0-9._~:/?#\[\]@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*"
)


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with a case, and where: member names and indices from its root."""

    path: Path
    text: str


def case_problems(data: Mapping[str, Any]) -> Iterator[Problem]:
    """Every problem of a case that its schema accepts, `edit` aside."""
    revision: str = data["revision"]
    strict: bool = data.get("strict", True)
    rule = data.get("rule")
    if rule is not None and rule not in RULES:
        yield Problem(("rule",), f"no such rule: {rule!r}")
    if "input" in data and revision < INPUT_SINCE:
        yield Problem(("input",), f"revision {revision} has no input_required")
    yield from _message_problems(data["messages"], ("messages",), revision, strict)
    # A prompt that only a changed listing holds tells a fresh listing from a stale one.
    least = 0 if "relist" in data else 1
    for member, own in (("pages", range(least, 2)), ("relist", range(1, 2))):
        if member in data:
            yield from _listing_problems(data[member], (member,), data, own)
    for name, server in data.get("beside", {}).items():
        path = ("beside", name, "pages")
        yield from _listing_problems(server["pages"], path, data, range(1))
    for index, earlier in enumerate(data.get("before", ())):
        for problem in case_problems(earlier):
            yield Problem(("before", index, *problem.path), problem.text)


def _listing_problems(
    pages: Sequence[Json], path: Path, data: Mapping[str, Any], own: range
) -> Iterator[Problem]:
    strict: bool = data.get("strict", True)
    cursors: set[str] = set()
    names: set[str] = set()
    held = 0
    for index, page in enumerate(pages):
        here = (*path, index)
        last = index == len(pages) - 1
        if last and "cursor" in page:
            yield Problem((*here, "cursor"), "the last page has no cursor")
        if not last and "cursor" not in page:
            yield Problem(here, "each page but the last has a cursor")
        if page.get("cursor") in cursors:
            yield Problem((*here, "cursor"), "the same cursor twice")
        cursors.update({page["cursor"]} if "cursor" in page else ())
        for position, offer in enumerate(page["prompts"]):
            there = (*here, "prompts", position)
            held += offer == "@"
            if offer != "@":
                messages = offer["messages"]
                yield from _message_problems(
                    messages, (*there, "messages"), data["revision"], strict
                )
            name = (data if offer == "@" else offer)["prompt"]["name"]
            if strict and name in names:
                yield Problem(there, f"prompt {name!r} twice on one server")
            names.add(name)
    if held not in own:
        wanted = '"@" stands exactly once in a listing' if 1 in own else '"@" has no place here'
        yield Problem(path, f"{wanted}, found {held} times")


def _message_problems(
    messages: Sequence[Json], path: Path, revision: str, strict: bool
) -> Iterator[Problem]:
    for index, message in enumerate(messages):
        content = message["content"]
        here = (*path, index, "content")
        kind = kind_of(content)
        if kind == "audio" and revision < AUDIO_SINCE:
            yield Problem(here, f"revision {revision} has no audio")
        if kind == "resource_link" and revision < LINK_SINCE:
            yield Problem(here, f"revision {revision} has no resource_link")
        if strict:
            yield from _prose_problems(content, here)


def _prose_problems(content: Json, path: Path) -> Iterator[Problem]:
    """Where a content block breaks what the specification says in words only."""
    holder: Json = content
    if content["type"] == "resource":
        holder, path = content["resource"], (*path, "resource")
        if "text" in holder and "blob" in holder:
            yield Problem(path, "holds both text and blob")
    # "Embedded resources MUST include an appropriate MIME type", but the schema makes it
    # optional: where the specification is at odds with itself, a case may go either way.
    if "mimeType" in holder and not _MEDIA_TYPE.fullmatch(holder["mimeType"]):
        yield Problem((*path, "mimeType"), f"no media type (RFC 9110): {holder['mimeType']!r}")
    if "uri" in holder and not _URI.fullmatch(holder["uri"]):
        yield Problem((*path, "uri"), f"no URI (RFC 3986): {holder['uri']!r}")
    for member in ("data", "blob"):
        if member in holder and not _is_base64(holder[member]):
            yield Problem((*path, member), "not base64 (RFC 4648, section 4)")


def _is_base64(text: str) -> bool:
    """Whether it is the one spelling that section 4 of RFC 4648 gives to some bytes."""
    try:
        decoded = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return False
    return base64.b64encode(decoded).decode("ascii") == text
