"""Several runs beside each other: the data of `matrix.json`, and its table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from ..jsontypes import Json
from ..rules import RULES
from .comparison import comparisons
from .escape import for_markdown_cell, one_line, visible
from .run_json import EVIDENCE
from .tables import markdown_table

FORMAT: Final = "mcp-prompt-matrix/1"

SIGNS: Final = {
    "kept": "kept",
    "broken": "BROKEN",
    "not_observable": "-",
    "not_applicable": "n/a",
    "unchecked": "?",
}
"""A verdict in a cell, told by words as well as by any colour."""


def bare_run(run: Json) -> Json:
    """The run without its findings' evidence; a row that could not run as it is."""
    if "could_not_run" in run:
        return run
    bare = [
        {name: value for name, value in finding.items() if name not in EVIDENCE}
        for finding in run["findings"]
    ]
    return {**run, "findings": bare}


def matrix_json(budget: Json, rows: Sequence[Json]) -> Json:
    """The matrix as data."""
    return {"format": FORMAT, "budget": budget, "runs": list(rows)}


def cell_words(outcome: Json | None) -> str:
    """One rule of one run in a word or two."""
    if outcome is None:
        return SIGNS["unchecked"]
    sign = SIGNS[outcome["verdict"]]
    broken = outcome["verdict"] == "broken"
    return f"{sign} {outcome['level']}" if broken and outcome["level"] else sign


def matrix_rows(matrix: Json) -> tuple[list[str], list[list[str]]]:
    """Headers and rows: one row a rule, one column a renderer."""
    runs: Sequence[Any] = matrix["runs"]
    headers = ["rule", *(_column(run) for run in runs)]
    rows = [[rule, *(cell_words(run.get("rules", {}).get(rule)) for run in runs)] for rule in RULES]
    reasons = ["", *(one_line(run.get("could_not_run", ""), 60) for run in runs)]
    return headers, [*rows, *([["could not run", *reasons[1:]]] if any(reasons) else [])]


def _column(run: Json) -> str:
    return visible(f"{run['renderer']} {run['version']}" if "version" in run else run["renderer"])


def matrix_markdown(matrix: Json) -> str:
    """The matrix in Markdown, for a README; below it, what changed between versions."""
    blocks = [markdown_table(*matrix_rows(matrix))]
    for comparison in comparisons(matrix["runs"]):
        blocks.append(f"### {for_markdown_cell(comparison.title)}")
        if comparison.rows:
            headers = [for_markdown_cell(header) for header in comparison.headers]
            blocks.append(markdown_table(headers, comparison.rows))
        if comparison.note:
            blocks.append(for_markdown_cell(comparison.note))
    return "\n\n".join(blocks)
