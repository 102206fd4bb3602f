"""What a campaign came to: the values behind `run.json` (contract, `mcp-prompt-run/1`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from .finding import Finding, Level
from .jsontypes import Json
from .renderer import Identity
from .rules import Verdict


@dataclass(frozen=True, slots=True)
class RuleOutcome:
    """What a run says of one rule; `level` is the worst, `findings` are ids."""

    verdict: Verdict
    level: Level | None = None
    checks: int = 0
    findings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Counts:
    """Examples judged, renderings asked of the renderer, and seconds of wall time."""

    examples: int
    renderings: int
    seconds: float


@dataclass(frozen=True)
class RunRecord:
    """One run, complete or interrupted. `started` is RFC 3339; `errors` are for its reader."""

    identity: Identity
    started: str
    status: Literal["complete", "interrupted"]
    revision: str
    seed: int
    options: Json
    versions: Mapping[str, str]
    counts: Counts
    rules: Mapping[str, RuleOutcome]
    findings: tuple[Finding, ...] = ()
    known_matched: tuple[str, ...] = ()
    known_stale: tuple[Json, ...] = ()
    errors: tuple[str, ...] = field(default=())
