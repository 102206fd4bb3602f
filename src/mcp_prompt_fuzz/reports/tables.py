"""The findings and the rules of a run as tables: plain text and Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from ..jsontypes import Json
from ..rules import SEVERITIES
from .escape import for_markdown_cell, visible
from .words import case_line, fault_words

FINDING_HEADERS: Final = ("severity", "rule", "part", "level", "smallest case")


def finding_rows(run: Json) -> list[tuple[str, ...]]:
    """One row a finding, the worst first. Every cell is safe to print."""
    known = set(run["known"]["matched"])
    worst_first = sorted(run["findings"], key=lambda f: -SEVERITIES.index(f["severity"]))
    return [_row(finding, finding["id"] in known) for finding in worst_first]


def _row(finding: Json, known: bool) -> tuple[str, ...]:
    words = fault_words(finding)
    rule = words["rule"] + (f" ({words['aspect']})" if words["aspect"] != "-" else "")
    marks = finding["severity"] + (" (known)" if known else "")
    if finding["flaky"]:
        marks += f" (flaky {finding['flaky']['failed']} of {finding['flaky']['of']})"
    smallest = case_line(finding["case"])
    return tuple(visible(w) for w in (marks, rule, words["part"], words["level"], smallest))


def verdict_rows(run: Json) -> list[tuple[str, str]]:
    """One row a verdict: which rules it holds for."""
    by_verdict: dict[str, list[str]] = {}
    for rule, outcome in run["rules"].items():
        by_verdict.setdefault(outcome["verdict"], []).append(rule)
    order = ("kept", "broken", "not_observable", "not_applicable", "unchecked")
    return [(v.replace("_", " "), ", ".join(by_verdict[v])) for v in order if v in by_verdict]


def plain_table(headers: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """An aligned table for a pipe or a log: one line a row, nothing cut."""
    lines = [headers, *rows]
    widths = [max(len(line[i]) for line in lines) for i in range(len(headers))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    )


def markdown_table(headers: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table whose cells can't break out of it."""
    return "\n".join(
        f"| {' | '.join(line)} |"
        for line in (
            headers,
            ["---"] * len(headers),
            *([for_markdown_cell(cell) for cell in row] for row in rows),
        )
    )


def run_markdown(run: Json) -> str:
    """A whole run in Markdown, for a README or a pull request."""
    title = f"{visible(run['renderer'])} {visible(run['version'])}"
    counts = run["counts"]
    head = (
        f"**{for_markdown_cell(title)}**, revision {run['revision']}, seed {run['seed']}: "
        f"{counts['examples']} examples, {counts['renderings']} renderings, "
        f"{counts['seconds']:.1f} s"
    )
    blocks = [head, markdown_table(("verdict", "rules"), verdict_rows(run))]
    if run["findings"]:
        blocks.append(markdown_table(FINDING_HEADERS, finding_rows(run)))
    return "\n\n".join(blocks)


def summary_line(run: Json) -> str:
    """What the run came to, in one sentence."""
    found = len(run["findings"])
    known = len(set(run["known"]["matched"]))
    counts: dict[str, Any] = run["counts"]
    told = f"{found} finding{'' if found == 1 else 's'}"
    if known:
        told += f", {known} of them known"
    work = (
        f"{counts['examples']} examples, {counts['renderings']} renderings, "
        f"{counts['seconds']:.1f} s"
    )
    return f"{told} ({work}, seed {run['seed']}, revision {run['revision']})"
