"""What a failing test says: what should hold, what came instead, and what to do about it."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from textwrap import indent
from typing import Final

from ..corpus import FOLDER, area_of, kept_case, slug
from ..finding import Finding, observed_to_json
from ..jsontypes import Json
from ..known import Entry
from ..reports.escape import one_line, visible
from ..reports.run_json import public_summary
from ..reports.words import basis_words, observed_words, turn_words
from ..repro.titles import title_of
from ..rules import RULES
from ..transcript import transcript_to_json
from .subject import Subject

_COMMAND: Final = "mcp-prompt-fuzz"


@dataclass(frozen=True, slots=True)
class How:
    """What it takes to see the same again."""

    seed: int
    max_examples: int
    revision: str


def failure(
    finding: Finding, subject: Subject, source: How | Path, *, private: bool = False
) -> str:
    """A finding for whoever reads a failed test.

    `source` is how it was drawn, or the file of the corpus that shows it. Of what is `private`, no
    evidence is told: logs are read by many.
    """
    rule = RULES[finding.fault.rule]
    if not isinstance(source, Path):
        # The title that it was drawn with tells of what it held before it was made small.
        finding = finding.with_case(replace(finding.case, title=title_of(finding)))
    lines = [
        f"{rule.id}: {rule.keeps}",
        f"{finding.severity}: {visible(public_summary(finding))}{_rate(finding)}",
        f"  {basis_words(asdict(finding.basis))}",
        "",
    ]
    if private or finding.unsafe:
        lines.append("Its evidence is not told here, since prompt text acted. To see it:")
        lines.append(f"  {_again(finding, subject, source)}")
        return "\n".join(lines)
    lines += _evidence(finding)
    if isinstance(source, Path):
        lines += ["", f"the case: {source.as_posix()}"]
    else:
        shown = json.dumps(kept_case(finding, subject.spec).to_json(), indent=2)
        lines += ["", "the smallest prompt that shows it:", indent(shown, "  ")]
    lines += ["", *_next_steps(finding, subject, source)]
    return "\n".join(lines)


def reasons(entries: Iterable[Entry]) -> str:
    """Why findings are known, and where they are reported."""
    return "; ".join(dict.fromkeys(_reason(entry) for entry in entries))


def stale_words(entries: Iterable[Entry], subject: Subject) -> str:
    """That known findings do not show any more, and how to say so."""
    told = "; ".join(dict.fromkeys(_reason(entry) for entry in entries))
    update = shlex.join([_COMMAND, "known", "update", subject.spec])
    return (
        f"known, and not seen any more: {told}. Mended? Then drop it from the known findings "
        f"({update}). Rare? Then keep its case in {FOLDER}/"
    )


def _reason(entry: Entry) -> str:
    members = ("rule", "part", "level", "aspect")
    named = " ".join(str(entry[m]) for m in members if entry.get(m) not in (None, "*"))
    told = [named or "anything", *(entry[m] for m in ("reason", "url") if entry.get(m))]
    return one_line(", ".join(told), 300)


def _rate(finding: Finding) -> str:
    flaky = finding.flaky
    return "" if flaky is None else f" (flaky: {flaky.failed} of {flaky.of} renderings)"


def _evidence(finding: Finding) -> Iterator[str]:
    wanted = [line for turn in transcript_to_json(finding.expected) for line in turn_words(turn)]
    yield "expected, to reach the model:"
    yield from (f"  {line}" for line in wanted or ["(no messages)"])
    yield "observed:"
    yield from (f"  {line}" for line in observed_words(observed_to_json(finding.observed)))
    more = [visible(line) for line in finding.explanation.splitlines()]
    yield from (f"  {line}" for line in more if line != visible(finding.summary))
    if finding.pair is not None:
        pair: Json = finding.pair.to_json()
        yield "the other prompt that comes to the same:"
        yield indent(json.dumps(pair["messages"], indent=2), "  ")


def _next_steps(finding: Finding, subject: Subject, source: How | Path) -> Iterator[str]:
    yield "to see it again:"
    yield f"  {_again(finding, subject, source)}"
    if subject.can_be_named:
        yield "to record it as known:"
        yield f"  {shlex.join([_COMMAND, 'known', 'update', subject.spec])}"
    if not isinstance(source, Path):
        kept = f"{FOLDER}/{area_of(finding.fault.rule)}/{slug(finding.case.title)}.json"
        yield "to keep it as a test of its own, save the JSON above as:"
        yield f"  {kept}"


def _again(finding: Finding, subject: Subject, source: How | Path) -> str:
    """The command that shows the finding, or what a test has to say for it."""
    if not subject.can_be_named:
        if isinstance(source, Path):
            return f"corpus={source.as_posix()!r}"
        return f"seed={source.seed}, max_examples={source.max_examples}"
    if isinstance(source, Path):
        words = [_COMMAND, "show", subject.spec, source.as_posix()]
        words += ["--show-unsafe"] if finding.unsafe else []
    else:
        words = [_COMMAND, "fuzz", subject.spec, "--rules", finding.fault.rule]
        words += ["--seed", str(source.seed), "--max-examples", str(max(source.max_examples, 1))]
    words += [] if subject.revision is None else ["--revision", subject.revision]
    return shlex.join(words)
