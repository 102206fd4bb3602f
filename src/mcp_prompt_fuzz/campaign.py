"""A campaign: sweep, draw, judge, deduplicate, shrink, confirm."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Final, Protocol

from .case import NEWEST_REVISION, Case
from .drawing import draw_cases
from .explain import explanation
from .finding import LEVELS, Fault, Finding, Flaky, Level
from .jsontypes import Json
from .oracle import Conditions, Found, Judgement, Lens, judge
from .oracle.isolation import survey, varies
from .reduction import reduce, size_of
from .reference import expected
from .renderer import Renderer, RendererUnavailable
from .rendering import Rendering
from .rules import RULES, SEVERITIES, Verdict, matching, observable
from .run_record import Counts, RuleOutcome, RunRecord
from .sweep import richest, sweep
from .versions import versions

CONFIRMATIONS = 3
"""How often each smallest case is rendered afresh."""


_ONE_FAULT: Final = frozenset({"roles", "distinct", "arguments.order"})
"""Rules that can be broken in one way only, and cost a rendering each time they are judged."""


class Progress(Protocol):
    """What watches a campaign."""

    def stage(self, name: str, total: int | None) -> None:
        """Something of `total` steps begins (None: nobody knows how many)."""

    def advance(self, n: int = 1) -> None:
        """That many steps are done."""

    def found(self, finding: Finding) -> None:
        """A new fault was seen; its case is not yet the smallest."""


class Silent:
    """Watches, and says nothing."""

    def stage(self, name: str, total: int | None) -> None: ...

    def advance(self, n: int = 1) -> None: ...

    def found(self, finding: Finding) -> None: ...


@dataclass(frozen=True)
class CampaignOptions:
    """How much to explore, and by which rules. `time_limit` is in seconds of wall time."""

    max_examples: int = 200
    seed: int = 0
    revision: str = NEWEST_REVISION
    rules: tuple[str, ...] = ("*",)
    time_limit: float | None = None
    recorded: Json = field(default_factory=dict)


@dataclass
class _State:
    """What a campaign knows so far."""

    checks: Counter[str] = field(default_factory=Counter)
    sightings: dict[Fault, tuple[Case, Found]] = field(default_factory=dict)
    kinds: dict[Fault, set[str]] = field(default_factory=dict)
    findings: dict[Fault, Finding] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)
    examples: int = 0
    interrupted: bool = False


def run_campaign(
    renderer: Renderer, options: CampaignOptions, progress: Progress | None = None
) -> RunRecord:
    """Explore a renderer and report each distinct fault on its smallest case.

    Ends early, with what was found so far, on Ctrl-C and when the renderer is lost for good: the
    record's status is `interrupted` then. Raises `RendererUnavailable` if it could not be reached
    at all.
    """
    campaign = _Campaign(renderer, options, progress or Silent())
    return campaign.run()


def judge_case(
    renderer: Renderer, case: Case, rule: str | None = None, revision: str = NEWEST_REVISION
) -> tuple[list[Finding], set[str], Rendering]:
    """Judge one case by one rule or by all: the findings, what was checked, the rendering."""
    lens = Lens(renderer.render)
    view = renderer.identity.view
    wanted = None if rule is None else frozenset({rule})
    renderer.prepare([case])
    conditions = Conditions(view, revision, volatile=varies(lens, case), wanted=wanted)
    judgement = judge(case, lens, conditions)
    findings = [_finding(case, found, lens, revision) for found in judgement.found]
    return findings, set(judgement.checks), lens.look(case)


class _Campaign:
    def __init__(self, renderer: Renderer, options: CampaignOptions, progress: Progress) -> None:
        self.renderer = renderer
        self.options = options
        self.progress = progress
        self.lens = Lens(renderer.render)
        self.state = _State()
        self.began = time.monotonic()
        self.started = datetime.now(UTC).isoformat(timespec="seconds")
        self.rules = self._rules()
        everything = set(RULES) == self.rules
        self.conditions = Conditions(
            renderer.identity.view,
            options.revision,
            wanted=None if everything else frozenset(self.rules),
        )

    def _rules(self) -> set[str]:
        identity = self.renderer.identity
        wanted = matching(RULES, self.options.rules)
        return {rule for rule in wanted if observable(rule, identity.view, identity.rules)}

    def run(self) -> RunRecord:
        try:
            self._explore()
            self._shrink_all()
        except KeyboardInterrupt:
            self.state.interrupted = True
        except (RendererUnavailable, OSError) as lost:
            if not self.state.examples:
                raise
            self.state.interrupted = True
            self.state.errors.append(f"the renderer was lost: {lost}")
        return self._record()

    def _explore(self) -> None:
        identity, options = self.renderer.identity, self.options
        self.progress.stage("drawing", None)
        cases = sweep(options.revision, identity.view, sandboxed=identity.sandboxed)
        cases += draw_cases(options, identity.view, sandboxed=identity.sandboxed)
        self.renderer.prepare(cases)
        self._survey(cases[0], richest(options.revision))
        self.progress.stage("exploring", len(cases))
        for case in cases:
            if self._out_of_time():
                self.state.errors.append("the time limit ended the exploring early")
                break
            self._judge(case)
            self.progress.advance()

    def _out_of_time(self) -> bool:
        limit = self.options.time_limit
        return limit is not None and time.monotonic() - self.began > limit

    def _survey(self, case: Case, rich: Case) -> None:
        """Learn whether renderings vary by themselves, and whether they leave anything behind."""
        volatile = varies(self.lens, case)
        self.conditions = replace(self.conditions, volatile=volatile)
        leak = survey(self.lens, (case, rich), self.conditions)
        if leak is not None:
            self.state.checks["isolated"] += 1
            self._note(case, leak)
            self.lens.remember = False
            self.conditions = replace(
                self.conditions, wanted=frozenset({"isolated", "robust"} & self.rules)
            )
            self.state.errors.append(
                "the renderer keeps state from one prompt to the next: only `isolated` and "
                "`robust` can be judged"
            )

    def _judge(self, case: Case) -> Judgement:
        judgement = judge(case, self.lens, self.conditions)
        self.state.examples += 1
        self.state.checks.update(
            {rule: n for rule, n in judgement.checks.items() if rule in self.rules}
        )
        for found in judgement.found:
            if found.fault.rule in self.rules:
                self._note(case, found)
        self._spare(judgement)
        return judgement

    def _spare(self, judgement: Judgement) -> None:
        """Don't prove again, at a rendering each, what can only be the same fault again."""
        done = _ONE_FAULT & {found.fault.rule for found in judgement.found}
        if done:
            wanted = self.conditions.wanted or self.rules
            self.conditions = replace(self.conditions, wanted=frozenset(wanted - done))

    def _note(self, case: Case, found: Found) -> None:
        shown = found.case if found.case is not None and found.case.before else case
        self.state.kinds.setdefault(found.fault, set()).update(found.kinds)
        known = self.state.sightings.get(found.fault)
        if known is None:
            self.progress.found(_finding(shown, found, self.lens, self.options.revision))
        if known is None or size_of(shown) < size_of(known[0]):
            self.state.sightings[found.fault] = (shown, found)

    def _shrink_all(self) -> None:
        self.progress.stage("shrinking", len(self.state.sightings))
        for fault, (case, found) in list(self.state.sightings.items()):
            smallest, seen = self._shrink(fault, case, found)
            flaky = self._confirm(seen.fault, smallest)
            finding = _finding(smallest, seen, self.lens, self.options.revision, flaky=flaky)
            kinds = tuple(sorted(self.state.kinds[fault] | set(seen.kinds)))
            self._keep(replace(finding, kinds=kinds))
            self.progress.advance()

    def _keep(self, finding: Finding) -> None:
        """Keep it, unless the same fault is known on a smaller case: two may shrink to one."""
        known = self.state.findings.get(finding.fault)
        if known is None or size_of(finding.case) < size_of(known.case):
            self.state.findings[finding.fault] = finding

    def _shrink(self, fault: Fault, case: Case, found: Found) -> tuple[Case, Found]:
        last = {case.key: found}
        vague = fault.aspect == "other"

        def shows(candidate: Case) -> bool:
            if fault.rule == "isolated" and not candidate.before:
                return False  # without a history, what shows is left by the reducer's last try
            for seen in self._judged_by(fault.rule, candidate, self.lens):
                if seen.fault == fault or (vague and _same_but_aspect(seen.fault, fault)):
                    last[candidate.key] = seen
                    return True
            return False

        smallest = reduce(case, shows)
        return smallest, last[smallest.key]

    def _judged_by(self, rule: str, case: Case, lens: Lens) -> Sequence[Found]:
        conditions = replace(self.conditions, wanted=frozenset({rule}), thorough=True)
        return judge(case, lens, conditions).found

    def _confirm(self, fault: Fault, case: Case) -> Flaky | None:
        failed = 0
        for _ in range(CONFIRMATIONS):
            fresh = Lens(self.renderer.render, remember=self.lens.remember)
            failed += any(f.fault == fault for f in self._judged_by(fault.rule, case, fresh))
            self.lens.renderings += fresh.renderings
        return None if failed == CONFIRMATIONS else Flaky(failed + 1, CONFIRMATIONS + 1)

    def _record(self) -> RunRecord:
        state, options = self.state, self.options
        for fault, (case, found) in state.sightings.items():
            if state.interrupted and fault not in state.findings:
                state.findings[fault] = _finding(case, found, self.lens, options.revision)
        findings = tuple(sorted(state.findings.values(), key=_order))
        return RunRecord(
            identity=self.renderer.identity,
            started=self.started,
            status="interrupted" if state.interrupted else "complete",
            revision=options.revision,
            seed=options.seed,
            options=options.recorded,
            versions=versions(),
            counts=Counts(
                state.examples, self.lens.renderings, round(time.monotonic() - self.began, 3)
            ),
            rules={rule: self._outcome(rule, findings) for rule in RULES},
            findings=findings,
            errors=tuple(state.errors),
        )

    def _outcome(self, rule: str, findings: Iterable[Finding]) -> RuleOutcome:
        own = [f for f in findings if f.fault.rule == rule or rule in f.kinds]
        if own:
            levels = [f.fault.level for f in own if f.fault.level is not None]
            worst: Level | None = max(levels, key=LEVELS.index) if levels else None
            ids = tuple(f.id for f in own)
            return RuleOutcome("broken", worst, max(1, self.state.checks[rule]), ids)
        verdict: Verdict = "unchecked"
        if self.state.checks[rule]:
            verdict = "kept"
        elif rule == "provider" and self.state.examples:
            verdict = "not_observable"  # what was rendered is no provider's request
        elif not observable(rule, self.renderer.identity.view, self.renderer.identity.rules):
            verdict = "not_observable"
        return RuleOutcome(verdict, checks=self.state.checks[rule])


def _same_but_aspect(one: Fault, other: Fault) -> bool:
    return replace(one, aspect=None) == replace(other, aspect=None)


def _order(finding: Finding) -> tuple[int, int, str]:
    """Worst first, then in the order of the rules."""
    severity = SEVERITIES.index(finding.severity)
    return (-severity, list(RULES).index(finding.fault.rule), finding.id)


def _finding(
    case: Case, found: Found, lens: Lens, revision: str, flaky: Flaky | None = None
) -> Finding:
    rendering = found.rendering if found.rendering and case.before else lens.look(case)
    return Finding(
        fault=found.fault,
        severity=found.severity,
        basis=RULES[found.fault.rule].basis(revision),
        summary=found.note,
        case=replace(case, title=found.note[:1].upper() + found.note[1:], rule=found.fault.rule),
        expected=expected(case),
        observed=rendering,
        explanation=explanation(found, case, rendering),
        pair=found.pair,
        kinds=found.kinds,
        flaky=flaky,
    )
