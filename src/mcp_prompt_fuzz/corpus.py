"""Cases kept as files: finding them, loading them, and adding to them (contract, "Case file")."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path
from typing import Final

import jsonpatch

from .case import Case
from .finding import Finding
from .formats import FormatError, read_case, write_case

FOLDER: Final = "corpus"
_SLUG_LENGTH: Final = 60
_REPORT: Final = "REPORT.md"
_ITS_CASE: Final = "case.json"
"""What tells the folder of a finding, and where it holds the case."""


@dataclass(frozen=True, slots=True)
class CorpusCase:
    """A case and the file that it stands in."""

    path: Path
    case: Case


@dataclass(frozen=True, slots=True)
class Corpus:
    """What was loaded, in order of paths, and an error for each file that is no case."""

    cases: tuple[CorpusCase, ...]
    errors: tuple[FormatError, ...] = ()


def find_corpus() -> Path:
    """The folder `corpus` here if there is one, else the one that is shipped."""
    here = Path(FOLDER)
    if here.is_dir():
        return here
    shipped = Path(str(resources.files(__package__).joinpath("shipped_corpus")))
    # In a checkout nothing has been copied into the package yet.
    return shipped if shipped.is_dir() else Path(__file__).parents[2] / FOLDER


def load_corpus(paths: Iterable[str | Path] = ()) -> Corpus:
    """The cases in these files and folders; by default, those of `find_corpus()`.

    A bad file is an error in the result, and the rest is loaded. A file that is named twice is
    loaded once.
    """
    cases: list[CorpusCase] = []
    errors: list[FormatError] = []
    files = [file for path in list(paths) or [find_corpus()] for file in _files(Path(path))]
    for file in dict.fromkeys(files):
        try:
            cases.append(CorpusCase(file, read_case(file)))
        except FormatError as error:
            errors.append(error)
    return Corpus(tuple(cases), tuple(errors))


def kept_case(finding: Finding, renderer: str) -> Case:
    """The finding's smallest case as a corpus keeps it: with its rule, its origin, its other half.

    `renderer` (name and version) stands as the origin; that of an unsafe finding names none.
    """
    origin = "found by fuzzing" if finding.unsafe else f"found by fuzzing {renderer}"
    case = replace(finding.case, rule=finding.fault.rule, origin=origin)
    if finding.pair is None or case.edit is not None:
        return case
    # Without its other half, a collision would not show again.
    halves = [replace(each, title="", rule=None, origin=None) for each in (case, finding.pair)]
    patch = jsonpatch.make_patch(halves[0].to_json(), halves[1].to_json()).patch
    edit = {
        "kind": finding.fault.aspect or finding.fault.rule,
        "changes_meaning": finding.fault.rule != "arguments.order",
        "patch": patch,
    }
    return replace(case, edit=edit)


def save_finding(folder: Path, finding: Finding, renderer: str) -> Path:
    """Keep the finding's smallest case in `folder`, for its rule; the file that holds it.

    Nothing is overwritten: where an equal case is kept for that rule already, that file is
    returned. Raises `FormatError`.
    """
    case = kept_case(finding, renderer)
    area = folder / area_of(finding.fault.rule)
    for kept in load_corpus([area]).cases if area.is_dir() else ():
        if kept.case.rule == case.rule and _identity(kept.case) == _identity(case):
            return kept.path
    area.mkdir(parents=True, exist_ok=True)
    path = next(p for p in _names(area, slug(case.title)) if not p.exists())
    write_case(path, case)
    return path


def area_of(rule: str) -> str:
    """The folder for cases of a rule: `arguments` for `arguments.named`, `resource-blob`, ..."""
    group = rule.partition(".")[0]
    return slug(rule) if group.startswith("resource") else group


def slug(title: str) -> str:
    """A file name from a title: ASCII letters, digits and hyphens, never empty."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode("ascii")
    words = re.findall(r"[a-z0-9]+", plain.lower())
    return "-".join(words)[:_SLUG_LENGTH].strip("-") or "case"


def _files(path: Path) -> list[Path]:
    """The files with cases; in the folder of a finding there is one, the rest are settings of the
    client."""
    if not path.is_dir():
        return [path]
    findings = {report.parent for report in path.rglob(_REPORT)}
    return sorted(
        file
        for file in path.rglob("*.json")
        if file.name == _ITS_CASE or findings.isdisjoint(file.parents)
    )


def _names(area: Path, name: str) -> Iterator[Path]:
    yield area / f"{name}.json"
    number = 2
    while True:
        yield area / f"{name}-{number}.json"
        number += 1


def _identity(case: Case) -> tuple[str, object]:
    return case.key, case.edit and case.edit["patch"]
