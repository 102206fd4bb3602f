"""`show`: what a case should come to, beside what it comes to."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from json import dumps
from pathlib import Path
from typing import Final

from ..case import materialise
from ..finding import observed_to_json
from ..jsontypes import Json
from ..reference import expected
from ..reports.escape import one_line, visible
from ..reports.run_json import finding_to_json, redacted_finding
from ..reports.tables import markdown_table
from ..reports.words import basis_words, invocation_words, observed_words, turn_words
from ..transcript import transcript_to_json
from . import options
from .judging import Judged, case_at, judge
from .outcome import OK
from .terminal import Terminal

DESCRIPTION: Final = """\
Puts one case through a renderer and prints what the model should get beside what it gets, what
the server was asked, and what is wrong. Exits 0 whatever the case does."""

EXAMPLES: Final = """\
  mcp-prompt-fuzz show text-only corpus/image/alone.json
  mcp-prompt-fuzz show opencode mcp-prompt-run/findings/image-lost-1a2b3c"""

_WIDTH: Final = 60
_TEXT_LIMIT: Final = 600


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    options.add_renderer(parser)
    parser.add_argument("case", type=Path, metavar="CASE", help="a case file, or a repro's folder")
    options.add_reaching(parser)
    options.add_format(parser)
    options.add_show_unsafe(parser)


def run(args: argparse.Namespace, terminal: Terminal) -> int:
    """Do it; returns the exit status."""
    judged = judge(args, args.renderer, case_at(args.case), terminal)
    found = [finding_to_json(finding, private=finding.unsafe) for finding in judged.findings]
    unsafe = any(finding["severity"] == "unsafe" for finding in found)
    if not args.show_unsafe:
        found = [redacted_finding(finding) for finding in found]
    if args.format == "json":
        terminal.raw(dumps(_as_json(judged, found, hidden=unsafe and not args.show_unsafe)))
        return OK
    terminal.say(f"{judged.identity.name} {judged.identity.version}: {one_line(judged.case.title)}")
    terminal.say(f"the user asks for {invocation_words(judged.case.to_json())}")
    if unsafe and not args.show_unsafe:
        terminal.say("unsafe: what came of it is only told with --show-unsafe")
    else:
        _side_by_side(judged, args.format, terminal)
    for line in _verdict(judged, found):
        terminal.say(line)
    return OK


def _as_json(judged: Judged, found: Sequence[Json], *, hidden: bool) -> Json:
    redacted = {"redacted": "unsafe"}
    return {
        "renderer": judged.identity.spec,
        "version": judged.identity.version,
        "case": redacted if hidden else judged.case.to_json(),
        "expected": {"messages": transcript_to_json(expected(judged.case))},
        "observed": redacted if hidden else observed_to_json(judged.rendering),
        "checked": sorted(judged.checked),
        "findings": list(found),
    }


def _side_by_side(judged: Judged, form: str, terminal: Terminal) -> None:
    observed = observed_to_json(judged.rendering)
    wanted = [
        line
        for turn in transcript_to_json(expected(judged.case))
        for line in turn_words(turn, _TEXT_LIMIT)
    ] or ["(no messages)"]
    got = observed_words(observed, _TEXT_LIMIT)
    headers = ("the server sends", "the model gets")
    rows = list(zip_longest(wanted, got, fillvalue=""))
    terminal.say()
    if form == "markdown":
        terminal.raw(markdown_table(headers, rows))
    elif terminal.out.isatty():
        terminal.table(headers, rows)
    else:
        for line in _columns([headers, ("-" * _WIDTH, "-" * _WIDTH), *rows]):
            terminal.say(line)
    terminal.say()
    for request in observed["requests"] or ():
        asked = {"name": request["params"].get("name"), **request["params"]}
        asked.pop("_meta", None)
        error = f", answered with error {request['error']}" if "error" in request else ""
        words = one_line(dumps({k: v for k, v in asked.items() if v is not None}), 200)
        terminal.say(
            f"the server is asked ({request['phase']}): {request['method']} {words}{error}"
        )
    if observed["shown"]:
        terminal.say(f"the user is also shown: {one_line(observed['shown'], _TEXT_LIMIT)}")


def _columns(rows: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Two columns of wrapped text."""
    for row in rows:
        left, right = (textwrap.wrap(cell, _WIDTH) or [""] for cell in row)
        for one, other in zip_longest(left, right, fillvalue=""):
            yield f"{one:{_WIDTH}} | {other}".rstrip()


def _verdict(judged: Judged, found: Sequence[Json]) -> Iterator[str]:
    case = judged.case
    if case.rule is not None and case.rule not in judged.checked and not found:
        yield f"{case.rule} can't be shown by this renderer, or not under this revision"
    for finding in found:
        yield f"{finding['severity']}: {finding['rule']}: {visible(finding['summary'])}"
        yield f"  {basis_words(finding['basis'])}"
    if not found and judged.checked:
        what = case.rule or f"{len(judged.checked)} rules"
        yield f"nothing is broken ({what} checked)"
    if not materialise(case)["messages"]:
        yield "the prompt has no messages"
