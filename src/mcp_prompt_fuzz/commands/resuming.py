"""`--resume DIR`: going on with a run that was interrupted, killed or out of time."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from ..campaign import CampaignOptions
from ..campaign.folder_lock import FolderInUseError
from ..campaign.journal import Header, Journal
from ..campaign.worker import deciding_versions
from ..formats import FormatError
from ..renderer import Identity
from .known_file import name_of
from .options import DEFAULT_EXAMPLES, DEFAULT_OUT
from .outcome import CommandError


def journal_for(args: argparse.Namespace) -> Journal:
    """The journal of the run; with `--resume`, the one of that folder, whose options then hold.

    `args` is changed accordingly. Raises `CommandError` where there is nothing to go on with, or
    something else was asked for.
    """
    if args.resume is None:
        return Journal(args.out)
    with _alone_in(args.resume):
        journal = _read(args.resume)
    try:
        _take_over(args, journal)
    except BaseException:
        journal.close()
        raise
    return journal


def _read(folder: Path) -> Journal:
    try:
        journal = Journal.of(folder)
    except FormatError as error:
        raise CommandError(
            str(error), "another version wrote it, or it is damaged: leave --resume out"
        ) from None
    if journal is None:
        complete = (folder / "run.json").exists()
        raise CommandError(
            f"nothing to resume in {folder}" + (": that run is complete" if complete else ""),
            "leave --resume out",
        )
    return journal


def _take_over(args: argparse.Namespace, journal: Journal) -> None:
    """Have the kept run's options; `CommandError` where others are asked for."""
    kept = journal.header
    assert kept is not None, "a journal that was read has one"
    _agree("--out", args.resume, args.out, DEFAULT_OUT)
    _agree("the renderer", kept.renderer, name_of(args.renderer), None)
    _agree("--seed", kept.seed, args.seed, None)
    _agree("--max-examples", kept.max_examples, args.max_examples, DEFAULT_EXAMPLES)
    _agree("--rules", kept.rules, tuple(args.rules), ("*",))
    _agree("--revision", kept.revision, args.revision, None)
    args.out = args.resume
    args.seed, args.max_examples = kept.seed, kept.max_examples
    args.rules, args.revision = kept.rules, kept.revision


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
    with _alone_in(journal.folder):
        journal.open(header, datetime.now(UTC).isoformat(timespec="seconds"))


@contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    try:
        yield
    except FolderInUseError:
        raise CommandError(
            f"another run is at work in {folder}", "wait for its end, or name another folder"
        ) from None


def _agree(what: str, kept: object, given: object, default: object) -> None:
    if given not in (kept, default):
        raise CommandError(
            f"the run to resume has {what} {kept}, not {given}", "leave it or --resume out"
        )
