"""Running a campaign as a command asked for it: shared by `fuzz`, `known` and `matrix`."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import Final
from uuid import uuid4

from ..campaign import Campaign, CampaignOptions, Progress
from ..campaign.alone import Alone
from ..campaign.campaign import Crew
from ..campaign.cluster import Cluster
from ..campaign.journal import Journal
from ..campaign.processes import Processes
from ..campaign.team import Team, Workers
from ..campaign.worker import Opening
from ..case import NEWEST_REVISION
from ..finding import Finding
from ..jsontypes import Json
from ..renderer import Identity
from ..renderers import open_renderer
from ..rules import Severity, at_least
from ..run_record import RunRecord
from .interrupts import Interruption, interruptible
from .options import revision_of, seed_of
from .resuming import begin
from .terminal import Terminal

LOSSY_SAMPLE: Final = (
    "text-only is a deliberately lossy sample, here to show what a run finds: it keeps a prompt's "
    "texts and drops everything else."
)


@dataclass(frozen=True, slots=True)
class Done:
    """A campaign that has ended; `interrupted` where somebody asked it to stop.

    `unfinished`: there is something left to do, for whatever reason.
    """

    record: RunRecord
    interrupted: bool
    unfinished: bool = False

    @property
    def lost(self) -> bool:
        """Whether the renderer was lost for good, or nothing at all was checked."""
        stopped = self.record.status == "interrupted" and not self.interrupted
        return stopped or not any(outcome.checks for outcome in self.record.rules.values())


def run(
    args: argparse.Namespace, terminal: Terminal, *, aside: bool, journal: Journal | None = None
) -> Done:
    """Open the renderer, run the campaign, close the renderer.

    What is told meanwhile goes to standard error where the result is no plain text (`aside`). What
    is learned goes to the `journal`, and what stands there need not be learned again. Raises
    `RendererUnavailable` and `UsageError` as `open_renderer` does.
    """
    tell = terminal.note if aside else terminal.say
    if args.renderer.partition("@")[0] == "text-only":
        tell(LOSSY_SAMPLE)
    seed = seed_of(args)
    with (
        interruptible() as interruption,
        terminal.progress() as progress,
        _crew(args, progress.message) as (crew, identity),
    ):
        revision = revision_of(args, identity.revisions)
        for line in _heading(identity, revision, seed):
            tell(line)
        options = CampaignOptions(
            max_examples=args.max_examples,
            seed=seed,
            revision=revision,
            rules=tuple(args.rules),
            time_limit=args.time,
            recorded=_options(args),
        )
        if journal is not None:
            begin(journal, identity, options)
        campaign = Campaign(crew, options, _Heeding(progress, interruption), journal)
        _work(campaign, interruption)
        record = campaign.record()
    return Done(record, interruption.came, campaign.unfinished)


class _Heeding:
    """Progress at whose every step an interruption is heeded that went unheard."""

    def __init__(self, progress: Progress, interruption: Interruption) -> None:
        self._progress = progress
        self._interruption = interruption

    def stage(self, name: str, total: int | None) -> None:
        self._progress.stage(name, total)
        self._interruption.heed()

    def advance(self, n: int = 1) -> None:
        self._progress.advance(n)
        self._interruption.heed()

    def found(self, finding: Finding) -> None:
        self._progress.found(finding)


def _work(campaign: Campaign, interruption: Interruption) -> None:
    """Do the work. From its end on nothing is interrupted any more: what was found gets written."""
    try:
        campaign.work()
        interruption.hold()
    except KeyboardInterrupt:  # between these two lines, or when there is nothing to be written
        if not campaign.reached:
            raise


@contextmanager
def _crew(
    args: argparse.Namespace, message: Callable[[str], None]
) -> Iterator[tuple[Crew, Identity]]:
    """Whoever does the work, and the renderer's identity."""
    offered = args.revision or NEWEST_REVISION
    if args.workers == 1 and args.scheduler is None:
        opened = open_renderer(
            args.renderer, revision=offered, timeout=args.timeout, progress=message
        )
        with closing(opened) as renderer:
            yield Alone(renderer), renderer.identity
        return
    name = uuid4().hex
    workers: Workers
    if args.scheduler is not None:
        message(f"connecting to {args.scheduler}")
        workers = Cluster(args.scheduler, name)
    else:
        message(f"starting {args.workers} workers")
        workers = Processes(args.workers)
    with closing(Team(workers, Opening(name, args.renderer, offered, args.timeout))) as team:
        yield team, team.identity()


def _heading(identity: Identity, revision: str, seed: int) -> Iterable[str]:
    yield f"{identity.name} {identity.version}, revision {revision}, seed {seed}"
    if identity.isolation is not None:
        yield f"isolation: {identity.isolation}"


def _options(args: argparse.Namespace) -> Json:
    """The options of the run, as its record keeps them."""
    return {
        "max_examples": args.max_examples,
        "time": args.time,
        "timeout": args.timeout,
        "rules": list(args.rules),
        "fail_on": args.fail_on,
        "strict_known": args.strict_known,
    }


def new_findings(record: RunRecord, threshold: Severity) -> list[Finding]:
    """The findings that no known entry explains, from that severity on."""
    return [
        finding
        for finding in record.findings
        if finding.id not in record.known_matched and at_least(finding.severity, threshold)
    ]
