"""What is found does not depend on who does the work, nor on the order in which it comes back."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from tests import campaign_fakes

from mcp_prompt_fuzz.campaign import Campaign, CampaignOptions, Silent, run_campaign
from mcp_prompt_fuzz.campaign import team as team_module
from mcp_prompt_fuzz.campaign.gathered import Gathered
from mcp_prompt_fuzz.campaign.processes import Processes
from mcp_prompt_fuzz.campaign.shards import DRAWN_A_SHARD, cases_of, plan
from mcp_prompt_fuzz.campaign.team import Team
from mcp_prompt_fuzz.campaign.wire import (
    Event,
    event_from_json,
    event_to_json,
    finding_from_json,
    finding_to_json,
)
from mcp_prompt_fuzz.campaign.worker import Opening
from mcp_prompt_fuzz.case import NEWEST_REVISION
from mcp_prompt_fuzz.renderer import Identity, Renderer, RendererUnavailable
from mcp_prompt_fuzz.renderers import open_renderer
from mcp_prompt_fuzz.run_record import RunRecord

OPTIONS = CampaignOptions(max_examples=DRAWN_A_SHARD + 10, seed=5)
SOME_RULES = CampaignOptions(max_examples=20, seed=5, rules=("image", "text.*", "robust"))
ME = Identity("x", "x", "1", lane="function", view="session")


def spec_of(fake: str) -> str:
    return f"python:tests.campaign_fakes:{fake}"


def opened(fake: str) -> Renderer:
    return open_renderer(
        f"python:tests.campaign_fakes:{fake}", revision=NEWEST_REVISION, timeout=30
    )


@contextmanager
def team_of(workers: int, fake: str) -> Iterator[Team]:
    opening = Opening(uuid4().hex, spec_of(fake), NEWEST_REVISION, 30)
    team = Team(Processes(workers), opening)
    try:
        yield team
    finally:
        team.close()


def alone(fake: str, options: CampaignOptions = OPTIONS) -> RunRecord:
    return run_campaign(opened(fake), options)


def together(workers: int, fake: str, options: CampaignOptions = OPTIONS) -> RunRecord:
    with team_of(workers, fake) as team:
        return Campaign(team, options, Silent()).run()


def told(record: RunRecord) -> list[Any]:
    """Everything of the findings: fault, severity, smallest case, evidence, whether flaky."""
    return [json.dumps(finding_to_json(finding), sort_keys=True) for finding in record.findings]


def checks(record: RunRecord) -> dict[str, int]:
    return {rule: outcome.checks for rule, outcome in record.rules.items()}


FAKES = ["keeps", "trims", "joins", "reverses_and_shouts"]


@pytest.mark.parametrize("fake", FAKES)
def test_two_workers_find_what_one_finds(fake: str) -> None:
    one, two = alone(fake), together(2, fake)
    assert told(one) == told(two)
    assert checks(one) == checks(two)
    assert one.counts.examples == two.counts.examples
    assert (one.status, two.status) == ("complete", "complete")
    assert bool(one.findings) == (fake != "keeps")


def test_it_holds_for_renderers_that_vary_or_keep_state() -> None:
    few = replace(SOME_RULES, max_examples=1, rules=("audio", "isolated"))
    for fake in ("counts", "leaks"):
        one, two = alone(fake, few), together(2, fake, few)
        faults = [[(f.fault, f.severity) for f in record.findings] for record in (one, two)]
        assert faults[0] == faults[1], fake


def test_shards_cover_what_was_asked_for_and_differ() -> None:
    options = CampaignOptions(max_examples=2 * DRAWN_A_SHARD + 7, seed=3)
    drawn = [shard for shard in plan(options, ME) if shard.kind == "drawn"]
    assert [shard.count for shard in drawn] == [DRAWN_A_SHARD, DRAWN_A_SHARD, 7]
    assert len({shard.seed for shard in drawn}) == 3
    assert len({shard.name for shard in plan(options, ME)}) == len(plan(options, ME))
    first, second = (cases_of(shard, options, ME) for shard in drawn[:2])
    assert [case.key for case in first] != [case.key for case in second]


def test_a_longer_run_begins_like_a_shorter_one() -> None:
    short, long = (
        plan(CampaignOptions(max_examples=n * DRAWN_A_SHARD, seed=3), ME) for n in (1, 2)
    )
    assert long[: len(short)] == short


class Kept:
    """Keeps events in memory."""

    earlier_seconds = 0.0
    started = None

    def __init__(self, events: tuple[Event, ...] = ()) -> None:
        self.events = events
        self.learned: list[Event] = []

    def keep(self, event: Event) -> None:
        self.learned.append(event)


def test_events_survive_their_json() -> None:
    kept = Kept()
    run_campaign(opened("joins"), SOME_RULES, keeper=kept)
    assert {type(event).__name__ for event in kept.learned} == {
        "Survey",
        "Example",
        "Answer",
        "Shrunk",
    }
    for event in kept.learned:
        assert event_from_json(json.loads(json.dumps(event_to_json(event)))) == event


def test_what_comes_in_any_order_adds_up_to_the_same() -> None:
    kept = Kept()
    record = run_campaign(opened("reverses_and_shouts"), OPTIONS, keeper=kept)
    shards = plan(OPTIONS, record.identity)
    by_shard: dict[object, list[Event]] = {}
    for event in kept.learned:
        by_shard.setdefault(getattr(event, "shard", None), []).append(event)
    for number in range(5):
        order = list(by_shard.values())
        random.Random(number).shuffle(order)
        gathered = Gathered()
        for events in order:
            for event in events:
                gathered.add(event)
        assert gathered.findings(shards) == record.findings


def test_an_example_that_comes_twice_or_too_early_does_not_count() -> None:
    kept = Kept()
    run_campaign(opened("drops_images"), SOME_RULES, keeper=kept)
    examples = [event for event in kept.learned if hasattr(event, "shard")]
    gathered = Gathered()
    for event in (examples[1], examples[0], examples[0]):
        gathered.add(event)
    assert (gathered.examples, gathered.judged(examples[0].shard)) == (1, 1)


def test_a_process_that_dies_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(campaign_fakes.MARK, str(tmp_path / "died"))
    record = together(2, "dies_once", SOME_RULES)
    assert (tmp_path / "died").exists()
    assert (record.status, record.errors) == ("complete", ())
    assert told(record) == told(alone("drops_images", SOME_RULES)) or [
        f.fault for f in record.findings
    ] == [f.fault for f in alone("drops_images", SOME_RULES).findings]


def test_a_shard_that_fails_three_times_is_given_up_and_the_rest_stands() -> None:
    record = together(2, "dies_of_sounds", SOME_RULES)
    assert record.status == "interrupted"
    assert record.errors
    assert all(e.startswith("given up after 3 failures: sweep") for e in record.errors)
    assert [finding.fault.rule for finding in record.findings] == ["image"]
    assert record.counts.examples >= SOME_RULES.max_examples


def test_a_renderer_that_no_worker_can_open_is_unavailable() -> None:
    with team_of(2, "no_such_function") as team, pytest.raises(Exception, match="no_such_function"):
        team.identity()
    opening = Opening("x", "python:no_such_module:f", NEWEST_REVISION, 30)
    team = Team(Processes(1), opening)
    with pytest.raises(RendererUnavailable, match="no_such_module"):
        team.identity()
    team.close()


class NobodyLeft:
    """Takes work, and has nobody to do it."""

    width = 1

    def submit(self, order: str) -> Future[str]:
        return Future()

    def look(self) -> None:
        raise RendererUnavailable("no worker is left", "start one")

    def hurry(self) -> None: ...

    def close(self) -> None: ...


def test_work_that_nobody_is_left_to_do_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(team_module, "_LOOK", 0.01)
    opening = Opening("x", spec_of("keeps"), NEWEST_REVISION, 30)
    with pytest.raises(RendererUnavailable, match="no worker is left"):
        Team(NobodyLeft(), opening).identity()


def test_findings_survive_their_json() -> None:
    for finding in alone("joins", SOME_RULES).findings:
        assert finding_from_json(json.loads(json.dumps(finding_to_json(finding)))) == finding
