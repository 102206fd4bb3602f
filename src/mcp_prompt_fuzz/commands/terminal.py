"""Where a command writes: results to standard output, everything else to standard error.

Nothing that came from a client or a server reaches a terminal unescaped: `say` and `note` make
every invisible character visible, and tables never read markup.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from io import StringIO
from typing import TextIO

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
)
from rich.table import Table
from rich.text import Text

from ..finding import Finding
from ..reports.escape import one_line, visible
from ..reports.run_json import public_summary
from ..reports.tables import plain_table


class Terminal:
    """The two streams of a command."""

    def __init__(self, out: TextIO | None = None, err: TextIO | None = None) -> None:
        self.out = out or sys.stdout or StringIO()  # whoever started us may have closed it
        self.err = err or sys.stderr or StringIO()

    def say(self, text: str = "") -> None:
        """Write lines of the result."""
        self._write(self.out, visible(text, lines=True))

    def raw(self, text: str) -> None:
        """Write a result that is escaped already, JSON say, as it stands."""
        self._write(self.out, text)

    def note(self, text: str) -> None:
        """Write lines about what is going on."""
        self._write(self.err, visible(text, lines=True))

    def table(self, headers: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        """Write a table: boxed on a terminal, one line a row elsewhere."""
        if not self.out.isatty():
            self.say(plain_table(headers, rows))
            return
        table = Table(*headers, highlight=False)
        for row in rows:
            table.add_row(*(Text(visible(cell)) for cell in row))
        Console(file=self.out, markup=False, emoji=False, highlight=False).print(table)

    def progress(self, *, quiet: bool = False) -> Steps:
        """Shows how far a campaign is: a bar on a terminal, few lines elsewhere."""
        if quiet:
            return Steps()
        return Bar(self.err) if self.err.isatty() else Lines(self)

    def _write(self, stream: TextIO, text: str) -> None:
        encoding = stream.encoding or "utf-8"
        stream.write(text.encode(encoding, "backslashreplace").decode(encoding) + "\n")
        stream.flush()


class Steps:
    """Progress that says nothing; the others build on it."""

    def __enter__(self) -> Steps:
        return self

    def __exit__(self, *_: object) -> None:
        """Leave the screen as it should stay."""

    def message(self, text: str) -> None:
        """What is being waited for, before the campaign begins."""

    def stage(self, name: str, total: int | None) -> None:
        """A new stage of the campaign, with the number of steps that it takes, if known."""

    def advance(self, n: int = 1) -> None:
        """Some steps of the stage are done."""

    def found(self, finding: Finding) -> None:
        """Something was found."""


class Lines(Steps):
    """Progress for a log: a line a stage, and one for each finding."""

    def __init__(self, terminal: Terminal) -> None:
        self._terminal = terminal

    def message(self, text: str) -> None:
        self._terminal.note(text)

    def stage(self, name: str, total: int | None) -> None:
        self._terminal.note(f"{name} ..." if total is None else f"{name} (up to {total}) ...")

    def found(self, finding: Finding) -> None:
        self._terminal.note(f"found: {_told(finding)}")


class Bar(Steps):
    """Progress for a terminal."""

    def __init__(self, stream: TextIO) -> None:
        self._console = Console(file=stream, markup=False, emoji=False, highlight=False)
        self._progress = Progress(
            SpinnerColumn(),
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[tally]}", markup=False),
            TimeElapsedColumn(),
            console=self._console,
            transient=True,
        )
        self._task: TaskID | None = None
        self._found = 0

    def __enter__(self) -> Steps:
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def message(self, text: str) -> None:
        self.stage(one_line(text), None)

    def stage(self, name: str, total: int | None) -> None:
        if self._task is not None:
            self._progress.remove_task(self._task)
        tally = self._tally()
        self._task = self._progress.add_task(visible(name), total=total, tally=tally)

    def advance(self, n: int = 1) -> None:
        if self._task is not None:
            self._progress.advance(self._task, n)

    def found(self, finding: Finding) -> None:
        self._found += 1
        self._console.print(Text(f"found: {_told(finding)}"))
        if self._task is not None:
            self._progress.update(self._task, tally=self._tally())

    def _tally(self) -> str:
        return f"{self._found} found" if self._found else ""


def _told(finding: Finding) -> str:
    return f"{finding.severity}: {one_line(public_summary(finding), 120)}"


def listed(items: Iterable[str]) -> str:
    """The items on one line."""
    return ", ".join(items) or "none"
