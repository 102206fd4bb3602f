"""`repro`: write a folder that a maintainer can run."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import Final

from ..finding import Finding
from ..formats import FormatError
from ..jsontypes import Json
from ..reports.run_folder import read_run
from ..reports.run_json import public_summary, repro_path
from ..repro.folder import write_repro
from ..repro.setting import Setting, spec_with_version
from ..versions import versions
from . import options
from .judging import Judged, case_at, judge
from .outcome import OK, CommandError
from .terminal import Terminal

DESCRIPTION: Final = """\
Puts one case through a renderer and writes a folder for each thing that is wrong: the case, an
MCP server that offers it, a stand-in for the model, the client's configuration and a report. Or
takes the folder of an earlier finding, tries it again, and writes it anew. Exits 0 whatever the
case does."""

EXAMPLES: Final = """\
  mcp-prompt-fuzz repro opencode corpus/image/alone.json
  mcp-prompt-fuzz repro mcp-prompt-run/findings/image-lost-1a2b3c"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument(
        "target", metavar="RENDERER | FINDING-FOLDER", help="a renderer, or a finding's folder"
    )
    parser.add_argument("case", type=Path, nargs="?", metavar="CASE", help="a case file")
    options.add_reaching(parser)
    options.add_out(parser)


def run(args: argparse.Namespace, terminal: Terminal) -> int:
    """Do it; returns the exit status."""
    if args.case is None:
        return _again(args, Path(args.target), terminal)
    judged = judge(args, args.target, case_at(args.case), terminal)
    if not judged.findings:
        terminal.say(_nothing(judged))
        return OK
    for finding in judged.findings:
        folder = args.out / repro_path(finding, private=finding.unsafe)
        _write(finding, judged, folder)
        terminal.say(f"{finding.severity}: {public_summary(finding)}")
        terminal.say(f"  wrote {folder}: read REPORT.md there")
    return OK


def _again(args: argparse.Namespace, folder: Path, terminal: Terminal) -> int:
    """Try a finding's folder again, and write it anew where it still shows."""
    if not folder.is_dir():
        raise CommandError(
            f"{folder} is no finding's folder",
            "give RENDERER CASE, or the folder of a finding",
        )
    finding = _finding_of(folder)
    case = case_at(folder)
    judged = judge(args, _spec_of(folder), replace(case, rule=finding["rule"]), terminal)
    same = [f for f in judged.findings if f.id == finding["id"]]
    if not same:
        terminal.say(f"does not show any more: {finding['summary']}")
        return OK
    _write(same[0].with_case(case), judged, folder)
    terminal.say(f"still shows: {finding['summary']}")
    terminal.say(f"  wrote {folder} anew")
    return OK


def _run_of(folder: Path) -> Json:
    run_folder = folder.resolve().parent.parent
    try:
        return read_run(run_folder)
    except FormatError:
        raise CommandError(
            f"{folder} stands in no run's folder, so its renderer is not known",
            f"name it:  mcp-prompt-fuzz repro RENDERER {folder / 'case.json'}",
        ) from None


def _finding_of(folder: Path) -> Json:
    for finding in _run_of(folder)["findings"]:
        if finding["repro"] and Path(finding["repro"]).name == folder.resolve().name:
            found: Json = finding
            return found
    raise CommandError(f"the run knows no finding {folder.name}", "run 'fuzz' again")


def _spec_of(folder: Path) -> str:
    run = _run_of(folder)
    return spec_with_version(run["renderer"], run["version"])


def _write(finding: Finding, judged: Judged, folder: Path) -> None:
    if finding.unsafe:
        folder.parent.mkdir(parents=True, exist_ok=True)
        folder.parent.chmod(0o700)
    write_repro(finding, Setting(judged.identity, judged.revision, versions()), folder)


def _nothing(judged: Judged) -> str:
    if not judged.checked:
        return "nothing could be checked: the renderer can't show what the case is kept for"
    return f"nothing is broken ({', '.join(sorted(judged.checked))} checked): no folder written"
