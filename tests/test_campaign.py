"""What a campaign makes of a renderer: each fault found once, shrunk, confirmed, told."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

import pytest

from mcp_prompt_fuzz.campaign import CONFIRMATIONS, CampaignOptions, judge_case, run_campaign
from mcp_prompt_fuzz.case import Case
from mcp_prompt_fuzz.finding import Fault, Finding, Flaky
from mcp_prompt_fuzz.jsontypes import Json
from mcp_prompt_fuzz.reduction import plain_prompts
from mcp_prompt_fuzz.reference import expected
from mcp_prompt_fuzz.renderer import Identity, RendererUnavailable
from mcp_prompt_fuzz.rendering import Breakage, Rendering
from mcp_prompt_fuzz.transcript import Transcript

IMAGES = CampaignOptions(max_examples=20, seed=1, rules=("image",))


class Fake:
    """Renders everything, then lets `change` have its way; counts."""

    identity = Identity("fake", "fake", "1", lane="function", view="result")

    def __init__(self, change: Callable[[Fake, Case, Transcript], Rendering]) -> None:
        self.change = change
        self.rendered: list[str] = []
        self.coming: list[Case] = []
        self.prompts: list[Json] = []

    def prepare(self, cases: Iterable[Case]) -> None:
        self.coming += cases

    def render(self, case: Case) -> Rendering:
        self.rendered.append(case.key)
        self.prompts.append(case.prompt)
        return self.change(self, case, expected(case))

    def close(self) -> None:
        """Nothing to do."""


def without_images(turns: Transcript) -> Transcript:
    return tuple(turn for turn in turns if turn.parts[0].kind != "image")


def keeps(_fake: Fake, _case: Case, turns: Transcript) -> Rendering:
    return Rendering(turns)


def drops_images(_fake: Fake, _case: Case, turns: Transcript) -> Rendering:
    return Rendering(without_images(turns))


class Watching:
    """Notes what a campaign tells of its progress."""

    def __init__(self) -> None:
        self.stages: list[tuple[str, int | None]] = []
        self.steps: list[int] = []
        self.findings: list[Finding] = []

    def stage(self, name: str, total: int | None) -> None:
        self.stages.append((name, total))
        self.steps.append(0)

    def advance(self, n: int = 1) -> None:
        self.steps[-1] += n

    def found(self, finding: Finding) -> None:
        self.findings.append(finding)


def test_a_renderer_is_told_of_every_definition_before_it_is_tried() -> None:
    fake = Fake(drops_images)
    run_campaign(fake, IMAGES)
    told = [case.prompt for case in fake.coming]
    assert all(plain.prompt in told for plain in plain_prompts())
    assert all(prompt in told for prompt in fake.prompts)


def test_a_fault_is_found_once_and_shrunk() -> None:
    record = run_campaign(Fake(drops_images), IMAGES)
    (finding,) = record.findings
    assert (finding.fault, finding.severity) == (Fault("image", "image", "lost"), "loss")
    assert [message["content"]["type"] for message in finding.case.messages] == ["image"]
    assert finding.flaky is None
    assert record.rules["image"].verdict == "broken"
    assert record.rules["image"].findings == (finding.id,)
    assert record.status == "complete"


def test_nothing_is_found_in_what_is_kept() -> None:
    record = run_campaign(Fake(keeps), replace(IMAGES, rules=("*",)))
    assert record.findings == ()
    assert record.rules["image"].verdict == "kept"
    assert record.rules["list.gated"].verdict == "not_observable"


def test_only_the_rules_that_were_asked_for_are_checked() -> None:
    record = run_campaign(Fake(drops_images), replace(IMAGES, rules=("text.verbatim",)))
    assert record.findings == ()
    assert {rule for rule, outcome in record.rules.items() if outcome.checks} == {"text.verbatim"}


def test_a_run_that_checks_nothing_says_so() -> None:
    record = run_campaign(Fake(keeps), replace(IMAGES, rules=("list.gated",)))
    assert not any(outcome.checks for outcome in record.rules.values())


def test_what_shows_now_and_then_is_flaky_with_its_rate() -> None:
    def drops_at_first(fake: Fake, _case: Case, turns: Transcript) -> Rendering:
        confirming = len(fake.rendered) > 40 and fake.rendered.count(fake.rendered[-1]) > 1
        return Rendering(turns if confirming else without_images(turns))

    record = run_campaign(Fake(drops_at_first), IMAGES)
    (finding,) = record.findings
    assert finding.flaky is not None
    assert finding.flaky.of == CONFIRMATIONS + 1
    assert 1 <= finding.flaky.failed <= CONFIRMATIONS
    assert finding.flaky == Flaky(finding.flaky.failed, CONFIRMATIONS + 1)


def test_nothing_is_rendered_twice_while_exploring() -> None:
    kept = Fake(keeps)
    run_campaign(kept, replace(IMAGES, rules=("image", "text.verbatim")))
    exploring = kept.rendered[4:]  # the survey looks twice on purpose
    assert len(exploring) == len(set(exploring))


def test_a_case_that_breaks_the_renderer_is_a_finding_and_the_run_goes_on() -> None:
    def exits(_fake: Fake, case: Case, turns: Transcript) -> Rendering:
        broken = any(message["content"]["type"] == "image" for message in case.messages)
        return Rendering(broke=Breakage("exit", "status 3")) if broken else Rendering(turns)

    record = run_campaign(Fake(exits), replace(IMAGES, rules=("robust", "text.verbatim")))
    assert [finding.fault for finding in record.findings] == [Fault("robust", aspect="exit")]
    assert len(record.findings[0].case.messages) == 1
    assert record.counts.examples > 20


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (KeyboardInterrupt(), ()),
        (RendererUnavailable("gone", "start it again"), ("the renderer was lost: gone",)),
    ],
)
def test_what_was_found_before_the_end_is_told(error: BaseException, told: tuple[str, ...]) -> None:
    def ends(fake: Fake, case: Case, turns: Transcript) -> Rendering:
        if len(fake.rendered) > 40:
            raise error
        return drops_images(fake, case, turns)

    record = run_campaign(Fake(ends), IMAGES)
    assert (record.status, record.errors) == ("interrupted", told)
    assert [finding.fault.rule for finding in record.findings] == ["image"]
    assert record.counts.examples > 0


def test_a_renderer_that_never_came_is_an_error() -> None:
    def gone(_fake: Fake, _case: Case, _turns: Transcript) -> Rendering:
        raise RendererUnavailable("gone", "start it again")

    with pytest.raises(RendererUnavailable, match="gone"):
        run_campaign(Fake(gone), IMAGES)


def test_a_fault_of_the_oracle_costs_its_shard_alone() -> None:
    def fails(fake: Fake, case: Case, turns: Transcript) -> Rendering:
        if case.title.startswith("hard strings, 1"):
            raise AssertionError("no renderer may raise")
        return drops_images(fake, case, turns)

    record = run_campaign(Fake(fails), IMAGES)
    assert record.status == "interrupted"
    assert all(e.startswith("given up after 3 failures: sweep") for e in record.errors)
    assert [finding.fault.rule for finding in record.findings] == ["image"]
    assert record.counts.examples >= IMAGES.max_examples


def test_a_renderer_that_keeps_state_is_judged_by_little() -> None:
    def leaks(fake: Fake, case: Case, turns: Transcript) -> Rendering:
        before, fake.last = getattr(fake, "last", ()), turns  # type: ignore[attr-defined]
        return Rendering((*before, *turns))

    record = run_campaign(Fake(leaks), replace(IMAGES, max_examples=1, rules=("*",)))
    assert record.rules["isolated"].verdict == "broken"
    assert {f.fault.rule for f in record.findings} == {"isolated"}
    assert any("keeps state" in error for error in record.errors)
    assert record.findings[0].case.before


def test_progress_is_told_in_stages_and_steps() -> None:
    watching = Watching()
    record = run_campaign(Fake(drops_images), IMAGES, watching)
    names = [name for name, _ in watching.stages]
    assert names == ["looking at the renderer", "exploring", "shrinking"]
    assert watching.stages[1][1] == watching.steps[1] == record.counts.examples
    assert watching.stages[2][1] == watching.steps[2] == 1
    assert [finding.fault for finding in watching.findings] == [record.findings[0].fault]


def test_the_time_limit_ends_it_early_and_says_so() -> None:
    record = run_campaign(Fake(drops_images), replace(IMAGES, max_examples=500, time_limit=1e-6))
    assert record.counts.examples == 0
    assert "the time limit ended the exploring early" in record.errors


def test_one_case_can_be_judged_alone() -> None:
    (finding,) = run_campaign(Fake(drops_images), IMAGES).findings
    findings, checked, rendering = judge_case(Fake(drops_images), finding.case, "image")
    assert [each.fault for each in findings] == [finding.fault]
    assert "image" in checked
    assert rendering.turns == ()


def test_what_is_observed_of_a_case_with_a_history_is_its_own_rendering() -> None:
    (least,) = run_campaign(Fake(drops_images), IMAGES).findings
    words = {"role": "user", "content": {"type": "text", "text": "words"}}
    case = replace(least.case, messages=(*least.case.messages, words), before=(least.case,))
    ((finding,), _, rendering) = judge_case(Fake(drops_images), case, "image")
    assert finding.observed == rendering
    assert rendering.turns == expected(replace(case, messages=(words,)))
