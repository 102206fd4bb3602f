"""Cases that failed, kept in Hypothesis's own example database, as it keeps those of `@given`."""

from __future__ import annotations

import json
from typing import Final

from hypothesis import Phase, settings

from ..campaign import judge_case
from ..case import Case
from ..corpus import kept_case
from ..finding import Finding
from ..formats import FormatError, check_case
from ..renderer import Renderer
from ..rules import matching
from ..run_record import RunRecord

_KEY: Final = "mcp-prompt-fuzz/1 "


class Examples:
    """The failing cases of one renderer; none where the profile has no database."""

    def __init__(self, spec: str, profile: settings) -> None:
        self._key = (_KEY + spec).encode()
        self._database = profile.database if Phase.reuse in profile.phases else None

    def failing(self, renderer: Renderer, revision: str, rules: tuple[str, ...]) -> list[Finding]:
        """What the kept cases show; those that show nothing any more are forgotten."""
        found: list[Finding] = []
        if self._database is None:
            return found
        for stored in sorted(self._database.fetch(self._key)):
            case = _case(stored)
            if case is None:
                self._database.delete(self._key, stored)
            elif matching([case.rule or ""], rules):
                seen = judge_case(renderer, case, case.rule, revision)[0]
                found += [finding.with_case(case) for finding in seen]
                if not seen:
                    self._database.delete(self._key, stored)
        return found

    def keep(self, record: RunRecord) -> None:
        """Keep the smallest case of each finding."""
        if self._database is None:
            return
        named = f"{record.identity.name} {record.identity.version}"
        for finding in record.findings:
            kept = json.dumps(kept_case(finding, named).to_json())
            self._database.save(self._key, kept.encode("ascii"))


def _case(stored: bytes) -> Case | None:
    try:
        data = json.loads(stored)
        check_case(data, "the example database")
    except (ValueError, FormatError):
        return None
    return Case.from_json(data)
