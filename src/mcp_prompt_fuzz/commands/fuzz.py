"""`fuzz`: explore a renderer, shrink what is found, report it."""

from __future__ import annotations

import argparse
import shlex
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Final

from ..campaign.journal import Journal
from ..corpus import FOLDER, save_finding
from ..jsontypes import Json, canonical
from ..known import Entry
from ..reports.run_folder import write_run
from . import options
from .campaigns import Done, new_findings
from .campaigns import run as run_campaign
from .interrupts import interruptible
from .known_file import entries_for, with_known
from .outcome import INTERRUPTED, CommandError, exit_status
from .printing import print_run
from .resuming import journal_for
from .terminal import Terminal

DESCRIPTION: Final = """\
Draws prompts that are valid under a protocol revision, puts them through a renderer, compares
what reaches the model with what the server sent, and shrinks each difference to the smallest
prompt that still shows it. Each finding becomes a folder that its maintainer can run."""

EXAMPLES: Final = """\
  mcp-prompt-fuzz fuzz text-only
  mcp-prompt-fuzz fuzz opencode --max-examples 500
  mcp-prompt-fuzz fuzz python:my_client.prompts:to_messages --seed 1
  mcp-prompt-fuzz fuzz 'driver:node render.js' --rules 'text.*,image' --fail-on loss
  mcp-prompt-fuzz fuzz opencode --max-examples 5000 --workers 4 --time 3600
  mcp-prompt-fuzz fuzz opencode --resume mcp-prompt-run"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    options.add_renderer(parser)
    options.add_campaign(parser)
    options.add_reaching(parser)
    options.add_known(parser)
    options.add_out(parser)
    options.add_format(parser)
    options.add_show_unsafe(parser)
    parser.add_argument(
        "--save-corpus",
        action="store_true",
        help="put the smallest cases into ./corpus, for 'replay' to judge from now on",
    )


def run(args: argparse.Namespace, terminal: Terminal) -> int:
    """Do it; returns the exit status."""
    with interruptible() as interruption:
        status = _run(args, terminal)
    return INTERRUPTED if interruption.came else status


def _run(args: argparse.Namespace, terminal: Terminal) -> int:
    entries = entries_for(args.renderer, args.known)
    with closing(journal_for(args)) as journal:
        done, shown = _explored(args, terminal, journal, entries)
    if args.save_corpus:
        _save_corpus(done, terminal)
    print_run(shown, args.format, terminal)
    new = new_findings(done.record, args.fail_on)
    if args.format == "text":
        _tell_next(args, done, len(new), terminal)
    stale = args.strict_known and bool(done.record.known_stale)
    return exit_status(interrupted=done.interrupted, not_run=done.lost, found=bool(new) or stale)


def _explored(
    args: argparse.Namespace, terminal: Terminal, journal: Journal, entries: list[Entry]
) -> tuple[Done, Json]:
    """Run it, and write its folder; also what of it may be shown."""
    done = run_campaign(args, terminal, aside=args.format != "text", journal=journal)
    record = with_known(done.record, entries)
    done = replace(done, record=record)
    try:
        with journal.set_aside():
            shown = write_run(record, args.out, show_unsafe=args.show_unsafe)
    except OSError as error:
        raise CommandError(
            f"the reports can't be written to {args.out}: {error}",
            f"what was found is kept: make room, then  {_resuming(args)}",
        ) from error
    if not done.unfinished:
        journal.end()
    return done, shown


def _save_corpus(done: Done, terminal: Terminal) -> None:
    """Keep the smallest cases; those of a run that did not come to its end are not smallest yet."""
    if done.unfinished:
        terminal.note("nothing is put into the corpus before the run is finished")
        return
    identity = done.record.identity
    for finding in done.record.findings:
        kept = save_finding(Path(FOLDER), finding, f"{identity.name} {identity.version}")
        terminal.note(f"kept in {kept}")


def _tell_next(args: argparse.Namespace, done: Done, new: int, terminal: Terminal) -> None:
    """What became of the run, and what to do about it."""
    record = done.record
    terminal.say(f"reports in {args.out}: report.html, junit.xml, findings/ (a repro each)")
    if any(f.unsafe for f in record.findings):
        terminal.say(
            f"unsafe findings stand only under {args.out / 'private'}: read REPORT.md there, and "
            "report them privately"
        )
    for entry in record.known_stale:
        terminal.say(f"stale: a known finding was not seen any more: {canonical(entry)}")
    if done.interrupted:
        terminal.say("interrupted: what was found so far is written")
    elif done.lost and record.status == "complete":
        check = shlex.join(["mcp-prompt-fuzz", "check", args.renderer])
        terminal.say(f"nothing was checked; to see which rules can be shown here:  {check}")
    elif done.lost:
        terminal.say("the run could not be completed: see the notes above")
    if done.unfinished:
        terminal.say(f"to go on with it:  {_resuming(args)}")
    if record.known_stale and not done.unfinished:
        terminal.say(f"update the known findings:  {_known_command(args, record.seed)}")
    if new and not done.interrupted:
        terminal.say(f"{new} new. To record them as known:  {_known_command(args, record.seed)}")


def _resuming(args: argparse.Namespace) -> str:
    """The command that goes on with this run."""
    return shlex.join(["mcp-prompt-fuzz", "fuzz", args.renderer, "--resume", str(args.out)])


def _known_command(args: argparse.Namespace, seed: int) -> str:
    """The command that records what was found, with what was asked for here."""
    words = ["mcp-prompt-fuzz", "known", "update", args.renderer]
    if args.known is not None:
        words += ["--known", str(args.known)]
    words += ["--seed", str(seed)]
    if args.max_examples != options.DEFAULT_EXAMPLES:
        words += ["--max-examples", str(args.max_examples)]
    return shlex.join(words)
