"""`known update`: record what a run finds, so that only what is new fails from then on."""

from __future__ import annotations

import argparse
from typing import Final

from ..folders import claim
from ..jsontypes import canonical
from ..known import DEFAULT_FILE, Entry, read_known, updated, write_known
from ..reports.run_folder import write_run
from . import options
from .campaigns import run as run_campaign
from .known_file import with_known
from .outcome import OK, exit_status
from .terminal import Terminal

DESCRIPTION: Final = """\
Runs 'fuzz' and writes what it finds into the known-findings file. Entries of other renderers
stay, and so do the reason and url of each entry; what is stale is dropped."""

EXAMPLES: Final = """\
  mcp-prompt-fuzz known update opencode
  mcp-prompt-fuzz known update 'driver:node render.js' --seed 7 --max-examples 1000"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("action", choices=("update",), help="what to do with the file")
    options.add_renderer(parser)
    options.add_campaign(parser)
    options.add_reaching(parser)
    options.add_known(parser)
    options.add_out(parser)
    options.add_show_unsafe(parser)


def run(args: argparse.Namespace, terminal: Terminal) -> int:
    """Do it; returns the exit status."""
    options.refuse_resume(args)
    path = args.known or DEFAULT_FILE
    before = read_known(path) if path.exists() else []
    claim(path.parent)
    claim(args.out)
    done = run_campaign(args, terminal, aside=False)
    write_run(with_known(done.record, before), args.out, show_unsafe=args.show_unsafe)
    if done.interrupted or done.lost:
        terminal.say(f"the run did not end well, so {path} stays as it is: run it again")
        return exit_status(interrupted=done.interrupted, not_run=done.lost)
    after = updated(before, done.record)
    write_known(path, after)
    for line in _changes(before, after):
        terminal.say(line)
    terminal.say(f"wrote {path}: {len(after)} entries; give each a reason and a url where you can")
    return OK


def _changes(before: list[Entry], after: list[Entry]) -> list[str]:
    added = [f"new:     {_told(entry)}" for entry in after if entry not in before]
    dropped = [f"dropped: {_told(entry)}" for entry in before if entry not in after]
    return [*added, *dropped]


def _told(entry: Entry) -> str:
    members = ("rule", "part", "level", "aspect")
    return canonical({member: entry[member] for member in members if entry.get(member)})
