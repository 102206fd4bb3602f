"""The crew of one: this process, with the renderer at hand."""

from __future__ import annotations

from collections.abc import Sequence

from ..renderer import Renderer, RendererUnavailable
from .campaign import ATTEMPTS, GiveUp, Job, Tell
from .judging import Brief, Judge, Survey, surveyed
from .options import CampaignOptions
from .tasks import perform


class Alone:
    """Does one job after the other."""

    def __init__(self, renderer: Renderer) -> None:
        self._renderer = renderer
        self._judge: Judge | None = None

    def survey(self, options: CampaignOptions) -> Survey:
        """Look at the renderer."""
        return surveyed(self._renderer, options)

    def work(self, jobs: Sequence[Job], brief: Brief, tell: Tell, give_up: GiveUp) -> None:
        """Do the jobs."""
        if self._judge is None:
            self._judge = Judge(self._renderer, brief)
        for job in jobs:
            failures = 0
            while (task := job.next()) is not None:
                try:
                    perform(self._judge, task, tell)
                except (RendererUnavailable, OSError):
                    raise
                except Exception as error:
                    failures += 1
                    if failures == ATTEMPTS:
                        give_up(job.name, f"{type(error).__name__}: {error}")
                        break

    def stop(self, tell: Tell) -> None:
        """Nothing is under way but what was interrupted."""
