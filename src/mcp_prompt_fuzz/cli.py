"""The command `mcp-prompt-fuzz`: finds the command's module, and turns what goes wrong into one
clear line, a next step and an exit status."""

from __future__ import annotations

import argparse
import difflib
import errno
import importlib
import os
import sys
from collections.abc import Sequence
from typing import Final, NoReturn, Protocol, cast

from .commands.interrupts import terminable
from .commands.outcome import BAD_INPUT, INTERRUPTED, NOT_RUN, CommandError
from .commands.terminal import Terminal
from .formats import FormatError
from .renderer import RendererUnavailable
from .renderers.errors import UsageError
from .versions import versions

PROGRAM: Final = "mcp-prompt-fuzz"
_DEBUG: Final = "MCP_PROMPT_FUZZ_DEBUG"

COMMANDS: Final = {
    "fuzz": "explore, shrink, report",
    "replay": "judge the cases of the corpus again",
    "show": "what a case should come to, beside what it comes to",
    "repro": "write a folder that a maintainer can run",
    "matrix": "several renderers on a fixed budget each",
    "report": "rebuild the reports from a run's JSON",
    "list": "the renderers that are shipped",
    "rules": "the rules, with basis and section of the specification",
    "known": "write the known-findings file",
    "init": "a driver to start from",
    "check": "greet a renderer, send two control cases, explain",
}

_INTRODUCTION: Final = """\
Finds what MCP clients lose on the way from a server's prompt to a model's request.
"""

_EXAMPLES: Final = """\
examples:
  mcp-prompt-fuzz fuzz text-only                          a lossy sample: see what a run looks like
  mcp-prompt-fuzz fuzz 'driver:node render.js'            your own renderer, in any language
  mcp-prompt-fuzz show text-only corpus/image/alone.json
  mcp-prompt-fuzz COMMAND --help                          options and examples of a command
"""


class Command(Protocol):
    """What each module under `commands` offers."""

    DESCRIPTION: str
    EXAMPLES: str

    def configure(self, parser: argparse.ArgumentParser) -> None:
        """Declare the command's arguments."""

    def run(self, args: argparse.Namespace, terminal: Terminal) -> int:
        """Do it; returns the exit status."""
        ...


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one line, and where to read on."""

    def error(self, message: str) -> NoReturn:
        raise CommandError(message, f"try '{self.prog} --help'")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit status."""
    terminal = Terminal()
    try:
        with terminable():
            return _run(list(sys.argv[1:] if argv is None else argv), terminal)
    except CommandError as error:
        return _fail(terminal, error.problem, error.next_step, error.status)
    except RendererUnavailable as error:
        return _fail(terminal, error.problem, error.next_step, NOT_RUN)
    except UsageError as error:
        return _fail(terminal, error.problem, error.next_step, BAD_INPUT)
    except FormatError as error:
        return _fail(terminal, str(error), _mending(error), BAD_INPUT)
    except KeyboardInterrupt:
        return _fail(terminal, "interrupted", "run the command again", INTERRUPTED)
    except BrokenPipeError:
        # Whoever read our output has gone: say nothing, and let no flush fail at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BAD_INPUT
    except OSError as error:
        told = f"{error.filename}: {error.strerror}" if error.filename else str(error)
        return _fail(terminal, told, _way_out(error), BAD_INPUT)
    except Exception as error:
        if os.environ.get(_DEBUG):
            raise
        problem = f"a fault of this program: {type(error).__name__}: {error}"
        next_step = f"please report it, with what is printed when {_DEBUG}=1 is set"
        return _fail(terminal, problem, next_step, NOT_RUN)


def _run(argv: list[str], terminal: Terminal) -> int:
    if not argv or argv[0] not in COMMANDS:
        _top_level(argv, terminal)
        return BAD_INPUT if not argv else 0
    name = argv[0]
    command = cast(Command, importlib.import_module(f".commands.{name}", __package__))
    parser = _Parser(
        prog=f"{PROGRAM} {name}",
        description=command.DESCRIPTION,
        epilog=command.EXAMPLES and f"examples:\n{command.EXAMPLES}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    command.configure(parser)
    return command.run(parser.parse_args(argv[1:]), terminal)


def _top_level(argv: list[str], terminal: Terminal) -> None:
    """`--help`, `--version`, or a command that there isn't."""
    width = max(map(len, COMMANDS))
    listing = "\n".join(f"  {name:{width}}  {told}" for name, told in COMMANDS.items())
    parser = _Parser(
        prog=PROGRAM,
        description=f"{_INTRODUCTION}\ncommands:\n{listing}",
        epilog=_EXAMPLES,
        usage=f"{PROGRAM} COMMAND ...",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"{PROGRAM} {versions()['harness']}")
    if not argv:
        terminal.note(parser.format_help())
        return
    if not argv[0].startswith("-"):
        close = difflib.get_close_matches(argv[0], COMMANDS, 1)
        hint = f"did you mean '{close[0]}'?" if close else f"try '{PROGRAM} --help'"
        raise CommandError(f"there is no command {argv[0]!r}", hint)
    parser.parse_args(argv)


def _mending(error: FormatError) -> str:
    """What to do about a file that breaks its format."""
    if isinstance(error.__cause__, OSError):
        return "is the path right, and may you read it?"
    return "mend the file there ($ is the whole of it), and run the command again"


def _way_out(error: OSError) -> str:
    """What to do about a file or folder that the system refuses."""
    match error.errno:
        case errno.ENOSPC | errno.EDQUOT:
            return "make room on the disk, or name another place (--out DIR)"
        case errno.EMFILE | errno.ENFILE | errno.ENOMEM | errno.EAGAIN:
            return "end other programs, or use fewer --workers"
    return "name a place that you may read and write (--out DIR for what is written)"


def _fail(terminal: Terminal, problem: str, next_step: str, status: int) -> int:
    terminal.note(f"{PROGRAM}: {problem}")
    terminal.note(f"  {next_step}")
    return status
