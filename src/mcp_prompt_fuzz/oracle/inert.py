"""`inert`: prompt text is data, so that the client neither runs nor expands it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from hypothesis_mcp.canaries import CANARIES, Canary

from ..case import template_text, with_text
from ..finding import Fault
from ..jsontypes import Json
from .atoms import all_text
from .found import Found
from .sight import Suspect, literal_text, with_content

_HARM: Final = {"shell": "ran", "mention": "read"}
_LONGEST_FIRST: Final = sorted(CANARIES, key=lambda canary: -len(canary.text))


def canaries_in(text: str) -> Iterator[Canary]:
    """The canaries that the text holds, longest first: a shorter one may be part of a longer."""
    return (canary for canary in _LONGEST_FIRST if canary.text in text)


def acted(suspect: Suspect) -> Found | None:
    """The fault of a canary whose effect is seen: it was run, or a file was read for it."""
    literal = literal_text(suspect.case.messages[suspect.message]["content"])
    harmful = [c for c in canaries_in(literal) if c.aspect in _HARM and c.evidence.strip()]
    if not harmful:
        return None  # before anything is read through that grows with the whole rendering
    seen = all_text(suspect.rendering.turns) + suspect.rendering.shown
    known = suspect.sight.twin_text + literal
    for canary in harmful:
        evidence = canary.evidence.strip()
        if evidence in suspect.rendering.ran or (evidence in seen and evidence not in known):
            grade = _HARM[canary.aspect]
            done = "run by the client" if grade == "ran" else "taken for a file to read"
            return _found(suspect, canary, f"prompt text is {done}", grade=grade)
    return None


def consumed(suspect: Suspect, sent: str, seen: str) -> Found | None:
    """The fault of a canary that is gone from the text, which arrives once it is disarmed."""
    content = suspect.case.messages[suspect.message]["content"]
    for canary in canaries_in(literal_text(content)):
        if seen.count(canary.text) >= sent.count(canary.text):
            continue
        disarmed = with_content(suspect.case, suspect.message, _disarmed(content, canary))
        if suspect.sight.explains(disarmed, suspect.sight.lens.look(disarmed)):
            note = f"{canary.text!r} in prompt text is expanded, as if the user had typed it"
            return _found(suspect, canary, note, sent=sent, seen=seen)
    return None


def _found(
    suspect: Suspect,
    canary: Canary,
    note: str,
    *,
    grade: str = "",
    sent: str | None = None,
    seen: str | None = None,
) -> Found:
    return Found(
        Fault("inert", aspect=canary.aspect),
        note,
        suspect.message,
        sent=sent,
        seen=seen,
        grade=grade,
    )


def _disarmed(content: Json, canary: Canary) -> Json:
    text = template_text(content) or ""
    if isinstance(text, str):
        return with_text(content, text.replace(canary.text, canary.disarmed))
    return with_text(
        content,
        [
            piece.replace(canary.text, canary.disarmed) if isinstance(piece, str) else piece
            for piece in text
        ],
    )
