"""What a faulty fake states about itself, and its smallest cases written by hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from hypothesis_mcp.media import base64_file_of
from mcp_prompt_fuzz.case import NEWEST_REVISION, Case
from mcp_prompt_fuzz.finding import Level
from mcp_prompt_fuzz.jsontypes import Json

from .renderers import Fake


@dataclass(frozen=True)
class FaultyFake:
    """A faithful shape with one thing wrong.

    `rule` is the one that it breaks, at `level` and on `part` (None: any); `aspects` are those
    that the finding may have (empty: any). `also` are other rules that it truly breaks.
    `smallest` is the smallest case that shows it, None where there is none to be had (a fault
    that comes and goes). `part` and `level` None: not stated.
    """

    make: Fake
    rule: str
    smallest: Case | None
    aspects: tuple[str | None, ...] = ()
    part: str | None = None
    level: Level | None = None
    also: frozenset[str] = frozenset()
    flaky: bool = False


def case(*messages: Json, **members: Any) -> Case:
    """A case that holds nothing but these messages and members."""
    return Case(
        "by hand", NEWEST_REVISION, members.pop("prompt", {"name": "p"}), messages, **members
    )


def said(words: Any, role: str = "user", **members: Any) -> Json:
    """A message that says this text."""
    return {"role": role, "content": {"type": "text", "text": words, **members}}


def shown(
    media_type: str = "image/png", role: str = "user", number: int = 0, **members: Any
) -> Json:
    """A message with an image or a sound."""
    kind = media_type.partition("/")[0].lower()
    data = base64_file_of(media_type, number)
    return {
        "role": role,
        "content": {"type": kind, "data": data, "mimeType": media_type, **members},
    }


def document(words: str, role: str = "user", **members: Any) -> Json:
    """A message with a text document."""
    resource = {"uri": "file:///a", "text": words, **members}
    return {"role": role, "content": {"type": "resource", "resource": resource}}


def blob(media_type: str | None = None, role: str = "user", number: int = 0) -> Json:
    """A message with a binary document, of no stated type unless told."""
    data = base64_file_of(media_type or "application/octet-stream", number)
    told = {} if media_type is None else {"mimeType": media_type}
    resource = {"uri": "file:///a", "blob": data, **told}
    return {"role": role, "content": {"type": "resource", "resource": resource}}


def link(role: str = "user", **members: Any) -> Json:
    """A message with a link."""
    content = {"type": "resource_link", "uri": "file:///a", "name": "a", **members}
    return {"role": role, "content": content}


def asking(
    *declared: str,
    given: Mapping[str, str] | None = None,
    required: Iterable[str] = (),
    messages: Iterable[Json] = (),
) -> Case:
    """A case with those arguments, and the values that are given."""
    needed = set(required)
    arguments = [{"name": n, **({"required": True} if n in needed else {})} for n in declared]
    prompt = {"name": "p", "arguments": arguments}
    return case(*messages, prompt=prompt, arguments=dict(given or {}))
