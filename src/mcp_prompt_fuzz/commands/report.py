"""`report`: rebuild a run's reports from its `run.json`."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Final

from ..reports.run_folder import read_run, write_reports
from . import options
from .outcome import OK
from .printing import print_run
from .terminal import Terminal

DESCRIPTION: Final = """\
Rebuilds report.html, junit.xml and canimcp.json of a run from its run.json alone, and prints its
tables again."""

EXAMPLES: Final = """\
  mcp-prompt-fuzz report mcp-prompt-run
  mcp-prompt-fuzz report mcp-prompt-run --format markdown"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("folder", type=Path, metavar="DIR", help="a run's folder")
    options.add_format(parser)
    options.add_show_unsafe(parser)


def run(args: argparse.Namespace, terminal: Terminal) -> int:
    """Do it; returns the exit status."""
    shown = read_run(args.folder, show_unsafe=args.show_unsafe)
    write_reports(shown, args.folder)
    print_run(shown, args.format, terminal)
    if args.format == "text":
        terminal.say(f"reports in {args.folder}")
    return OK
