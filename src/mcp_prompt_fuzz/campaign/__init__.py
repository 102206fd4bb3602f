"""A campaign: sweep, draw, judge, deduplicate, shrink, confirm.

Its work is cut into fixed shards (`shards`), each explored from a fresh start (`explore`). What
they find is put together (`gathered`), and each finding is shrunk (`shrink`). Who does the work
changes nothing about what is found: this process (`alone`), several (`processes`) or a cluster
(`cluster`). What is learned can be kept as it comes (`journal`), for a run that goes on from there.
"""

from __future__ import annotations

from ..renderer import Renderer
from ..run_record import RunRecord
from .alone import Alone
from .campaign import Campaign, Keeper
from .judging import judge_case
from .options import CampaignOptions, Progress, Silent
from .shrink import CONFIRMATIONS

__all__ = [
    "CONFIRMATIONS",
    "Campaign",
    "CampaignOptions",
    "Progress",
    "Silent",
    "judge_case",
    "run_campaign",
]


def run_campaign(
    renderer: Renderer,
    options: CampaignOptions,
    progress: Progress | None = None,
    keeper: Keeper | None = None,
) -> RunRecord:
    """Explore a renderer and report each distinct fault on its smallest case.

    Ends early, with what was found so far, on Ctrl-C and when the renderer is lost for good: the
    record's status is `interrupted` then. Raises `RendererUnavailable` if it could not be reached
    at all.
    """
    return Campaign(Alone(renderer), options, progress or Silent(), keeper).run()
