"""One table of what the oracle finds, and of what it does not.

python -m tests.quality.oracle.table [--seeds 10] [--examples 2000] [--faithful 20000]
                                     [--seed 0] [--out FILE]

Tells on standard error how far it is, and each false alarm at once.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tests.fakes.registry import FAITHFUL, FAULTY, NOT_YET

from mcp_prompt_fuzz.campaign import CampaignOptions
from mcp_prompt_fuzz.reduction import size_of

from .runs import Line, discover, faithful_lines, median, shrink, tell

AFTERWARDS = 50
"""Cases that are judged after a discovery, for rules that are wrongly blamed."""


@dataclass
class Row:
    """A faulty fake over some seeds."""

    name: str
    seeds: int
    found: int = 0
    examples: list[int] = field(default_factory=list)
    faults: set[str] = field(default_factory=set)
    sizes: list[int] = field(default_factory=list)
    renderings: list[int] = field(default_factory=list)
    others: set[str] = field(default_factory=set)

    @property
    def optimum(self) -> int | None:
        smallest = FAULTY[self.name].smallest
        return None if smallest is None else size_of(smallest)

    @property
    def is_good(self) -> bool:
        """Found on every seed, at the optimum, and no other rule blamed."""
        at_optimum = self.optimum is None or set(self.sizes) == {self.optimum}
        return self.found == self.seeds and at_optimum and not self.others

    def markdown(self) -> str:
        worst = max(self.sizes, default=0)
        size = "" if self.optimum is None else f"{worst} / {self.optimum}"
        return _row(
            self.name if self.is_good else f"**{self.name}**",
            f"{self.found} of {self.seeds}",
            f"{median(self.examples):.0f}, {max(self.examples)}" if self.examples else "",
            "; ".join(sorted(self.faults)),
            size,
            str(max(self.renderings)) if self.renderings else "",
            "; ".join(sorted(self.others)),
        )


def _row(*cells: str) -> str:
    return f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |"


def faulty_rows(seeds: range, drawn: int) -> list[Row]:
    """Look for the fault of each fake once for each seed; what is equal is shrunk once."""
    rows = {name: Row(name, len(seeds)) for name in FAULTY if name not in NOT_YET}
    shrunk: dict[tuple[str, str, str], tuple[int, int]] = {}
    for seed in seeds:
        for name, row in rows.items():
            fake = FAULTY[name]
            discovery = discover(fake, seed=seed, drawn=drawn, afterwards=AFTERWARDS)
            row.others.update(str(fault) for fault in discovery.others)
            if discovery.others:
                tell(f"another rule is blamed: {name}: {list(discovery.others.values())}")
            if discovery.finding is None:
                tell(f"NOT FOUND: {name}, seed {seed}")
                continue
            fault = discovery.finding.fault
            row.found += 1
            row.examples.append(discovery.examples)
            row.faults.add(" ".join(str(x) for x in (fault.rule, fault.level, fault.aspect) if x))
            if fake.smallest is not None:
                key = (name, str(fault), discovery.finding.case.key)
                if key not in shrunk:
                    smallest, renderings = shrink(discovery)
                    shrunk[key] = size_of(smallest), renderings
                row.sizes.append(shrunk[key][0])
                row.renderings.append(shrunk[key][1])
        tell(f"seed {seed}: {sum(row.found for row in rows.values())} found")
    return list(rows.values())


def _faulty(rows: list[Row]) -> Iterator[str]:
    yield _row(
        "fault", "found", "examples (median, worst)", "as", "size / optimum", "renderings", "others"
    )
    yield _row(*["---"] * 7)
    yield from (row.markdown() for row in rows)


def _summary(rows: list[Row]) -> Iterator[str]:
    sized = [(size, row.optimum) for row in rows if row.optimum for size in row.sizes]
    at_optimum = sum(size == optimum for size, optimum in sized)
    spent = sorted(n for row in rows for n in row.renderings)
    runs = sum(row.seeds for row in rows)
    yield f"- found: {sum(row.found for row in rows)} of {runs} runs of {len(rows)} faults"
    yield f"- another rule blamed: {sum(bool(row.others) for row in rows)} faults"
    if not sized:
        return
    worst = max(size / optimum for size, optimum in sized)
    yield f"- examples: median of medians {median(median(r.examples) for r in rows if r.found):.0f}"
    yield f"- at the optimum: {at_optimum} of {len(sized)} runs, worst {worst:.2f} times"
    most = spent[len(spent) * 95 // 100]
    yield f"- renderings to shrink: 95th percentile {most}, worst {spent[-1]}"


def _faithful(lines: list[Line]) -> Iterator[str]:
    yield _row("renderer", "examples", "ms an example", "false alarms")
    yield _row(*["---"] * 4)
    for line in lines:
        yield _row(
            f"**{line.name}**" if line.blamed else line.name,
            str(line.examples),
            f"{line.seconds / max(1, line.examples) * 1000:.1f}",
            "; ".join(line.blamed),
        )


def _table(rows: list[Row], lines: list[Line]) -> str:
    parts = ["# What the oracle finds", *_summary(rows), "", "## Faulty renderers", ""]
    parts += [*_faulty(rows), "", "## Faithful renderers", "", *_faithful(lines)]
    parts += ["", *(f"- {name}: {reason}" for name, reason in NOT_YET.items())]
    return "\n".join(parts) + "\n"


def main(arguments: list[str] | None = None) -> int:
    """Measure, and write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--examples", type=int, default=2_000, help="drawn, for each seed")
    parser.add_argument("--faithful", type=int, default=20_000, help="drawn, for faithful fakes")
    parser.add_argument("--seed", type=int, default=0, help="the first one")
    parser.add_argument("--out", type=Path)
    given = parser.parse_args(arguments)
    seeds = range(given.seed, given.seed + given.seeds)
    rows = faulty_rows(seeds, given.examples) if seeds else []
    if given.out is not None:
        given.out.write_text(_table(rows, []), encoding="utf-8")  # the rest takes long
    options = CampaignOptions(max_examples=given.faithful, seed=given.seed)
    faithful = [name for name in FAITHFUL if name not in NOT_YET]
    lines = faithful_lines(faithful, options) if given.faithful else []
    table = _table(rows, lines)
    if given.out is None:
        sys.stdout.write(table)
    else:
        given.out.write_text(table, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
