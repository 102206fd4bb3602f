"""What judging one case comes to."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from ..case import Case
from ..finding import Fault
from ..rendering import Rendering
from ..rules import RULES, Severity


@dataclass(frozen=True)
class Found:
    """A fault seen on a case.

    `message` is the index of the message it is about, None where it is about none. `case` and
    `rendering` are what shows it where that takes a case with a history; `pair` is what the judged
    case collides with. `sent` and `seen` are the two texts that differ, for explaining it. `grade`
    is a key of the rule's severities where it is worse than its level says: `ran` or `read` where
    prompt text acted, `must` where a MUST is broken.
    """

    fault: Fault
    note: str
    message: int | None = None
    case: Case | None = None
    rendering: Rendering | None = None
    pair: Case | None = None
    sent: str | None = None
    seen: str | None = None
    kinds: tuple[str, ...] = ()
    grade: str = ""

    @property
    def severity(self) -> Severity:
        return RULES[self.fault.rule].severity(self.grade or self.fault.level)


@dataclass
class Judgement:
    """The faults seen on one case, and how often each rule was checked."""

    found: list[Found] = field(default_factory=list)
    checks: Counter[str] = field(default_factory=Counter)

    def add(self, found: Found) -> None:
        """Note a fault, once: the first sight of it is kept."""
        if all(found.fault != known.fault for known in self.found):
            self.found.append(found)

    def broken(self, *rules: str) -> bool:
        """Whether one of the rules was seen broken."""
        return any(found.fault.rule in rules for found in self.found)

    def blames(self, message: int) -> bool:
        """Whether something was found about that message."""
        return any(found.message == message for found in self.found)
