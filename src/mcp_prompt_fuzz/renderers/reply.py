"""From what a renderer answers to a rendering.

The forms of the contract ("Line protocol", "`python:` renderers") serve functions and drivers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ..dialects import DialectError, decode
from ..formats import FormatError, check
from ..rendering import Breakage, Rendering
from .plain_reply import Unusual, read_plainly

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
    try:
        return read_plainly(reply)
    except Unusual:
        check(reply, "line-reply")
    assert isinstance(reply, dict)  # the schema says so
    forms = [form for form in FORMS if form in reply]
    if len(forms) != 1:
        found = f"found {' and '.join(forms)}" if forms else "found none"
        raise FormatError("", "$", f"a reply holds one of {', '.join(FORMS)}: {found}")
    (form,) = forms
    shown: str = reply.get("shown", "")
    if form == "dialect":
        decoded = decode(reply["dialect"], reply["body"])
        return Rendering(
            turns=decoded.turns,
            shown=shown,
            dialect=reply["dialect"],
            provider_notes=decoded.notes,
        )
    if form == "captured":
        if captured is None:
            raise FormatError("", "$.captured", "this renderer was given no model endpoint")
        return captured()
    # Members that nobody knows stood beside it.
    return read_plainly({form: reply[form], "shown": shown})
