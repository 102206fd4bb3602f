"""From what a renderer answers to a rendering.

The forms of the contract ("Line protocol", "`python:` renderers") serve functions and drivers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ..dialects import DialectError, decode
from ..dialects.decoded import Notes, decode_base64
from ..formats import FormatError, check
from ..jsontypes import Json
from ..rendering import Breakage, Rendering
from ..transcript import Part, Transcript, Turn, text_part
from .reply_shape import is_plainly_right

FORMS: Final = ("messages", "text", "dialect", "error", "captured", "unsupported")
"""A reply holds exactly one of these members."""


def decode_reply(reply: object, captured: Callable[[], Rendering] | None = None) -> Rendering:
    """The rendering that a reply stands for; a bad one is broken with `garbage`.

    `captured` gives what the model endpoint received, for `{"captured": true}`; None where there
    is no such endpoint.
    """
    try:
        return _decode(reply, captured)
    except FormatError as error:
        return garbage(f"reply: {error}")
    except DialectError as error:
        return garbage(f"reply: $.body: {error}")


def garbage(detail: str) -> Rendering:
    """A rendering that failed because what came back could not be read."""
    return Rendering(broke=Breakage("garbage", detail))


def _decode(reply: object, captured: Callable[[], Rendering] | None) -> Rendering:
    if not is_plainly_right(reply):
        check(reply, "line-reply")
    assert isinstance(reply, dict)  # the schema says so
    forms = [form for form in FORMS if form in reply]
    if len(forms) != 1:
        found = f"found {' and '.join(forms)}" if forms else "found none"
        raise FormatError("", "$", f"a reply holds one of {', '.join(FORMS)}: {found}")
    shown: str = reply.get("shown", "")
    match forms[0]:
        case "messages":
            return Rendering(turns=_turns(reply["messages"]), shown=shown)
        case "text":
            return Rendering(turns=(Turn(None, (text_part(reply["text"]),)),), shown=shown)
        case "dialect":
            decoded = decode(reply["dialect"], reply["body"])
            return Rendering(
                turns=decoded.turns,
                shown=shown,
                dialect=reply["dialect"],
                provider_notes=decoded.notes,
            )
        case "error":
            return Rendering(error=reply["error"], shown=shown)
        case "unsupported":
            return Rendering(unsupported=reply["unsupported"], shown=shown)
    if captured is None:
        raise FormatError("", "$.captured", "this renderer was given no model endpoint")
    return captured()


def _turns(messages: list[Json]) -> Transcript:
    return tuple(Turn(m["role"], _parts(m["content"])) for m in messages)


def _parts(content: str | list[Json]) -> tuple[Part, ...]:
    if isinstance(content, str):
        return (text_part(content),)
    return tuple(_part(part) for part in content)


def _part(part: Json) -> Part:
    if part["type"] == "text":
        return text_part(part["text"])
    told = part.get
    return Part(
        kind=part["type"],
        # Any spelling of base64 is read: how bytes are spelt is no matter between us.
        data=decode_base64(part["data"], Notes(), "") if part["type"] != "link" else b"",
        media_type=told("mimeType"),
        uri=told("uri"),
        name=told("name"),
        title=told("title"),
        description=told("description"),
        size=told("size"),
    )
