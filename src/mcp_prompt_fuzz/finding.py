"""A rule broken by a renderer on a case, with its level and evidence."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, TypeAlias

from .case import Case
from .jsontypes import Json, canonical
from .rendering import Rendering
from .rules import Basis, Severity
from .transcript import Transcript, transcript_to_json

Level: TypeAlias = Literal["intact", "converted", "announced", "altered", "refused", "lost"]
LEVELS: Final[tuple[Level, ...]] = (
    "intact",
    "converted",
    "announced",
    "altered",
    "refused",
    "lost",
)
"""From the best to the worst that can become of a part."""


@dataclass(frozen=True, slots=True)
class Fault:
    """What went wrong, apart from any case: two cases that show the same fault share it.

    `part` is a kind, `any` for a fault that takes every kind alike, or None where the rule isn't
    about a part (`level` is None then). `aspect` says what kind of alteration it is.
    """

    rule: str
    part: str | None = None
    level: Level | None = None
    aspect: str | None = None


@dataclass(frozen=True, slots=True)
class Flaky:
    """How often a finding showed again: `failed` times `of` fresh renderings."""

    failed: int
    of: int


@dataclass(frozen=True)
class Finding:
    """One fault on its smallest case.

    `kinds` are those that a fault on `any` was seen to take. `pair` is the other case of a
    collision, where the finding rests on one. `explanation` is plain text of a few lines: the
    first difference, with invisible characters made visible.
    """

    fault: Fault
    severity: Severity
    basis: Basis
    summary: str
    case: Case
    expected: Transcript
    observed: Rendering
    explanation: str = ""
    pair: Case | None = None
    kinds: tuple[str, ...] = ()
    flaky: Flaky | None = None

    @property
    def id(self) -> str:
        """A stable hash: twelve hexadecimal digits, the same in every run and version."""
        identity = [
            self.fault.rule,
            self.fault.part,
            self.fault.level,
            self.severity,
            self.fault.aspect,
        ]
        return hashlib.sha256(canonical(identity).encode()).hexdigest()[:12]

    @property
    def slug(self) -> str:
        """The name of the finding's folder: readable, and unique by its id."""
        words = [self.fault.rule, self.fault.part, self.fault.level, self.fault.aspect]
        readable = "-".join(dict.fromkeys(w.replace(".", "-") for w in words if w))
        return f"{readable}-{self.id[:6]}"

    @property
    def unsafe(self) -> bool:
        """Whether its evidence may stand only under `private/`."""
        return self.severity == "unsafe"

    def with_case(self, case: Case) -> Finding:
        """The same finding told of another case."""
        return replace(self, case=case)


def requests_to_json(rendering: Rendering) -> list[Json] | None:
    """What the server received, or None where the lane can't see it."""
    if rendering.requests is None:
        return None
    return [
        {
            "server": r.server,
            "phase": r.phase,
            "method": r.method,
            "params": r.params,
            **({} if r.error is None else {"error": r.error}),
        }
        for r in rendering.requests
    ]


def observed_to_json(rendering: Rendering) -> dict[str, Any]:
    """The observation of a finding, as `run.json` holds it."""
    error = rendering.error or rendering.unsupported
    if rendering.broke is not None:
        error = f"{rendering.broke.kind}: {rendering.broke.detail}"
    return {
        "messages": transcript_to_json(rendering.turns),
        "shown": rendering.shown,
        "error": error,
        "requests": requests_to_json(rendering),
    }
