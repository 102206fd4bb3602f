"""A run as the JSON of `run.json`, in full and with what is unsafe left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Final

from ..case import fill, template_text
from ..finding import Finding, observed_to_json
from ..jsontypes import Json
from ..run_record import RunRecord
from ..transcript import transcript_to_json

FORMAT: Final = "mcp-prompt-run/1"
EVIDENCE: Final = ("case", "expected", "observed")
"""The members of a finding that stand only under `private/` where the finding is unsafe."""


_TELLING: Final = 4
"""A text that is shorter tells nothing of what is unsafe."""


def private_ids(findings: Sequence[Finding]) -> frozenset[str]:
    """The ids of those whose evidence may stand only under `private/`.

    Unsafe ones, and any other whose case repeats their text: a run that was interrupted before it
    could shrink leaves them on one large case together.
    """
    texts = {t for f in findings if f.unsafe for t in _texts(f) if len(t) >= _TELLING}
    return frozenset(
        finding.id
        for finding in findings
        if finding.unsafe or any(text in held for text in texts for held in _texts(finding))
    )


def _texts(finding: Finding) -> list[str]:
    case = finding.case
    contents = [message["content"] for message in case.messages]
    filled = (fill(template_text(content) or "", case.arguments) for content in contents)
    return [*filter(None, filled), *case.arguments.values()]


def repro_path(finding: Finding, private: bool) -> str:
    """Where the finding's repro stands, relative to the run's folder."""
    return f"{'private' if private else 'findings'}/{finding.slug}"


def finding_to_json(finding: Finding, *, private: bool) -> Json:
    """One finding with all its evidence; `private` says where that evidence stands."""
    fault = finding.fault
    flaky = finding.flaky
    return {
        "id": finding.id,
        "rule": fault.rule,
        "part": fault.part,
        "level": fault.level,
        "aspect": fault.aspect,
        "severity": finding.severity,
        "basis": asdict(finding.basis),
        "summary": finding.summary,
        "case": finding.case.to_json(),
        "expected": {"messages": transcript_to_json(finding.expected)},
        "observed": observed_to_json(finding.observed),
        "flaky": None if flaky is None else {"failed": flaky.failed, "of": flaky.of},
        "repro": repro_path(finding, private),
    }


def run_to_json(record: RunRecord) -> Json:
    """The whole run, unsafe evidence included: for `private/` and for who asked to see it."""
    identity = record.identity
    client = identity.client
    private = private_ids(record.findings)
    return {
        "format": FORMAT,
        "renderer": identity.spec,
        "version": identity.version,
        "lane": identity.lane,
        "client": None if client is None else {"name": client[0], "version": client[1]},
        "started": record.started,
        "status": record.status,
        "isolation": identity.isolation,
        "revision": record.revision,
        "seed": record.seed,
        "options": record.options,
        "versions": dict(record.versions),
        "counts": asdict(record.counts),
        "errors": list(record.errors),
        "rules": {
            rule: {
                "verdict": outcome.verdict,
                "level": outcome.level,
                "checks": outcome.checks,
                "findings": list(outcome.findings),
            }
            for rule, outcome in record.rules.items()
        },
        "known": {"matched": list(record.known_matched), "stale": list(record.known_stale)},
        "findings": [
            finding_to_json(finding, private=finding.id in private) for finding in record.findings
        ],
    }


def redacted(run: Json) -> Json:
    """The run without the evidence of what is unsafe: fit for any eye."""
    return {**run, "findings": [redacted_finding(finding) for finding in run["findings"]]}


def redacted_finding(finding: Json) -> Json:
    """The finding, without its evidence where that is private."""
    if not is_private(finding):
        return finding
    hidden = {member: {"redacted": finding["repro"]} for member in EVIDENCE}
    return {**finding, "summary": _discreet(finding["rule"], finding["aspect"]), **hidden}


def is_private(finding: Json) -> bool:
    """Whether the finding's evidence stands only under `private/`."""
    return finding["severity"] == "unsafe" or str(finding["repro"]).startswith("private/")


def public_summary(finding: Finding) -> str:
    """The summary as it may be told anywhere."""
    fault = finding.fault
    return _discreet(fault.rule, fault.aspect) if finding.unsafe else finding.summary


def _discreet(rule: str, aspect: str | None) -> str:
    """A summary may quote the prompt's text, which is what must not be told."""
    return f"{rule} is broken{f' ({aspect})' if aspect else ''}; the evidence is private"
