"""``python -m bench.mutants``: how many mutants of each module the tests kill, as mutmut left it.

Prints the survivors' names and a table; exits with 1 where fewer than 95 % are killed, or where a
mutant was not judged at all. Reads `mutants/`, which ``mutmut run`` writes.
"""

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Final

from rich import box
from rich.console import Console
from rich.table import Table

_WANTED: Final = 0.95
_OUTCOMES: Final = {1: "killed", 3: "killed", 0: "survived", 5: "untested", 33: "untested"}
_TIMEOUTS: Final = frozenset({24, -24, 36, 152})
_COLUMNS: Final = ("killed", "timeout", "survived", "untested", "unjudged")


def _outcome(code: int | None) -> str:
    """What an exit code means; 255 is a pytest that could not run, which tells nothing."""
    if code in _TIMEOUTS:
        return "timeout"
    return "unjudged" if code is None else _OUTCOMES.get(code, "unjudged")


def _row(name: str, counts: Counter[str]) -> list[str]:
    cells = [f"{counts[column]}" for column in _COLUMNS]
    return [name, f"{counts.total()}", *cells, f"{100 * _killed(counts):.1f} %"]


def _killed(counts: Counter[str]) -> float:
    return (counts["killed"] + counts["timeout"]) / counts.total()


def main(folder: Path = Path("mutants")) -> int:
    """Print what became of the mutants in the folder; the exit code."""
    table = Table("module", "mutants", *_COLUMNS, "killed", box=box.SIMPLE_HEAD, padding=0)
    for column in table.columns:
        column.no_wrap = True
        column.justify = "left" if column.header == "module" else "right"
    everything: Counter[str] = Counter()
    left: list[tuple[str, str]] = []
    for path in sorted(folder.rglob("*.py.meta")):
        codes = json.loads(path.read_text("utf-8"))["exit_code_by_key"]
        outcomes = {name: _outcome(code) for name, code in codes.items()}
        if outcomes:
            counts = Counter(outcomes.values())
            table.add_row(*_row(path.name.removesuffix(".py.meta"), counts))
            everything += counts
            left += [each for each in outcomes.items() if each[1] in ("survived", "untested")]
    if not everything:
        print("no mutants here: mutmut run comes first", file=sys.stderr)  # noqa: T201
        return 1
    table.add_section()
    table.add_row(*_row("all", everything))
    console = Console()
    for name, outcome in left:
        console.print(f"{outcome}: {name}", highlight=False, soft_wrap=True)
    console.print(table)
    return int(_killed(everything) < _WANTED or everything["unjudged"] > 0)


if __name__ == "__main__":
    sys.exit(main())
