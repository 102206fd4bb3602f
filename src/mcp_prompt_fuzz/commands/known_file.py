"""The known findings of a run: read before it, matched after it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ..known import Entry, known_for, match, stale
from ..run_record import RunRecord


def name_of(spec: str) -> str:
    """The renderer as known findings name it: a shipped one without its version."""
    return spec if ":" in spec else spec.partition("@")[0]


def entries_for(spec: str, given: Path | None) -> list[Entry]:
    """The entries that serve for a run of the renderer. Raises `FormatError`."""
    return known_for(name_of(spec), given)


def with_known(record: RunRecord, entries: Sequence[Entry]) -> RunRecord:
    """The record, with which findings are known and which entries are stale."""
    identity = record.identity
    matched = tuple(
        finding.id
        for finding in record.findings
        if match(entries, identity.spec, identity.version, finding) is not None
    )
    return replace(record, known_matched=matched, known_stale=tuple(stale(entries, record)))
