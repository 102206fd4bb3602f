"""Findings that are known, so that a run may pass with them (contract, `mcp-prompt-known/1`).

An entry is a JSON object. Entries are matched by functions without I/O; the files are read and
written at the end of this module.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib import resources
from pathlib import Path
from typing import Any, Final, TypeAlias

from .finding import LEVELS, Fault, Finding
from .formats import FormatError, check, parse_json, read_json, write_json
from .jsontypes import Json
from .rules import RULES
from .run_record import RunRecord

FORMAT: Final = "mcp-prompt-known/1"
DEFAULT_FILE: Final = Path("mcp-prompt-known.json")
"""The file that is used where none is named, if it is there."""

ANY: Final = "*"
Entry: TypeAlias = Json
_FAULT: Final = ("rule", "part", "level", "aspect")


def matches(entry: Entry, renderer: str, version: str, finding: Finding) -> bool:
    """Whether the entry is about this finding of this renderer (named without its version)."""
    return _is_about(entry, renderer, version) and _covers(entry, finding)


def match(entries: Iterable[Entry], renderer: str, version: str, finding: Finding) -> Entry | None:
    """The first entry that knows the finding, None for a finding that is new."""
    return next((e for e in entries if matches(e, renderer, version, finding)), None)


def stale(entries: Iterable[Entry], record: RunRecord) -> list[Entry]:
    """The entries about this run's renderer whose rule was checked and which matched nothing.

    None of an interrupted run: what it did not find, it may not have looked for.
    """
    if record.status != "complete":
        return []
    renderer, version = record.identity.spec, record.identity.version
    return [
        entry
        for entry in entries
        if _is_about(entry, renderer, version)
        and _was_checked(entry, record)
        and not any(_covers(entry, finding) for finding in record.findings)
    ]


def updated(entries: Sequence[Entry], record: RunRecord) -> list[Entry]:
    """The entries after this run: nothing in it is new to them, and nothing in them is stale.

    Entries of other renderers stay as they are, and those that match keep their `reason` and
    `url`. A stale entry that names other versions too stays for those.
    """
    renderer, version = record.identity.spec, record.identity.version
    gone = stale(entries, record)
    kept = [dict(entry) for entry in entries if entry not in gone]
    kept += [left for entry in gone if (left := _without_version(entry, version)) is not None]
    for finding in _in_order(record.findings):
        if match(kept, renderer, version, finding) is not None:
            continue
        elsewhere = [e for e in kept if e["renderer"] == renderer and _covers(e, finding)]
        if elsewhere:
            elsewhere[0]["versions"] = [*elsewhere[0]["versions"], version]
        else:
            kept.append(_entry(record, finding))
    return kept


def _is_about(entry: Entry, renderer: str, version: str) -> bool:
    versions = entry.get("versions", ANY)
    return entry["renderer"] == renderer and (versions == ANY or version in versions)


def _covers(entry: Entry, finding: Finding) -> bool:
    """Whether the entry's rule, part, level and aspect are those of the finding."""
    fault = finding.fault
    if finding.unsafe and entry.get("aspect", ANY) == ANY:
        return False  # that one prompt text is run must not excuse running another kind
    return all(entry.get(member, ANY) in (ANY, getattr(fault, member)) for member in _FAULT)


def _was_checked(entry: Entry, record: RunRecord) -> bool:
    rule = entry.get("rule", ANY)
    verdicts = {name: outcome.verdict for name, outcome in record.rules.items()}
    if rule == ANY:
        return "unchecked" not in verdicts.values()
    return verdicts.get(rule) in ("kept", "broken")


def _without_version(entry: Entry, version: str) -> Entry | None:
    versions = entry.get("versions", ANY)
    left = [] if versions == ANY else [each for each in versions if each != version]
    return {**entry, "versions": left} if left else None


def _in_order(findings: Iterable[Finding]) -> list[Finding]:
    rules = list(RULES)

    def place(finding: Finding) -> tuple[int, list[str]]:
        fault: Fault = finding.fault
        return rules.index(fault.rule), [str(fault.part), str(fault.level), str(fault.aspect)]

    return sorted(findings, key=place)


def _entry(record: RunRecord, finding: Finding) -> Entry:
    fault = finding.fault
    client = record.identity.lane == "client"
    return {
        "renderer": record.identity.spec,
        # A client is shipped with its version; a function or driver is under its user's hands,
        # and what is known of it stays known until a run finds it mended.
        "versions": [record.identity.version] if client else ANY,
        "rule": fault.rule,
        "part": fault.part,
        "level": fault.level,
        "aspect": fault.aspect,
        # This file is published: what is unsafe is not told in it.
        "reason": None if finding.unsafe else finding.summary,
        "url": None,
    }


def read_known(path: str | Path) -> list[Entry]:
    """The entries in that file. Raises `FormatError`."""
    return _checked(read_json(path), str(path))


def write_known(path: str | Path, entries: Sequence[Entry]) -> None:
    """Write the entries as a file. Raises `FormatError`."""
    data = {"format": FORMAT, "entries": list(entries)}
    _checked(data, str(path))
    write_json(path, data)


def shipped_known(renderer: str) -> list[Entry]:
    """The known findings that the package ships for a renderer; none for most."""
    folder = resources.files(__package__).joinpath("shipped_known")
    for file in folder.iterdir():
        if file.name == f"{renderer}.json":
            return _checked(parse_json(file.read_text("utf-8"), file.name), file.name)
    return []


def known_for(renderer: str, given: str | Path | None = None) -> list[Entry]:
    """The entries that serve for a run of `renderer`. Raises `FormatError`.

    Those of the file `given`; without one, those of `./mcp-prompt-known.json`, and the shipped
    ones where it has none for this renderer.
    """
    if given is not None:
        return read_known(given)
    entries = read_known(DEFAULT_FILE) if DEFAULT_FILE.exists() else []
    if any(entry["renderer"] == renderer for entry in entries):
        return entries
    return entries + shipped_known(renderer)


def _checked(data: Any, source: str) -> list[Entry]:
    check(data, "known", source)
    entries: list[Entry] = data["entries"]
    allowed = {"rule": (*RULES, ANY), "level": (*LEVELS, ANY, None)}
    for index, entry in enumerate(entries):
        for member, words in allowed.items():
            # A misspelt word would match nothing, and never be missed.
            if member in entry and entry[member] not in words:
                place = f"$.entries[{index}].{member}"
                raise FormatError(source, place, f"no such {member}: {entry[member]!r}")
    return entries
