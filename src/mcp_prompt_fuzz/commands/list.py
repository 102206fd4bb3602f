"""`list`: the renderers that are shipped."""

from __future__ import annotations

import argparse
from json import dumps
from typing import Final

from ..clients import SHIPPED
from ..renderers import BUILT_IN
from ..reports.tables import markdown_table, plain_table
from . import options
from .outcome import OK
from .terminal import Terminal

DESCRIPTION: Final = """\
Prints the renderers that can be named: those built in, and the real clients that are installed
on first use, each in an environment of its own."""

EXAMPLES: Final = "  mcp-prompt-fuzz list"


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    options.add_format(parser)


def run(args: argparse.Namespace, terminal: Terminal) -> int:
    """Do it; returns the exit status."""
    rows = [*BUILT_IN.items(), *client_rows()]
    if args.format == "json":
        terminal.raw(dumps([{"name": name, "about": told} for name, told in rows], indent=2))
        return OK
    if args.format == "markdown":
        terminal.raw(markdown_table(("renderer", "about"), rows))
        return OK
    terminal.say(plain_table(("renderer", "about"), rows))
    terminal.say("\nor your own:  python:MODULE:CALLABLE  or  'driver:COMMAND LINE'")
    return OK


def client_rows() -> list[tuple[str, str]]:
    """Each shipped client with its pinned version."""
    return [(f"{name}@{about.version}", about.summary) for name, about in SHIPPED.items()]
