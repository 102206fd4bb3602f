"""`init`: a driver to start from, in the language of whoever writes a client."""

from __future__ import annotations

import argparse
import shlex
from importlib.resources import files
from pathlib import Path
from typing import Final

from .outcome import OK, CommandError
from .terminal import Terminal

DESCRIPTION: Final = """\
Writes a driver: a small program that reads requests on standard input and answers each with what
your client would send to the model. Put your own rendering into its function 'render'."""

EXAMPLES: Final = """\
  mcp-prompt-fuzz init python
  mcp-prompt-fuzz init typescript --out tools/"""

STARTERS: Final = {
    "python": ("prompt_driver.py", "python3 {path}"),
    "typescript": ("prompt-driver.ts", "node {path}"),
    "go": ("prompt_driver.go", "go run {path}"),
    "rust": ("prompt_driver.rs", "./prompt_driver"),
}
"""For each language: the file, and how it is run."""

_FIRST: Final = {
    "rust": "compile it:  rustc {path}",
    "typescript": "Node.js before 22.18 does not run TypeScript itself: say 'npx tsx' for 'node'",
}
"""What some languages need first."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("language", choices=STARTERS, help="the language of the driver")
    parser.add_argument(
        "--out", type=Path, default=Path(), metavar="DIR", help="where it goes (default: here)"
    )


def run(args: argparse.Namespace, terminal: Terminal) -> int:
    """Do it; returns the exit status."""
    name, command = STARTERS[args.language]
    path = args.out / name
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(starter(args.language))
    except FileExistsError:
        raise CommandError(f"{path} is there already", "move it, or give --out DIR") from None
    spec = shlex.quote(f"driver:{command.format(path=shlex.quote(str(path)))}")
    terminal.say(f"wrote {path}")
    if args.language in _FIRST:
        terminal.say(_FIRST[args.language].format(path=shlex.quote(str(path))))
    terminal.say("it keeps everything: put your own rendering into its function 'render', then")
    terminal.say(f"  mcp-prompt-fuzz check {spec}")
    terminal.say(f"  mcp-prompt-fuzz fuzz {spec}")
    return OK


def starter(language: str) -> str:
    """The text of the driver for that language."""
    shipped = files(__package__).joinpath("starters", STARTERS[language][0])
    return shipped.read_text(encoding="utf-8")
