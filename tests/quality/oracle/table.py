"""One table of what the oracle finds, and of what it does not.

python -m tests.quality.oracle.table [--seeds 10] [--examples 2000] [--faithful 20000] [--out FILE]
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from tests.fakes.registry import FAITHFUL, FAULTY, NOT_SMALLEST_YET, NOT_YET

from mcp_prompt_fuzz.reduction import size_of

from .runs import Discovery, alarms, cases_for, discover, median, shrink


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


def _described(discovery: Discovery) -> str:
    fault = discovery.fault
    assert fault is not None, "only what was found is described"
    return " ".join(str(x) for x in (fault.rule, fault.level, fault.aspect) if x)


def faulty_row(name: str, seeds: int, examples: int) -> Row:
    """Look for the fault of that fake once for each seed, and shrink what is found."""
    fake, row = FAULTY[name], Row(name, seeds)
    for seed in range(seeds):
        discovery = discover(fake, seed=seed, drawn=examples, afterwards=50)
        row.others.update(other.partition("|")[0].strip() for other in discovery.others)
        if discovery.fault is None:
            continue
        row.found += 1
        row.examples.append(discovery.examples)
        row.faults.add(_described(discovery))
        if fake.smallest is not None:
            smallest, renderings = shrink(discovery)
            row.sizes.append(size_of(smallest))
            row.renderings.append(renderings)
    return row


def faithful_line(name: str, examples: int) -> str:
    """How many examples that fake was judged on, and what it was wrongly blamed for."""
    renderer = FAITHFUL[name]()
    cases = cases_for(renderer.identity.view, examples)
    began = time.process_time()
    blamed = [f"{found.fault.rule}: {found.note}" for _, found in alarms(renderer, cases)]
    took = (time.process_time() - began) / len(cases) * 1000
    return _row(
        f"**{name}**" if blamed else name, str(len(cases)), f"{took:.1f}", "; ".join(blamed)
    )


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


def _yet() -> Iterator[str]:
    for name, reason in {**NOT_YET, **NOT_SMALLEST_YET}.items():
        yield f"- {name}: {reason}"


def main(arguments: list[str] | None = None) -> int:
    """Measure, and write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--examples", type=int, default=2_000, help="drawn, for each seed")
    parser.add_argument("--faithful", type=int, default=20_000, help="drawn, for faithful fakes")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--out", type=Path)
    given = parser.parse_args(arguments)
    faulty = [name for name in FAULTY if name not in NOT_YET]
    faithful = [name for name in FAITHFUL if name not in NOT_YET]
    with ProcessPoolExecutor(given.workers) as pool:
        lines = list(pool.map(faithful_line, faithful, [given.faithful] * len(faithful)))
        rows = list(
            pool.map(
                faulty_row, faulty, [given.seeds] * len(faulty), [given.examples] * len(faulty)
            )
        )
    parts = ["# What the oracle finds", *_summary(rows), "", "## Faulty renderers", ""]
    parts += [*_faulty(rows), "", "## Faithful renderers", ""]
    parts += [_row("renderer", "examples", "ms an example", "false alarms"), _row(*["---"] * 4)]
    parts += [*lines, "", "## Known to be wrong", "", *_yet()]
    table = "\n".join(parts) + "\n"
    if given.out is None:
        sys.stdout.write(table)
    else:
        given.out.write_text(table, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
