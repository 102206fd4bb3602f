"""A renderer judged under the conditions of a campaign."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from ..case import NEWEST_REVISION, Case
from ..explain import explanation
from ..finding import Fault, Finding, Flaky
from ..oracle import Conditions, Found, Judgement, Lens, judge
from ..oracle.isolation import survey, varies
from ..reference import expected
from ..renderer import Identity, Renderer
from ..rendering import Rendering
from ..rules import RULES, basis_of, matching, observable
from ..sweep import richest
from .options import CampaignOptions
from .shards import swept_cases

_STATE_RULES: Final = frozenset({"isolated", "robust"})
"""All that can be judged of a renderer that keeps state."""


@dataclass(frozen=True)
class Survey:
    """What is learned of a renderer before anything else.

    `volatile`: renderings of one case differ by themselves. `leak`: something of one prompt stands
    in the next. `renderings` is what it took.
    """

    identity: Identity
    volatile: bool = False
    leak: Finding | None = None
    renderings: int = 0


@dataclass(frozen=True)
class Brief:
    """What whoever works for a campaign has to know."""

    options: CampaignOptions
    survey: Survey


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
    findings = [finding_of(case, found, lens, revision) for found in judgement.found]
    return findings, set(judgement.checks), lens.look(case)


def rules_of(options: CampaignOptions, identity: Identity) -> frozenset[str]:
    """The rules that are asked for and that the renderer can show."""
    wanted = matching(RULES, options.rules)
    return frozenset(rule for rule in wanted if observable(rule, identity.view, identity.rules))


def surveyed(renderer: Renderer, options: CampaignOptions) -> Survey:
    """Learn whether renderings vary by themselves, and whether they leave anything behind."""
    identity = renderer.identity
    lens = Lens(renderer.render)
    first, rich = swept_cases(options.revision, identity)[0], richest(options.revision)
    renderer.prepare([first, rich])
    volatile = varies(lens, first)
    wanted = rules_of(options, identity)
    conditions = Conditions(identity.view, options.revision, volatile=volatile, wanted=wanted)
    leak = survey(lens, (first, rich), conditions)
    finding = None
    if leak is not None:
        shown = leak.case if leak.case is not None and leak.case.before else first
        finding = finding_of(shown, leak, lens, options.revision)
    return Survey(renderer.identity, volatile, finding, lens.renderings)


class Judge:
    """Judges a renderer's cases as a campaign wants it, and counts what it asks for."""

    def __init__(self, renderer: Renderer, brief: Brief) -> None:
        options, survey = brief.options, brief.survey
        self.renderer = renderer
        self.options = options
        self.rules = rules_of(options, survey.identity)
        self.lens = Lens(renderer.render, remember=survey.leak is None)
        wanted: frozenset[str] | None = None if self.rules == set(RULES) else self.rules
        if survey.leak is not None:
            wanted = _STATE_RULES & self.rules
        self.conditions = Conditions(
            survey.identity.view, options.revision, volatile=survey.volatile, wanted=wanted
        )

    def judged(self, case: Case, spared: frozenset[str]) -> Judgement:
        """The judgement of one example, without the rules that are spared."""
        conditions = replace(self.conditions, thorough=False)
        if spared:
            wanted = self.rules if conditions.wanted is None else conditions.wanted
            conditions = replace(conditions, wanted=wanted - spared)
        return judge(case, self.lens, conditions)

    def by_rule(self, rule: str, case: Case, lens: Lens | None = None) -> Sequence[Found]:
        """What one rule finds, at whatever it takes."""
        conditions = replace(self.conditions, wanted=frozenset({rule}), thorough=True)
        return judge(case, lens or self.lens, conditions).found

    def finding(self, case: Case, found: Found, flaky: Flaky | None = None) -> Finding:
        """The finding that a fault on a case amounts to."""
        return finding_of(case, found, self.lens, self.options.revision, flaky)

    def shows_afresh(self, fault: Fault, case: Case) -> bool:
        """Whether the fault shows again when nothing is remembered."""
        fresh = Lens(self.renderer.render, remember=self.lens.remember)
        shown = any(found.fault == fault for found in self.by_rule(fault.rule, case, fresh))
        self.lens.renderings += fresh.renderings
        return shown


def finding_of(
    case: Case, found: Found, lens: Lens, revision: str, flaky: Flaky | None = None
) -> Finding:
    """What was found, told of the case that shows it."""
    rendering = found.rendering if found.rendering and case.before else lens.look(case)
    return Finding(
        fault=found.fault,
        severity=found.severity,
        basis=basis_of(found.fault.rule, found.fault.aspect, revision),
        summary=found.note,
        case=replace(case, title=found.note[:1].upper() + found.note[1:], rule=found.fault.rule),
        expected=expected(case),
        observed=rendering,
        explanation=explanation(found, case, rendering),
        pair=found.pair,
        kinds=found.kinds,
        flaky=flaky,
    )
