"""How often each content rule was really checked: only then can it be called kept."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

from .inert import canaries_in
from .presence import rule_of
from .sight import Sight, audience_of, may_be_withheld


def checked(sight: Sight) -> Counter[str]:
    """The rules that this case and its twin could show broken, with how many parts could."""
    checks: Counter[str] = Counter()
    arrived = [
        message
        for message in sight.judged
        if sight.arrives(message) and not may_be_withheld(sight.case.messages[message])
    ]
    for message in sight.judged:
        part = sight.case.messages[message]
        checks[rule_of(sight.kind(message))] += 1
        checks["inert"] += sight.has_text(message) and any(canaries_in(sight.literal(message)))
        checks["audience"] += "assistant" in (audience_of(part) or ())
    checks["metadata"] += sum(_says_more(sight, message) for message in arrived)
    checks["roles"] += len(arrived)
    checks["order"] += max(0, len(arrived) - 1)
    checks["distinct"] += sum(
        sight.is_plain_text(one) and sight.is_plain_text(other)
        for one, other in pairwise(arrived)
        if other == one + 1
    )
    checks["provider"] += sight.rendering.dialect is not None
    return +checks


def _says_more(sight: Sight, message: int) -> bool:
    content = sight.case.messages[message]["content"]
    holder = content.get("resource", content)
    return "mimeType" in holder or bool(sight.twin.label_holes(message))
