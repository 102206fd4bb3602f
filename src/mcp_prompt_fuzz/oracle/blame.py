"""Which part is to blame where the case's own rendering is not its twin's with other content.

One hybrid per part, the twin with that part real: its hole then holds exactly what was made of the
part. Only where no single part is guilty are they taken together.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ..case import template_text, with_text
from ..finding import Fault, Level
from ..rendering import Rendering
from .alteration import aspect_of, has_visible
from .atoms import all_text, atoms
from .found import Found
from .inert import acted, consumed
from .presence import blanked, rule_of
from .sight import Sight, Suspect, may_be_withheld, with_content
from .spelling import data_spellings, label_spellings
from .twin import hybrid

_SHORT: Final = 4
"""A content with fewer visible characters may stand anywhere by chance."""


def is_called_for(sight: Sight) -> bool:
    """Whether the case's rendering isn't its twin's, or shows that some text was acted upon."""
    if not sight.explains(sight.case, sight.rendering):
        return True
    return any(
        acted(Suspect(sight, message, sight.case, sight.rendering)) is not None
        for message in sight.judged
        if sight.has_text(message)
    )


def check(sight: Sight) -> Iterator[Found]:
    """The parts whose content is altered in the case, though it arrives in the twin."""
    guilty = False
    for message in sight.judged:
        if not _is_suspect(sight, message):
            continue
        mixed = hybrid(sight.twin, {message})
        for found in _judge(Suspect(sight, message, mixed, sight.lens.look(mixed))):
            guilty = True
            yield found
    if not guilty:
        yield from _together(sight)


def _is_suspect(sight: Sight, message: int) -> bool:
    """Whether the part arrives in the twin, and differs from the twin's."""
    real, plain = sight.case.messages[message], sight.twin.case.messages[message]
    return real != plain and sight.arrives(message) and not may_be_withheld(real)


def _was_sent_empty(suspect: Suspect) -> bool:
    """Whether the server had nothing to send here, for the arguments that it received."""
    content = suspect.content(suspect.hole)
    return isinstance(content, tuple) and "" in content


def _judge(suspect: Suspect) -> Iterator[Found]:
    rendering = suspect.rendering
    if rendering.error is not None:
        note = f"this {suspect.kind} part makes the renderer refuse the whole prompt"
        yield _found(suspect, "refused", note=note)
        return
    if not rendering.sent or _was_sent_empty(suspect):
        return
    harm = acted(suspect)
    if harm is not None:
        yield harm
    elif not suspect.sight.explains(suspect.case, rendering):
        caught = suspect.caught(suspect.hole)
        if caught is None:
            yield from _beyond_the_hole(suspect)
        elif not _is_right(suspect, caught):
            yield from _altered(suspect, caught)
        else:
            yield from _labels(suspect)


def _is_right(suspect: Suspect, caught: str | bytes) -> bool:
    content = suspect.content(suspect.hole)
    if isinstance(content, bytes):
        return caught == content or caught in data_spellings(content).values()
    if suspect.hole.field == "text":
        return caught in content
    return any(caught in label_spellings(text) for text in content)


def _altered(suspect: Suspect, caught: str | bytes) -> Iterator[Found]:
    content = suspect.content(suspect.hole)
    if isinstance(content, bytes) or isinstance(caught, bytes):
        cut = isinstance(caught, bytes) and isinstance(content, bytes) and caught in content
        yield _found(suspect, "altered", "truncate" if cut else "other")
    else:
        yield _changed(suspect, content[0], caught)


def _changed(suspect: Suspect, sent: str, seen: str) -> Found:
    """`inert` where a construct was consumed and the text arrives without it, else the kind's."""
    expansion = consumed(suspect, sent, seen) if suspect.hole.field == "text" else None
    if expansion is not None:
        return expansion
    if not seen.strip() and has_visible(sent):
        return _found(suspect, "lost", sent=sent, seen=seen)
    aspect = aspect_of(sent, seen)
    if aspect in ("control", "unicode", "truncate", "other") and _is_trimmed(suspect, sent, seen):
        aspect = "trim"
    return _found(suspect, "altered", aspect, sent=sent, seen=seen)


def _is_trimmed(suspect: Suspect, sent: str, seen: str) -> bool:
    """Whether what is gone from the ends would have arrived in the middle.

    What counts as white space is for each language to say (a byte order mark is in JavaScript).
    """
    before, _, after = sent.partition(seen) if seen else (sent, "", "")
    gone = before + after
    if has_visible(gone) or seen not in sent:
        return False
    content = suspect.case.messages[suspect.message]["content"]
    if template_text(content) is None:
        return False
    inside = with_content(suspect.case, suspect.message, with_text(content, f"a{gone}a"))
    return suspect.sight.explains(inside, suspect.sight.lens.look(inside))


def _found(
    suspect: Suspect,
    level: Level,
    aspect: str | None = None,
    *,
    note: str | None = None,
    sent: str | None = None,
    seen: str | None = None,
) -> Found:
    kind = suspect.kind
    changed = f"the {kind} part arrives changed ({aspect})"
    return Found(
        Fault(rule_of(kind), kind, level, aspect),
        note or (changed if level == "altered" else f"the {kind} part is gone"),
        suspect.message,
        sent=sent,
        seen=seen,
    )


def _beyond_the_hole(suspect: Suspect) -> Iterator[Found]:
    """The envelope depends on the content: it is intact if it stands more often than in the twin.

    What is short or blank may stand there by chance, and is judged by collision alone.
    """
    content = suspect.content(suspect.hole)
    if isinstance(content, bytes):
        if _data_stands(content, suspect.rendering):
            yield from _labels(suspect)
        else:
            yield _found(suspect, "altered", "other")
        return
    is_text = suspect.hole.field == "text"
    seen = all_text(suspect.rendering.turns)
    plain = suspect.sight.twin_text
    meant = content[0]
    if sum(1 for c in meant if not c.isspace()) < _SHORT:
        yield from _by_collision(suspect, meant)
        return
    spelled = {s for text in content for s in ({text} if is_text else label_spellings(text))}
    if any(seen.count(s) > plain.count(s) for s in spelled):
        yield from _labels(suspect)
    else:
        known = set(plain.split("\n"))
        new = "\n".join(line for line in seen.split("\n") if line not in known)
        yield _changed(suspect, meant, new)


def _by_collision(suspect: Suspect, meant: str) -> Iterator[Found]:
    if suspect.sight.same(blanked(suspect.case, suspect.message), suspect.case):
        yield _changed(suspect, meant, "")


def _data_stands(data: bytes, rendering: Rendering) -> bool:
    spelled = {text for text in data_spellings(data).values() if text}
    return any(
        value == data or (isinstance(value, str) and any(text in value for text in spelled))
        for _, value in atoms(rendering.turns)
    )


def _labels(suspect: Suspect) -> Iterator[Found]:
    """The content is right: what stands beside it, and arrives in the twin, may not be."""
    sight = suspect.sight
    text = all_text(suspect.rendering.turns)
    for hole in sight.twin.label_holes(suspect.message):
        content = suspect.content(hole)
        assert isinstance(content, tuple)
        label = content[0]
        if not sight.template.whole(hole) or any(s in text for s in label_spellings(label)):
            continue
        caught = suspect.caught(hole)
        yield Found(
            Fault("metadata", suspect.kind, "altered", hole.field),
            f"the {hole.field} of the {suspect.kind} part arrives changed",
            suspect.message,
            sent=label,
            seen=caught if isinstance(caught, str) else None,
        )


def _together(sight: Sight) -> Iterator[Found]:
    """No single part is guilty: a part whose removal changes nothing is lost."""
    for message in sight.judged:
        whole = Suspect(sight, message, sight.case, sight.rendering)
        if not _is_suspect(sight, message) or _was_sent_empty(whole):
            continue
        if sight.same(sight.case.without_message(message), sight.case):
            kind = sight.kind(message)
            note = f"the {kind} part is gone: without it, the rendering is the same"
            yield Found(Fault(rule_of(kind), kind, "lost"), note, message)
            return
