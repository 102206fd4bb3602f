"""`matrix`: several renderers on a fixed budget each, in one JSON and one HTML."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from hashlib import sha256
from json import dumps
from pathlib import Path
from typing import Final

from ..clients import SHIPPED
from ..folders import claim
from ..formats import check, dump_json, read_json
from ..jsontypes import Json
from ..renderer import RendererUnavailable
from ..renderers import BUILT_IN, UsageError
from ..reports.comparison import comparisons
from ..reports.html import matrix_html
from ..reports.matrix import bare_run, matrix_json, matrix_markdown, matrix_rows
from ..reports.run_folder import read_run, write_run, write_text
from ..rules import SEVERITIES
from . import options
from .campaigns import new_findings
from .campaigns import run as run_campaign
from .interrupts import interruptible
from .known_file import entries_for, with_known
from .outcome import CommandError, exit_status
from .terminal import Terminal

DESCRIPTION: Final = """\
Runs each renderer on the same budget and writes matrix.json and matrix.html: for each rule, whether
it was kept, and what became of its parts where it was not. Each run's own folder stands beside
them. A renderer that can't be run is a row that says why. Of a client that is named in several
versions it says what changed between them."""

EXAMPLES: Final = """\
  mcp-prompt-fuzz matrix
  mcp-prompt-fuzz matrix reference text-only 'driver:node render.js' --max-examples 100
  mcp-prompt-fuzz matrix opencode@1.18.33 opencode@1.14.34
  mcp-prompt-fuzz matrix --resume mcp-prompt-matrix"""

_DEFAULT_OUT: Final = Path("mcp-prompt-matrix")
_DEFAULT_SEED: Final = 1


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument(
        "renderers", nargs="*", metavar="RENDERER", help="(default: all that are shipped)"
    )
    options.add_campaign(parser)
    options.add_reaching(parser)
    options.add_known(parser)
    options.add_out(parser)
    options.add_format(parser)
    options.add_show_unsafe(parser)
    parser.set_defaults(out=_DEFAULT_OUT, fail_on=None, seed=_DEFAULT_SEED)


def run(args: argparse.Namespace, terminal: Terminal) -> int:
    """Do it; returns the exit status."""
    resume, args.resume = args.resume, None
    args.out = resume or args.out
    budget = {"max_examples": args.max_examples, "time": args.time, "seed": args.seed}
    specs = list(dict.fromkeys(args.renderers or [*BUILT_IN, *SHIPPED]))
    rows = _earlier(args, budget, specs) if resume is not None else {}
    failed = interrupted = False
    claim(args.out)
    for number, spec in enumerate(specs, 1):
        if spec in rows:
            terminal.note(f"[{number}/{len(specs)}] {spec}: done earlier")
            continue
        terminal.note(f"[{number}/{len(specs)}] {spec}")
        rows[spec], new, interrupted = _row(args, spec, terminal)
        failed = failed or new
        _write(args.out, budget, rows)
        if interrupted:
            break
    _print(args, _write(args.out, budget, rows), terminal)
    ran = any("could_not_run" not in row for row in rows.values())
    return exit_status(
        interrupted=interrupted, not_run=not ran, found=failed and args.fail_on is not None
    )


def _row(args: argparse.Namespace, spec: str, terminal: Terminal) -> tuple[Json, bool, bool]:
    """One renderer's run, whether something new is in it, and whether it was interrupted."""
    asked = argparse.Namespace(**vars(args))
    asked.renderer = spec
    asked.fail_on = args.fail_on or SEVERITIES[-1]
    try:
        with interruptible() as interruption:
            entries = entries_for(spec, args.known)
            done = run_campaign(asked, terminal, aside=True)
            record = with_known(done.record, entries)
            run = write_run(record, _folder(args.out, spec), show_unsafe=args.show_unsafe)
        return run, bool(new_findings(record, asked.fail_on)), interruption.came
    except (RendererUnavailable, UsageError) as error:
        terminal.note(f"  could not run: {error.problem}")
        terminal.note(f"  {error.next_step}")
        return {"renderer": spec, "could_not_run": str(error)}, False, False
    except KeyboardInterrupt:
        return {"renderer": spec, "could_not_run": "interrupted"}, False, True


def _folder(out: Path, spec: str) -> Path:
    """Where the renderer's own run stands: readable, and one for each way of naming it."""
    kept = "".join(char if char.isalnum() or char in "-._" else "-" for char in spec)[:40]
    unique = sha256(spec.encode("utf-8", "surrogateescape")).hexdigest()[:6]
    return out / "runs" / f"{kept.strip('-.')}-{unique}"


def _earlier(args: argparse.Namespace, budget: Json, specs: Sequence[str]) -> dict[str, Json]:
    """The runs of an earlier matrix on the same budget that need not be made again."""
    path = args.out / "matrix.json"
    if not path.exists():
        raise CommandError(f"no matrix to resume in {args.out}", "leave --resume out")
    matrix = read_json(path)
    check(matrix, "matrix", str(path))
    if matrix["budget"] != budget:
        raise CommandError(
            f"the matrix in {args.out} was made on another budget: {dumps(matrix['budget'])}",
            "give the same options, or another --out",
        )
    folders = {spec: _folder(args.out, spec) for spec in specs}
    made = {
        spec: read_run(folder, show_unsafe=args.show_unsafe)
        for spec, folder in folders.items()
        if (folder / "run.json").exists()
    }
    return {spec: run for spec, run in made.items() if run["status"] == "complete"}


def _write(out: Path, budget: Json, rows: Mapping[str, Json]) -> Json:
    """Written after each row, so that nothing is lost with the run; returns the matrix."""
    matrix = matrix_json(budget, [bare_run(row) for row in rows.values()])
    check(matrix, "matrix")
    write_text(out / "matrix.json", dump_json(matrix))
    folders = [_folder(out, spec).relative_to(out).as_posix() for spec in rows]
    write_text(out / "matrix.html", matrix_html(list(rows.values()), budget, folders))
    return matrix


def _print(args: argparse.Namespace, matrix: Json, terminal: Terminal) -> None:
    if args.format == "json":
        terminal.raw(dumps(matrix, indent=2))
    elif args.format == "markdown":
        terminal.raw(matrix_markdown(matrix))
    else:
        terminal.table(*matrix_rows(matrix))
        for comparison in comparisons(matrix["runs"]):
            terminal.say(f"\n{comparison.title}")
            if comparison.rows:
                terminal.table(comparison.headers, comparison.rows)
            if comparison.note:
                terminal.say(comparison.note)
        terminal.say(f"wrote {args.out / 'matrix.html'} and matrix.json")
