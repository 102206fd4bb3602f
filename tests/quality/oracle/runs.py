"""Running fakes through the oracle: cases drawn once, judged as a campaign judges them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from tests.fakes.faulty import FaultyFake
from tests.fakes.registry import FAULTY

from mcp_prompt_fuzz.campaign import CampaignOptions
from mcp_prompt_fuzz.case import NEWEST_REVISION, Case
from mcp_prompt_fuzz.drawing import draw_cases
from mcp_prompt_fuzz.finding import Fault
from mcp_prompt_fuzz.oracle import Conditions, Found, Lens, judge
from mcp_prompt_fuzz.oracle.isolation import survey, varies
from mcp_prompt_fuzz.reduction import reduce
from mcp_prompt_fuzz.renderer import Renderer, View
from mcp_prompt_fuzz.rules import at_least
from mcp_prompt_fuzz.sweep import richest, sweep

FULL = os.environ.get("MCP_PROMPT_FUZZ_QUALITY") == "full"
"""Whether the large budget was asked for."""


@lru_cache(maxsize=64)
def cases_for(
    view: View,
    drawn: int,
    seed: int = 0,
    revision: str = NEWEST_REVISION,
    sandboxed: bool = False,
) -> tuple[Case, ...]:
    """The sweep, then `drawn` drawn cases: the same objects for every fake."""
    options = CampaignOptions(max_examples=drawn, seed=seed, revision=revision)
    swept = sweep(revision, view, sandboxed=sandboxed)
    return (*swept, *draw_cases(options, view, sandboxed=sandboxed))


class Judge:
    """Judges one renderer as a campaign does, and keeps count."""

    def __init__(self, renderer: Renderer, first: Case, revision: str = NEWEST_REVISION) -> None:
        self.renderer = renderer
        self.lens = Lens(renderer.render)
        view = renderer.identity.view
        volatile = varies(self.lens, first)
        self.conditions = Conditions(view, revision, volatile=volatile)
        self.leak = survey(self.lens, (first, richest(revision)), self.conditions)
        if self.leak is not None:
            self.lens.remember = False
            state_rules = frozenset({"isolated", "robust"})
            self.conditions = replace(self.conditions, wanted=state_rules)

    def found(self, case: Case) -> list[Found]:
        """Every fault seen on the case."""
        return judge(case, self.lens, self.conditions).found

    def shows(self, fault: Fault, case: Case) -> bool:
        """Whether the case shows that fault, judged by its rule alone."""
        if fault.rule == "isolated" and not case.before:
            return False
        conditions = replace(self.conditions, wanted=frozenset({fault.rule}), thorough=True)
        return any(f.fault == fault for f in judge(case, self.lens, conditions).found)

    def sightings(self, cases: Sequence[Case]) -> Iterator[tuple[int, Case, Found]]:
        """What is seen, case by case, with the number of cases judged so far."""
        if self.leak is not None:
            yield 1, case_of(self.leak, cases[0]), self.leak
        for number, case in enumerate(cases, start=1):
            for found in self.found(case):
                yield number, case_of(found, case), found


def case_of(found: Found, case: Case) -> Case:
    """The case that is to be shrunk: one with a history where the fault rests on it."""
    return found.case if found.case is not None and found.case.before else case


def alarms(
    renderer: Renderer, cases: Sequence[Case], revision: str = NEWEST_REVISION
) -> list[tuple[Case, Found]]:
    """Every fault at or above `distortion`, each once, with the first case that shows it."""
    first: dict[Fault, tuple[Case, Found]] = {}
    for _, case, found in Judge(renderer, cases[0], revision).sightings(cases):
        if at_least(found.severity, "distortion"):
            first.setdefault(found.fault, (case, found))
    return list(first.values())


@dataclass
class Discovery:
    """How a fault was found: after how many examples, on which case.

    `fault` is None where it wasn't; `examples` is then how many were judged. `others` are faults
    that nobody should see of this fake, at or above `distortion`.
    """

    judge: Judge
    examples: int = 0
    fault: Fault | None = None
    case: Case | None = None
    others: list[str] = field(default_factory=list)


def is_stated(fake: FaultyFake, fault: Fault) -> bool:
    """Whether the fault is the one that the fake states."""
    return (
        fault.rule == fake.rule
        and (not fake.aspects or fault.aspect in fake.aspects)
        and (fake.part is None or fault.part == fake.part)
        and (fake.level is None or fault.level == fake.level)
    )


def discover(
    fake: FaultyFake,
    *,
    seed: int = 0,
    drawn: int = 500,
    afterwards: int = 0,
    cases: Sequence[Case] | None = None,
) -> Discovery:
    """Judge until the fake's fault is seen, and then `afterwards` cases more."""
    renderer = fake.make()
    if cases is None:
        sandboxed = renderer.identity.sandboxed
        cases = cases_for(renderer.identity.view, drawn, seed, sandboxed=sandboxed)
    discovery = Discovery(Judge(renderer, cases[0]))
    allowed = {fake.rule, *fake.also}
    for number, case, found in discovery.judge.sightings(cases):
        if discovery.fault is not None and number > discovery.examples + afterwards:
            break
        if discovery.fault is None and is_stated(fake, found.fault):
            discovery.examples, discovery.fault, discovery.case = number, found.fault, case
        elif at_least(found.severity, "distortion") and found.fault.rule not in allowed:
            discovery.others.append(f"{found.fault}: {found.note} | {case.title}")
    if discovery.fault is None:
        discovery.examples = len(cases)
    return discovery


SEEDS = range(10) if FULL else range(1)
DRAWN = 2_000 if FULL else 500
AFTERWARDS = 200 if FULL else 12
"""Cases that are judged after the discovery, for rules that are wrongly blamed."""


@lru_cache(maxsize=256)
def discovered(name: str, seed: int) -> Discovery:
    """How the fault of that fake is found: looked for once, for every test that asks."""
    return discover(FAULTY[name], seed=seed, drawn=DRAWN, afterwards=AFTERWARDS)


def shrink(discovery: Discovery) -> tuple[Case, int]:
    """The smallest case found that shows the fault, and the renderings that it took."""
    fault, case, judging = discovery.fault, discovery.case, discovery.judge
    assert fault is not None, "nothing was discovered"
    assert case is not None, "a fault is seen on a case"
    before = judging.lens.renderings
    smallest = reduce(case, lambda candidate: judging.shows(fault, candidate))
    return smallest, judging.lens.renderings - before


def median(numbers: Iterable[float]) -> float:
    """The middle one, the lower of the two middle ones where their number is even."""
    ordered = sorted(numbers)
    return ordered[(len(ordered) - 1) // 2]
