"""What a campaign is asked to do, and what watches it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from ..case import NEWEST_REVISION
from ..finding import Finding
from ..jsontypes import Json


@dataclass(frozen=True)
class CampaignOptions:
    """How much to explore, and by which rules.

    `time_limit` is in seconds of wall time, for the whole campaign. `recorded` is kept in the
    run's record as it stands, and changes nothing.
    """

    max_examples: int = 200
    seed: int = 0
    revision: str = NEWEST_REVISION
    rules: tuple[str, ...] = ("*",)
    time_limit: float | None = None
    recorded: Json = field(default_factory=dict)


class Progress(Protocol):
    """What watches a campaign."""

    def stage(self, name: str, total: int | None) -> None:
        """Something of `total` steps begins (None: nobody knows how many)."""

    def advance(self, n: int = 1) -> None:
        """That many steps are done."""

    def found(self, finding: Finding) -> None:
        """A new fault was seen; its case is not yet the smallest."""


class Silent:
    """Watches, and says nothing."""

    def stage(self, name: str, total: int | None) -> None: ...

    def advance(self, n: int = 1) -> None: ...

    def found(self, finding: Finding) -> None: ...
