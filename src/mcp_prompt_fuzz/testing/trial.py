"""A renderer explored once, and what that says of each rule.

The same subject, seed and number of examples come to the same outcomes in every process, so that
it does not matter which of several workers runs which test.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, TypeAlias

from hypothesis import Phase, settings

from ..campaign import CampaignOptions, judge_case, run_campaign
from ..corpus import CorpusCase
from ..finding import Fault, Finding
from ..known import ANY, Entry, match, stale
from ..renderer import Identity, Renderer, RendererUnavailable
from ..reports.run_json import private_ids
from ..rules import RULES, at_least
from ..run_record import RunRecord
from .examples import Examples
from .subject import Subject
from .words import How, failure, reasons, stale_words

Verdict: TypeAlias = Literal["kept", "skipped", "known", "stale", "new"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a rule or a case, in words where it wasn't simply kept.

    `known`: broken as the known findings say. `stale`: they say so, and it no longer is.
    """

    verdict: Verdict
    words: str = ""


@dataclass(frozen=True)
class Trial:
    """What exploring a subject came to."""

    subject: Subject
    how: How
    record: RunRecord
    entries: tuple[Entry, ...]
    kept: tuple[Finding, ...]
    """What the cases of the corpus show, each under its own rule."""

    @classmethod
    def of(cls, subject: Subject, *, seed: int, here: Path) -> Trial:
        """Explore the subject. Raises `UsageError`, `RendererUnavailable` and `FormatError`.

        `seed` counts where the subject has none; `here` is the folder of the corpus and of the
        known findings. Cases that failed in an earlier run come first, from Hypothesis's example
        database, and stay there until they fail no more.
        """
        entries = tuple(subject.entries(here))
        profile = settings()
        wanted = profile.max_examples if subject.max_examples is None else subject.max_examples
        with closing(subject.open()) as renderer:
            revision = subject.revision_of(renderer.identity)
            how = How(seed if subject.seed is None else subject.seed, wanted, revision)
            options = CampaignOptions(
                max_examples=wanted if Phase.generate in profile.phases else 0,
                seed=how.seed,
                revision=revision,
                rules=subject.rules,
            )
            examples = Examples(subject.spec, profile)
            before = examples.failing(renderer, revision, subject.rules)
            record = run_campaign(renderer, options)
            examples.keep(record)
            record = _with(record, before)
            kept = _rare(subject, here, renderer, record, entries)
        if record.status == "interrupted" and not _lost(record):
            raise KeyboardInterrupt
        return cls(subject, how, record, entries, kept)

    @property
    def lost(self) -> str:
        """Why the exploring ended early, if it did."""
        return _lost(self.record)

    def outcome(self, rule: str) -> Outcome:
        """What became of one rule."""
        own = self._findings_of(rule)
        new = [finding for finding in own if self._is_new(finding)]
        if new:
            private = private_ids(self.record.findings)
            told = (failure(f, self.subject, self.how, private=f.id in private) for f in new)
            return Outcome("new", "\n\n".join(told))
        if self.lost:
            return Outcome("new", f"the renderer was not fully explored: {self.lost}")
        gone = self._stale(rule)
        known = [entry for finding in own if (entry := self._entry(finding)) is not None]
        if gone:
            words = stale_words(gone, self.subject)
            # With others that still show, the test would fail as expected, and none be the wiser.
            return Outcome("new" if known else "stale", words)
        if known:
            return Outcome("known", reasons(known))
        if self.record.rules[rule].verdict in ("kept", "broken"):
            return Outcome("kept")
        why = "; ".join(self.record.errors) or "nothing that was tried can show it"
        return Outcome("skipped", why)

    def new_findings(self) -> list[Finding]:
        """Every finding that fails a test, worst first."""
        return [finding for finding in self.record.findings if self._is_new(finding)]

    def _findings_of(self, rule: str) -> list[Finding]:
        return [f for f in self.record.findings if f.fault.rule == rule or rule in f.kinds]

    def _is_new(self, finding: Finding) -> bool:
        serious = at_least(finding.severity, self.subject.fail_on)
        return serious and self._entry(finding) is None

    def _entry(self, finding: Finding) -> Entry | None:
        return _entry(self.entries, self.record.identity, finding)

    def _stale(self, rule: str) -> list[Entry]:
        """The entries about the rule that match nothing (those about any rule: on `robust`)."""
        seen = replace(self.record, findings=(*self.record.findings, *self.kept))
        gone = stale(self.entries, seen)
        return [e for e in gone if _rule_of(e) == rule or (_rule_of(e) == ANY and rule == "robust")]


def judge_kept(
    subject: Subject, renderer: Renderer, kept: CorpusCase, entries: Sequence[Entry]
) -> Outcome:
    """What became of a case of the corpus. Raises `RendererUnavailable`."""
    case, identity = kept.case, renderer.identity
    revision = subject.revision_of(identity)
    findings, checked, _ = judge_case(renderer, case, case.rule, revision)
    asked = subject.rules_of(identity)
    findings = [f for f in findings if f.fault.rule in asked]
    unknown = [f for f in findings if _entry(entries, identity, f) is None]
    new = [f for f in unknown if at_least(f.severity, subject.fail_on)]
    if new:
        private = private_ids(findings)
        told = (failure(f, subject, kept.path, private=f.id in private) for f in new)
        return Outcome("new", "\n\n".join(told))
    known = [entry for f in findings if (entry := _entry(entries, identity, f)) is not None]
    if known:
        return Outcome("known", reasons(known))
    if findings or case.rule in checked or (case.rule is None and checked):
        return Outcome("kept")
    return Outcome("skipped", f"not applicable under {revision}")


def _entry(entries: Sequence[Entry], identity: Identity, finding: Finding) -> Entry | None:
    return match(entries, identity.spec, identity.version, finding)


def _rule_of(entry: Entry) -> str:
    return str(entry.get("rule", ANY))


def _lost(record: RunRecord) -> str:
    if record.status == "complete":
        return ""
    return next((error for error in record.errors if "renderer was lost" in error), "")


def _with(record: RunRecord, before: Sequence[Finding]) -> RunRecord:
    """The record with what earlier runs found and this one did not come upon."""
    seen: set[Fault] = {finding.fault for finding in record.findings}
    more = [
        finding
        for finding in before
        # A renderer that keeps state is judged by few rules: by the others, nothing is told.
        if finding.fault not in seen and record.rules[finding.fault.rule].checks
    ]
    return replace(record, findings=(*record.findings, *more))


def _rare(
    subject: Subject,
    here: Path,
    renderer: Renderer,
    record: RunRecord,
    entries: Sequence[Entry],
) -> tuple[Finding, ...]:
    """What the corpus shows of rules whose known findings the exploring did not come upon.

    A finding so rare that few runs draw it is not gone while its case still shows it.
    """
    if record.status != "complete":
        return ()
    gone = {_rule_of(entry) for entry in stale(entries, record)}
    found: list[Finding] = []
    for kept in subject.cases(here).cases if gone else ():
        rule = kept.case.rule
        if rule in gone or (ANY in gone and rule in RULES):
            try:
                found += judge_case(renderer, kept.case, rule, record.revision)[0]
            except RendererUnavailable:
                break
    return tuple(found)
