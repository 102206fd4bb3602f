"""The fixed shards of a campaign: what is split never depends on how many share the work.

A shard is a slice of the sweep, or a slice of the drawn cases with a seed of its own. Each is
judged from a fresh start, so what a campaign finds is a function of its shards, whoever took which
of them, and in which order they came back.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

from ..case import Case
from ..drawing import draw_cases
from ..renderer import Identity
from ..rules import View
from ..sweep import sweep
from .options import CampaignOptions

SWEPT_A_SHARD: Final = 16
DRAWN_A_SHARD: Final = 100
"""Large enough that Hypothesis's own warming up (its first tenth is small) weighs no more than in
one long run, small enough that a cluster has something to share out."""

_SEEDS_APART: Final = 2**32
"""Seeds are drawn below this number, so those of two runs never meet."""


@dataclass(frozen=True, slots=True)
class Shard:
    """`count` cases of the sweep from `start` on, or as many drawn from `seed`."""

    kind: Literal["sweep", "drawn"]
    start: int
    count: int
    seed: int = 0

    @property
    def name(self) -> str:
        """Unique in a campaign, and what its reader is told."""
        return f"{self.kind} {self.start + 1} to {self.start + self.count}"


def plan(options: CampaignOptions, identity: Identity) -> tuple[Shard, ...]:
    """Every shard of the campaign, in the order in which one worker takes them."""
    return tuple(_planned(options, identity))


def _planned(options: CampaignOptions, identity: Identity) -> Iterator[Shard]:
    swept = len(swept_cases(options.revision, identity))
    for start in range(0, swept, SWEPT_A_SHARD):
        yield Shard("sweep", start, min(SWEPT_A_SHARD, swept - start))
    for number, start in enumerate(range(0, options.max_examples, DRAWN_A_SHARD)):
        count = min(DRAWN_A_SHARD, options.max_examples - start)
        yield Shard("drawn", start, count, options.seed + number * _SEEDS_APART)


def swept_cases(revision: str, identity: Identity) -> tuple[Case, ...]:
    """The fixed cases of the campaign."""
    return _swept(revision, identity.view, identity.sandboxed)


def cases_of(shard: Shard, options: CampaignOptions, identity: Identity) -> tuple[Case, ...]:
    """The cases of the shard: the same whenever and wherever this is asked."""
    if shard.kind == "sweep":
        swept = swept_cases(options.revision, identity)
        return swept[shard.start : shard.start + shard.count]
    return _drawn(shard, options.revision, identity.view, identity.sandboxed)


@lru_cache(maxsize=2)
def _swept(revision: str, view: View, sandboxed: bool) -> tuple[Case, ...]:
    return tuple(sweep(revision, view, sandboxed=sandboxed))


@lru_cache(maxsize=16)
def _drawn(shard: Shard, revision: str, view: View, sandboxed: bool) -> tuple[Case, ...]:
    # Remembered, since a shard that is handed out in pieces is asked for again.
    options = CampaignOptions(max_examples=shard.count, seed=shard.seed, revision=revision)
    return tuple(draw_cases(options, view, sandboxed=sandboxed))
