"""`--resume DIR`: going on with a run that was interrupted, killed or out of time."""

from __future__ import annotations

import argparse
from datetime import UTC, datetime

from ..campaign import CampaignOptions
from ..campaign.journal import Header, Journal
from ..campaign.worker import deciding_versions
from ..renderer import Identity
from .known_file import name_of
from .options import DEFAULT_EXAMPLES
from .outcome import CommandError


def journal_for(args: argparse.Namespace) -> Journal:
    """The journal of the run; with `--resume`, the one of that folder, whose options then hold.

    `args` is changed accordingly. Raises `CommandError` where there is nothing to go on with, or
    something else was asked for.
    """
    if args.resume is None:
        return Journal(args.out)
    journal = Journal.of(args.resume)
    if journal is None or journal.header is None:
        complete = (args.resume / "run.json").exists()
        raise CommandError(
            f"nothing to resume in {args.resume}" + (": that run is complete" if complete else ""),
            "leave --resume out",
        )
    kept = journal.header
    _agree("the renderer", kept.renderer, name_of(args.renderer), None)
    _agree("--seed", kept.seed, args.seed, None)
    _agree("--max-examples", kept.max_examples, args.max_examples, DEFAULT_EXAMPLES)
    _agree("--rules", kept.rules, tuple(args.rules), ("*",))
    _agree("--revision", kept.revision, args.revision, None)
    args.out = args.resume
    args.seed, args.max_examples = kept.seed, kept.max_examples
    args.rules, args.revision = kept.rules, kept.revision
    return journal


def begin(journal: Journal, identity: Identity, options: CampaignOptions) -> None:
    """Open the journal for that run. Raises `CommandError` where it is of another."""
    deciding = deciding_versions()
    header = Header(
        renderer=identity.spec,
        version=identity.version,
        max_examples=options.max_examples,
        seed=options.seed,
        revision=options.revision,
        rules=options.rules,
        versions=deciding,
    )
    if journal.header is not None and journal.header != header:
        kept = journal.header
        raise CommandError(
            f"that run was of {kept.renderer} {kept.version} under {kept.versions}, "
            f"this is {identity.name} {identity.version} under {deciding}",
            "leave --resume out",
        )
    journal.open(header, datetime.now(UTC).isoformat(timespec="seconds"))


def _agree(what: str, kept: object, given: object, default: object) -> None:
    if given not in (kept, default):
        raise CommandError(
            f"the run to resume has {what} {kept}, not {given}", "leave it or --resume out"
        )
