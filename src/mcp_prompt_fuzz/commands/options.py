"""The options that several commands share, each declared once."""

from __future__ import annotations

import argparse
import secrets
from pathlib import Path
from typing import Final, TypeVar

from ..case import NEWEST_REVISION, REVISIONS
from ..rules import RULES, SEVERITIES, matching
from .outcome import CommandError

DEFAULT_OUT: Final = Path("mcp-prompt-run")
DEFAULT_EXAMPLES: Final = 200
FORMATS: Final = ("text", "json", "markdown")


def add_renderer(parser: argparse.ArgumentParser) -> None:
    """The renderer under test."""
    parser.add_argument(
        "renderer",
        metavar="RENDERER",
        help="NAME or NAME@VERSION (see 'mcp-prompt-fuzz list'), python:MODULE:CALLABLE, or "
        "'driver:COMMAND LINE'",
    )


def add_reaching(parser: argparse.ArgumentParser) -> None:
    """How the renderer is reached."""
    parser.add_argument(
        "--timeout",
        type=_positive_seconds,
        default=30.0,
        metavar="S",
        help="how long one rendering may take (default 30 s)",
    )
    parser.add_argument(
        "--revision",
        choices=REVISIONS,
        metavar="R",
        help=f"protocol revision of the run: {', '.join(REVISIONS)} (default: the newest that "
        "the renderer negotiates)",
    )


def add_campaign(parser: argparse.ArgumentParser) -> None:
    """How much is tried."""
    parser.add_argument(
        "--max-examples",
        type=_positive_number,
        default=DEFAULT_EXAMPLES,
        metavar="N",
        help=f"how many prompts are drawn (default {DEFAULT_EXAMPLES})",
    )
    parser.add_argument(
        "--seed",
        type=_number,
        metavar="N",
        help="draw the same prompts again (default: random, printed)",
    )
    parser.add_argument(
        "--time",
        type=_positive_seconds,
        metavar="S",
        help="end after that many seconds: two thirds for exploring, the rest for shrinking",
    )
    add_rules(parser)
    parser.add_argument(
        "--workers",
        type=_positive_number,
        default=1,
        metavar="N",
        help="share the work out to N processes; what is found stays the same (default 1)",
    )
    parser.add_argument(
        "--scheduler",
        metavar="URL",
        help="share the work out to a Dask cluster, tcp://HOST:8786 say",
    )
    parser.add_argument(
        "--resume",
        type=Path,
        metavar="DIR",
        help="go on with the run in DIR, which was interrupted, killed or out of time",
    )


def add_rules(parser: argparse.ArgumentParser) -> None:
    """Which rules are judged."""
    parser.add_argument(
        "--rules",
        type=_globs,
        default=("*",),
        metavar="GLOB,...",
        help="judge only the rules that match, 'list.*,image' say (default: all)",
    )


def add_known(parser: argparse.ArgumentParser) -> None:
    """Which findings are known, and from which severity on a finding counts."""
    parser.add_argument(
        "--known",
        type=Path,
        metavar="FILE",
        help="known findings (default: ./mcp-prompt-known.json if there)",
    )
    parser.add_argument(
        "--strict-known",
        action="store_true",
        help="exit 1 where an entry of the known findings matches nothing any more",
    )
    parser.add_argument(
        "--fail-on",
        choices=SEVERITIES,
        default="distortion",
        metavar="SEVERITY",
        help=f"exit 1 for new findings from there on: {', '.join(SEVERITIES)} (default distortion)",
    )


def add_format(parser: argparse.ArgumentParser) -> None:
    """How the result is printed."""
    parser.add_argument(
        "--format", choices=FORMATS, default="text", help="how the result is printed"
    )


def add_out(parser: argparse.ArgumentParser) -> None:
    """Where the result is written."""
    parser.add_argument(
        "--out",
        type=Path,
        default=DEFAULT_OUT,
        metavar="DIR",
        help=f"where the reports go (default {DEFAULT_OUT})",
    )


def add_show_unsafe(parser: argparse.ArgumentParser) -> None:
    """Whether evidence that should stay private is told."""
    parser.add_argument(
        "--show-unsafe",
        action="store_true",
        help="tell the evidence of unsafe findings too, which otherwise stands only under private/",
    )


def refuse_resume(args: argparse.Namespace) -> None:
    """Say plainly that a command keeps nothing to go on with, rather than pretend."""
    if args.resume is not None:
        raise CommandError("--resume is for 'fuzz' and 'matrix'", "run without --resume")


def seed_of(args: argparse.Namespace) -> int:
    """The seed that was asked for, or a new one."""
    return secrets.randbelow(2**32) if args.seed is None else int(args.seed)


def revision_of(args: argparse.Namespace, negotiated: tuple[str, ...] | None) -> str:
    """The revision that was asked for, or the newest that the renderer negotiates."""
    if args.revision is not None:
        return str(args.revision)
    offered = [revision for revision in negotiated or () if revision in REVISIONS]
    return max(offered, default=NEWEST_REVISION)


_N = TypeVar("_N", int, float)


def _parsed(text: str, kind: type[_N], what: str) -> _N:
    try:
        return kind(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no {what}") from None


def _positive_seconds(text: str) -> float:
    value = _parsed(text, float, "number of seconds")
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is no positive number of seconds")
    return value


def _positive_number(text: str) -> int:
    value = _parsed(text, int, "whole number")
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not at least 1")
    return value


def _number(text: str) -> int:
    value = _parsed(text, int, "whole number")
    if value < 0:
        raise argparse.ArgumentTypeError(f"{text!r} is negative")
    return value


def _globs(text: str) -> tuple[str, ...]:
    globs = tuple(glob.strip() for glob in text.split(",") if glob.strip())
    for glob in globs:
        if not matching(RULES, [glob]):
            raise argparse.ArgumentTypeError(
                f"{glob!r} matches no rule (see 'mcp-prompt-fuzz rules')"
            )
    if not globs:
        raise argparse.ArgumentTypeError("names no rule")
    return globs
