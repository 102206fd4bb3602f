"""`rules`: what a rendering must keep, on what basis, and who can see it."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from json import dumps
from typing import Final

from ..case import NEWEST_REVISION, REVISIONS
from ..jsontypes import Json
from ..reports.tables import markdown_table
from ..rules import RULES, SEVERITIES, Rule, Severity
from . import options
from .outcome import OK
from .terminal import Terminal

DESCRIPTION: Final = """\
Prints every rule: what it keeps, how bad it is when it is broken, why it may be asked for (with
the section of the specification), and which renderers can show it."""

EXAMPLES: Final = """\
  mcp-prompt-fuzz rules
  mcp-prompt-fuzz rules --revision 2025-06-18 --format markdown"""

_SEEN_BY: Final = {
    ("result", "session", "server"): "every renderer",
    ("session", "server"): "a function of a session, a driver that accepts servers, a client",
    ("server",): "a driver that accepts servers, a client",
}


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument(
        "--revision",
        choices=REVISIONS,
        default=NEWEST_REVISION,
        metavar="R",
        help=f"the basis under that revision (default {NEWEST_REVISION})",
    )
    options.add_format(parser)


def run(args: argparse.Namespace, terminal: Terminal) -> int:
    """Do it; returns the exit status."""
    rows = [_row(rule, args.revision) for rule in RULES.values()]
    if args.format == "json":
        terminal.raw(dumps([_json(rule, args.revision) for rule in RULES.values()], indent=2))
        return OK
    if args.format == "markdown":
        terminal.raw(markdown_table(("rule", "keeps", "when broken", "basis"), rows))
        return OK
    for rule, (name, keeps, severity, basis) in zip(RULES.values(), rows, strict=True):
        terminal.say(f"{name}\n  {keeps}")
        terminal.say(f"  when broken: {severity}; basis: {basis}")
        terminal.say(f"  shown by: {_SEEN_BY[rule.seen_by]}")
    return OK


def _row(rule: Rule, revision: str) -> tuple[str, str, str, str]:
    basis = rule.basis(revision)
    where = f", {basis.section} ({revision})" if basis.section else ""
    return rule.id, rule.keeps, severity_words(rule, revision), f"{basis.kind}{where}"


def severity_words(rule: Rule, revision: str) -> str:
    """How bad it is when the rule is broken, by level where that matters."""
    worst_first = sorted(set(rule.severities.values()), key=SEVERITIES.index, reverse=True)
    if rule.basis(revision).kind == "must":
        return "violation"
    return ", ".join(_when(rule, severity) for severity in worst_first)


def _when(rule: Rule, severity: Severity) -> str:
    levels = [level for level, bad in rule.severities.items() if bad == severity and level]
    return f"{severity} ({', '.join(levels)})" if levels else severity


def _json(rule: Rule, revision: str) -> Json:
    return {
        "id": rule.id,
        "keeps": rule.keeps,
        "severities": rule.severities,
        "basis": asdict(rule.basis(revision)),
        "seen_by": list(rule.seen_by),
    }
