"""Writing a repro: the case, the two programs, the client's configuration, the report."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Final

from hypothesis_mcp.canaries import MENTION_FILE

from ..finding import Finding
from ..formats import dump_json, write_case
from ..jsontypes import canonical
from .plan import plan_for
from .report_md import report_markdown
from .setting import Setting

PROGRAMS: Final = ("server.py", "model.py")


def write_repro(finding: Finding, setting: Setting, folder: Path) -> None:
    """Write the finding's folder, which may exist; files of the same names are replaced."""
    folder.mkdir(parents=True, exist_ok=True)
    if finding.unsafe:
        folder.chmod(0o700)
    plan = plan_for(finding.case, setting)
    write_case(folder / "case.json", finding.case)
    if finding.pair is not None:
        (folder / "pair.json").write_text(dump_json(finding.pair.to_json()), encoding="utf-8")
    for name in PROGRAMS:
        (folder / name).write_text(program(name), encoding="utf-8")
        (folder / name).chmod(0o755)
    for name, text in plan.files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    name, content = MENTION_FILE
    if name in canonical(finding.case.to_json()):
        # What the prompt must not make the client read has to be there, for it to be read.
        (folder / name).write_text(content, encoding="utf-8")
    report = report_markdown(finding, setting, plan)
    (folder / "REPORT.md").write_text(report, encoding="utf-8", errors="backslashreplace")


def program(name: str) -> str:
    """The text of one of the programs that a repro holds."""
    return files(f"{__package__}.programs").joinpath(name).read_text(encoding="utf-8")
