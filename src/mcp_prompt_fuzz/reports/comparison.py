"""What changed between two versions of one renderer, by their runs in one matrix."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from ..jsontypes import Json
from .escape import visible
from .words import fault_words

CHANGES: Final = {
    "new": "kept before, broken now",
    "gone": "broken before, kept now",
    "changed": "broken in both, in another way",
    "unknown": "broken in one, and not judged in the other",
}
"""What may have become of a rule, and what that means."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """An older and a newer version of a renderer.

    `rows` are the rules that differ: what became of it (one of `CHANGES`), the rule, and what was
    found of it in the older and in the newer one. `unfinished` are those of the two versions whose
    runs did not come to their ends, so that less may have been found than there is. Every text is
    safe to print.
    """

    renderer: str
    older: str
    newer: str
    rows: tuple[tuple[str, str, str, str], ...]
    unfinished: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """A heading."""
        return f"{self.renderer}: from {self.older} to {self.newer}"

    @property
    def headers(self) -> tuple[str, str, str, str]:
        """What stands above `rows`."""
        return "change", "rule", self.older, self.newer

    @property
    def note(self) -> str:
        """What is to be said beside the rows, empty where that is nothing."""
        said = [] if self.rows else ["No difference was found."]
        if self.unfinished:
            said.append(f"Not finished: the run of {' and of '.join(self.unfinished)}.")
        return " ".join(said)


def comparisons(runs: Sequence[Json]) -> list[Comparison]:
    """Each version of a renderer beside the next newer one, for renderers that ran in several."""
    by_name: dict[str, dict[str, Json]] = {}
    for run in runs:
        if "version" in run:
            by_name.setdefault(run["renderer"], {})[run["version"]] = run
    return [
        _compared(older, newer)
        for versions in by_name.values()
        for older, newer in pairwise(versions[v] for v in sorted(versions, key=_age))
    ]


def _age(version: str) -> tuple[list[int], str]:
    """Sorts versions by their numbers."""
    return [int(number) for number in re.findall(r"[0-9]+", version)], version


def _compared(older: Json, newer: Json) -> Comparison:
    rows = []
    for rule in {**older["rules"], **newer["rules"]}:
        before, after = (_faults(run, rule) for run in (older, newer))
        if before != after:
            told = (_verdict(older, rule), _verdict(newer, rule))
            change = _change(*told)
            words = [_words(faults, v) for faults, v in zip((before, after), told, strict=True)]
            rows.append((change, rule, *words))
    order = list(CHANGES)
    return Comparison(
        visible(older["renderer"]),
        visible(older["version"]),
        visible(newer["version"]),
        tuple(sorted(rows, key=lambda row: order.index(row[0]))),
        tuple(visible(run["version"]) for run in (older, newer) if run["errors"]),
    )


def _change(before: str, after: str) -> str:
    match before, after:
        case "broken", "broken":
            return "changed"
        case "kept", "broken":
            return "new"
        case "broken", "kept":
            return "gone"
    return "unknown"


def _verdict(run: Json, rule: str) -> str:
    return str(run["rules"].get(rule, {}).get("verdict", "unchecked"))


def _faults(run: Json, rule: str) -> list[str]:
    """What is wrong by that rule, each in a few words; empty where nothing is."""
    ids = run["rules"].get(rule, {}).get("findings", ())
    return sorted({_fault(f, rule) for f in run["findings"] if f["id"] in ids})


def _fault(finding: Json, rule: str) -> str:
    words = fault_words(finding)
    where = [words[name] for name in ("part", "level") if words[name] not in ("-", rule)]
    aspect = f" ({words['aspect']})" if words["aspect"] != "-" else ""
    return visible(": ".join(filter(None, [finding["severity"], " ".join(where)])) + aspect)


def _words(faults: Sequence[str], verdict: str) -> str:
    return "; ".join(faults) or verdict.replace("_", " ")
