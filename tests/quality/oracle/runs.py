"""Running fakes as a campaign does, with its own shards, judge and reducer."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import groupby, zip_longest

from tests.fakes.faulty import FaultyFake
from tests.fakes.registry import FAITHFUL, FAULTY

from mcp_prompt_fuzz.campaign import CampaignOptions
from mcp_prompt_fuzz.campaign.explore import explore
from mcp_prompt_fuzz.campaign.judging import Brief, Judge, surveyed
from mcp_prompt_fuzz.campaign.shards import plan
from mcp_prompt_fuzz.campaign.shrink import Answer
from mcp_prompt_fuzz.campaign.shrink import shrink as shrink_finding
from mcp_prompt_fuzz.case import Case
from mcp_prompt_fuzz.finding import Fault, Finding
from mcp_prompt_fuzz.renderer import Renderer
from mcp_prompt_fuzz.rules import at_least

FULL = os.environ.get("MCP_PROMPT_FUZZ_QUALITY") == "full"
"""Whether the large budget was asked for."""


def examples(judge: Judge, leak: Finding | None = None) -> Iterator[tuple[int, Iterable[Finding]]]:
    """What each case of the campaign shows, the sweep first, with the number of cases until then.

    Cases are drawn when they are come to. A `leak` that the survey has shown comes with the first.
    """
    if leak is not None:
        yield 1, (leak,)
    number = 0
    for shard in plan(judge.options, judge.renderer.identity):
        for example in explore(judge, shard):
            number += 1
            yield number, example.found


def described(finding: Finding) -> str:
    """The finding in one line, with the case that shows it."""
    return f"{finding.fault}: {finding.summary} | {finding.case.key}"


def tell(text: str) -> None:
    """Tell how far it is, on standard error."""
    sys.stderr.write(f"{time.strftime('%H:%M:%S')} {text}\n")
    sys.stderr.flush()


@dataclass
class Line:
    """A faithful fake over all the cases."""

    name: str
    renderer: Renderer
    brief: Brief
    examples: int = 0
    seconds: float = 0.0
    blamed: dict[str, str] = field(default_factory=dict)

    def blame(self, findings: Iterable[Finding]) -> None:
        """Note what it is wrongly blamed for."""
        for finding in findings:
            rule = finding.fault.rule
            if at_least(finding.severity, "distortion") and rule not in self.blamed:
                self.blamed[rule] = described(finding)
                tell(f"FALSE ALARM: {self.name}: {self.blamed[rule]}")


def faithful_lines(names: Iterable[str], options: CampaignOptions) -> list[Line]:
    """Judge those faithful fakes, all on the same cases, which are drawn once."""
    lines = []
    for name in names:
        renderer = FAITHFUL[name]()
        line = Line(name, renderer, Brief(options, surveyed(renderer, options)))
        line.blame(() if line.brief.survey.leak is None else (line.brief.survey.leak,))
        lines.append(line)
    lines.sort(key=_alike)
    groups = [list(group) for _, group in groupby(lines, key=_alike)]
    plans = [plan(options, group[0].renderer.identity) for group in groups]
    for number, shards in enumerate(zip_longest(*plans), start=1):
        for group, shard in zip(groups, shards, strict=True):
            for line in group if shard is not None else ():
                begun = time.process_time()
                # A judge for each shard: what they remember together would be too much.
                for example in explore(Judge(line.renderer, line.brief), shard):
                    line.examples += 1
                    line.blame(example.found)
                line.seconds += time.process_time() - begun
        examples = [line.examples for line in lines]
        alarms = sum(len(line.blamed) for line in lines)
        tell(
            f"shard {number} of {max(map(len, plans))}: {min(examples)} to {max(examples)} "
            f"examples each, {alarms} false alarms"
        )
    return lines


def _alike(line: Line) -> tuple[str, bool]:
    """Equal for renderers that get the same cases."""
    identity = line.renderer.identity
    return identity.view, identity.sandboxed


@dataclass
class Discovery:
    """How a fault was found: after how many examples, and as what.

    `finding` is None where it wasn't; `examples` is then how many were judged. `others` are faults
    that nobody should see of this fake, at or above `distortion`, each with a case.
    """

    judge: Judge
    examples: int = 0
    finding: Finding | None = None
    others: dict[Fault, str] = field(default_factory=dict)


def is_stated(fake: FaultyFake, fault: Fault) -> bool:
    """Whether the fault is the one that the fake states."""
    return (
        fault.rule == fake.rule
        and (not fake.aspects or fault.aspect in fake.aspects)
        and (fake.part is None or fault.part == fake.part)
        and (fake.level is None or fault.level == fake.level)
    )


def discover(
    fake: FaultyFake, *, seed: int = 0, drawn: int = 500, afterwards: int = 0
) -> Discovery:
    """Judge until the fake's fault is seen, and then `afterwards` cases more."""
    renderer = fake.make()
    options = CampaignOptions(max_examples=drawn, seed=seed)
    brief = Brief(options, surveyed(renderer, options))
    discovery = Discovery(Judge(renderer, brief))
    allowed = {fake.rule, *fake.also}
    last = None
    for number, found in examples(discovery.judge, brief.survey.leak):
        if last is not None and number > last:
            break
        for finding in found:
            if discovery.finding is None and is_stated(fake, finding.fault):
                discovery.finding, last = finding, number + afterwards
            elif at_least(finding.severity, "distortion") and finding.fault.rule not in allowed:
                discovery.others.setdefault(finding.fault, described(finding))
        discovery.examples = number if last is None else last - afterwards
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
    """The smallest case found that shows the fault, and the renderings that it took.

    Those that confirm it afterwards do not count.
    """
    assert discovery.finding is not None, "nothing was discovered"
    answers: list[Answer] = []
    shrunk = shrink_finding(discovery.judge, discovery.finding, {}, answers.append)
    return shrunk.finding.case, sum(answer.renderings for answer in answers)


def median(numbers: Iterable[float]) -> float:
    """The middle one, the lower of the two middle ones where their number is even."""
    ordered = sorted(numbers)
    return ordered[(len(ordered) - 1) // 2]
