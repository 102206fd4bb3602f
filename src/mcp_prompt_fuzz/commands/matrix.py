"""`matrix`: several renderers on a fixed budget each, in one JSON and one HTML."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from json import dumps
from pathlib import Path
from typing import Final

from .. import clients
from ..formats import check, dump_json, read_json
from ..jsontypes import Json
from ..renderer import RendererUnavailable
from ..renderers import BUILT_IN, UsageError
from ..reports.matrix import bare_run, matrix_json, matrix_markdown, matrix_rows
from ..reports.run_folder import write_run, write_text
from ..rules import SEVERITIES
from . import options
from .campaigns import new_findings
from .campaigns import run as run_campaign
from .known_file import entries_for, name_of, with_known
from .outcome import CommandError, exit_status
from .terminal import Terminal

DESCRIPTION: Final = """\
Runs each renderer on the same budget and writes matrix.json and matrix.html: for each rule, whether
it was kept, and what became of its parts where it was not. Each run's own folder stands beside
them. A renderer that can't be run is a row that says why."""

EXAMPLES: Final = """\
  mcp-prompt-fuzz matrix
  mcp-prompt-fuzz matrix reference text-only 'driver:node render.js' --max-examples 100
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
    options.refuse_unbuilt(args)
    args.out = resume or args.out
    budget = {"max_examples": args.max_examples, "time": args.time, "seed": args.seed}
    specs = args.renderers or [*BUILT_IN, *getattr(clients, "CLIENTS", ())]
    rows: dict[str, Json] = {}
    if resume is not None:
        rows = _earlier(args.out, budget, specs)
    failed = interrupted = False
    for number, spec in enumerate(dict.fromkeys(specs), 1):
        if spec in rows:
            terminal.note(f"[{number}/{len(specs)}] {spec}: done earlier")
            continue
        terminal.note(f"[{number}/{len(specs)}] {spec}")
        rows[spec], new, interrupted = _row(args, spec, number, terminal)
        failed = failed or new
        _write(args.out, budget, list(rows.values()))
        if interrupted:
            break
    matrix = matrix_json(budget, list(rows.values()))
    _print(args, matrix, terminal)
    ran = any("could_not_run" not in row for row in rows.values())
    return exit_status(
        interrupted=interrupted, not_run=not ran, found=failed and args.fail_on is not None
    )


def _row(
    args: argparse.Namespace, spec: str, number: int, terminal: Terminal
) -> tuple[Json, bool, bool]:
    """One renderer's row, whether something new is in it, and whether it was interrupted."""
    asked = argparse.Namespace(**vars(args))
    asked.renderer = spec
    asked.fail_on = args.fail_on or SEVERITIES[-1]
    try:
        entries = entries_for(spec, args.known)
        done = run_campaign(asked, terminal, aside=True)
    except (RendererUnavailable, UsageError) as error:
        terminal.note(f"  could not run: {error}")
        return {"renderer": spec, "could_not_run": str(error)}, False, False
    except KeyboardInterrupt:
        return {"renderer": spec, "could_not_run": "interrupted"}, False, True
    record = with_known(done.record, entries)
    folder = args.out / "runs" / f"{number:02}-{_folder_name(spec)}"
    shown = write_run(record, folder, show_unsafe=args.show_unsafe)
    return bare_run(shown), bool(new_findings(record, asked.fail_on)), done.interrupted


def _folder_name(spec: str) -> str:
    kept = "".join(char if char.isalnum() or char in "-._" else "-" for char in spec)
    return kept[:40].strip("-.") or "renderer"


def _earlier(folder: Path, budget: Json, specs: Sequence[str]) -> dict[str, Json]:
    """The rows of an earlier matrix on the same budget that need no second run."""
    path = folder / "matrix.json"
    if not path.exists():
        raise CommandError(f"no matrix to resume in {folder}", "leave --resume out")
    matrix = read_json(path)
    check(matrix, "matrix", str(path))
    if matrix["budget"] != budget:
        raise CommandError(
            f"the matrix in {folder} was made on another budget: {dumps(matrix['budget'])}",
            "give the same options, or another --out",
        )
    return {spec: row for row in matrix["runs"] for spec in specs if _is_done(row, spec)}


def _is_done(row: Json, spec: str) -> bool:
    """Whether the row is a complete run of that renderer, in the version that is asked for."""
    version = spec.removeprefix(row["renderer"]).removeprefix("@")
    return (
        name_of(spec) == row["renderer"]
        and row.get("status") == "complete"
        and version in ("", row["version"])
    )


def _write(folder: Path, budget: Json, rows: list[Json]) -> None:
    """Written after each row, so that nothing is lost with the run."""
    matrix = matrix_json(budget, rows)
    check(matrix, "matrix")
    write_text(folder / "matrix.json", dump_json(matrix))


def _print(args: argparse.Namespace, matrix: Json, terminal: Terminal) -> None:
    if args.format == "json":
        terminal.raw(dumps(matrix, indent=2))
    elif args.format == "markdown":
        terminal.raw(matrix_markdown(matrix))
    else:
        terminal.table(*matrix_rows(matrix))
        terminal.say(f"wrote {args.out / 'matrix.json'}")
