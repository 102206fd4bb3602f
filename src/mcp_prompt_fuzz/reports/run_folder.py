"""The folder of a run on disk: everything is written whole or not at all."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from tempfile import mkdtemp, mkstemp
from typing import Final

from ..formats import check, dump_json, read_json
from ..jsontypes import Json
from ..repro.folder import write_repro
from ..repro.setting import Setting
from ..run_record import RunRecord
from .canimcp import checked_canimcp_report
from .html import run_html
from .junit import junit_xml
from .run_json import EVIDENCE, is_private, private_ids, redacted, run_to_json

PRIVATE: Final = "private"
_EVIDENCE_FILE: Final = "evidence.json"


def write_text(path: Path, text: str) -> None:
    """Write the file in one step: a reader sees the old text or the new one, never half."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        Path(temporary).chmod(0o644)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def write_run(record: RunRecord, folder: Path, *, show_unsafe: bool = False) -> Json:
    """Write a run's folder; returns the run as it may be shown.

    Earlier findings in the folder are replaced. Raises `FormatError` before anything is written
    where the run does not fit its schema, `OSError` where the folder can't be written.
    """
    full = run_to_json(record)
    shown = full if show_unsafe else redacted(full)
    check(shown, "run")
    folder.mkdir(parents=True, exist_ok=True)
    _replace_tree(folder / "findings", lambda new: _write_repros(record, new, private=False))
    if any(is_private(finding) for finding in full["findings"]):
        _replace_tree(folder / PRIVATE, lambda new: _write_private(record, full, new))
    else:
        shutil.rmtree(folder / PRIVATE, ignore_errors=True)
    write_text(folder / "run.json", dump_json(shown))
    write_reports(shown, folder)
    return shown


def write_reports(run: Json, folder: Path) -> None:
    """Write what is made from `run.json` alone."""
    write_text(folder / "report.html", run_html(run))
    write_text(folder / "junit.xml", junit_xml(run))
    write_text(folder / "canimcp.json", dump_json(checked_canimcp_report(run)))


def read_run(folder: Path, *, show_unsafe: bool = False) -> Json:
    """The run of that folder; with `show_unsafe`, with the evidence that stands under `private/`.

    Raises `FormatError` for what is no run, or no readable file.
    """
    run: Json = read_json(folder / "run.json")
    check(run, "run", str(folder / "run.json"))
    if not show_unsafe:
        return redacted(run)
    return {**run, "findings": [_with_evidence(f, folder) for f in run["findings"]]}


def _with_evidence(finding: Json, folder: Path) -> Json:
    kept = folder / PRIVATE / Path(finding["repro"]).name / _EVIDENCE_FILE
    if not is_private(finding) or not kept.is_file():
        return finding
    return {**finding, **read_json(kept)}


def _write_repros(record: RunRecord, into: Path, *, private: bool) -> None:
    hidden = private_ids(record.findings)
    for finding in record.findings:
        if (finding.id in hidden) == private:
            write_repro(finding, Setting.of_run(record), into / finding.slug)


def _write_private(record: RunRecord, full: Json, into: Path) -> None:
    into.chmod(0o700)
    _write_repros(record, into, private=True)
    for finding in full["findings"]:
        if is_private(finding):
            kept = {member: finding[member] for member in (*EVIDENCE, "summary")}
            write_text(into / Path(finding["repro"]).name / _EVIDENCE_FILE, dump_json(kept))


def _replace_tree(target: Path, write: Callable[[Path], None]) -> None:
    """Build the folder beside its place, then put it there, so that no half of it is ever seen."""
    new = Path(mkdtemp(dir=target.parent, prefix=f".{target.name}."))
    try:
        new.chmod(0o755)
        write(new)
        shutil.rmtree(target, ignore_errors=True)
        new.replace(target)
    except BaseException:
        shutil.rmtree(new, ignore_errors=True)
        raise
