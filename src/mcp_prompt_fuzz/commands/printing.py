"""A run on standard output, in each of the formats."""

from __future__ import annotations

from json import dumps

from ..jsontypes import Json
from ..reports.tables import FINDING_HEADERS, finding_rows, run_markdown, summary_line, verdict_rows
from .terminal import Terminal


def print_run(run: Json, form: str, terminal: Terminal) -> None:
    """Print the findings, the verdicts and a summary; or the run as JSON or Markdown."""
    if form == "json":
        terminal.raw(dumps(run, indent=2))
        return
    if form == "markdown":
        terminal.raw(run_markdown(run))
        return
    if run["findings"]:
        terminal.say()
        terminal.table(FINDING_HEADERS, finding_rows(run))
    terminal.say()
    terminal.table(("verdict", "rules"), verdict_rows(run))
    terminal.say()
    for error in run["errors"]:
        terminal.say(f"note: {error}")
    terminal.say(summary_line(run))
