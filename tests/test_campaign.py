"""A campaign from the sweep to the record."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest
from tests.fakes.blocks import dropping, of_kind, on_texts
from tests.fakes.faulty import case, said, shown
from tests.fakes.registry import FAITHFUL, FAULTY
from tests.fakes.renderers import OfResult
from tests.fakes.shapes_messages import one_part_a_message

from mcp_prompt_fuzz.campaign import CampaignOptions, judge_case, run_campaign
from mcp_prompt_fuzz.case import Case
from mcp_prompt_fuzz.drawing import draw_cases
from mcp_prompt_fuzz.finding import Fault, Finding
from mcp_prompt_fuzz.reduction import size_of
from mcp_prompt_fuzz.renderer import Identity, Renderer, RendererUnavailable
from mcp_prompt_fuzz.rendering import Rendering
from mcp_prompt_fuzz.rules import RULES
from mcp_prompt_fuzz.run_record import RunRecord
from mcp_prompt_fuzz.sweep import sweep

NEWEST = "2026-07-28"


class Watching:
    """Writes down what a campaign says while it runs."""

    def __init__(self) -> None:
        self.stages: list[str] = []
        self.steps = 0
        self.seen: list[Finding] = []

    def stage(self, name: str, total: int | None) -> None:
        self.stages.append(name)

    def advance(self, n: int = 1) -> None:
        self.steps += n

    def found(self, finding: Finding) -> None:
        self.seen.append(finding)


class Wrapped:
    """A renderer that does something first at each rendering."""

    def __init__(self, inner: Renderer, every: int, what: BaseException) -> None:
        self.inner, self.left, self.what = inner, every, what
        self.identity: Identity = inner.identity
        self.prepared: list[Case] = []

    def prepare(self, cases: Iterable[Case]) -> None:
        self.prepared += cases

    def render(self, case: Case) -> Rendering:
        self.left -= 1
        if self.left < 0:
            raise self.what
        return self.inner.render(case)

    def close(self) -> None:
        self.inner.close()


def run(renderer: Renderer, max_examples: int = 0, **options: object) -> RunRecord:
    """A campaign of the sweep alone, unless told."""
    return run_campaign(renderer, CampaignOptions(max_examples=max_examples, **options))  # type: ignore[arg-type]


def faults(record: RunRecord) -> set[Fault]:
    return {finding.fault for finding in record.findings}


LOSSY = OfResult(
    one_part_a_message,
    lambda blocks: on_texts(str.strip)(dropping(of_kind("image"))(blocks)),
)


def test_a_faithful_renderer() -> None:
    record = run(FAITHFUL["merged_neighbours"](), 20)
    assert record.findings == ()
    assert record.status == "complete"
    assert record.counts.examples == len(sweep(NEWEST, "result")) + 20
    verdicts = {rule: outcome.verdict for rule, outcome in record.rules.items()}
    assert set(verdicts) == set(RULES)
    for rule in ("text.verbatim", "image", "audio", "order", "roles", "distinct", "isolated"):
        assert verdicts[rule] == "kept", rule
        assert record.rules[rule].checks > 0
    for rule in ("arguments.named", "list.gated", "errors", "provider"):
        assert verdicts[rule] == "not_observable", rule


def test_findings_are_distinct_smallest_and_worst_first() -> None:
    record = run(LOSSY())
    assert faults(record) == {
        Fault("image", "image", "lost"),
        Fault("text.verbatim", "text", "altered", "trim"),
    }
    image, text = record.findings
    assert [image.severity, text.severity] == ["loss", "distortion"]
    assert size_of(image.case) == size_of(case(shown()))
    assert size_of(text.case) == size_of(case(said(" ")))
    assert image.case.rule == "image"
    assert image.case.title
    assert image.flaky is None
    assert image.basis.kind == "fidelity"
    assert image.expected[0].parts[0].kind == "image"
    assert record.rules["image"].verdict == "broken"
    assert record.rules["image"].level == "lost"
    assert record.rules["image"].findings == (image.id,)
    assert record.rules["audio"].verdict == "kept"


def test_some_rules_only() -> None:
    record = run(LOSSY(), rules=("image", "audio"))
    assert faults(record) == {Fault("image", "image", "lost")}
    assert record.rules["text.verbatim"].verdict == "unchecked"
    assert record.rules["audio"].verdict == "kept"


def test_what_a_renderer_can_show_limits_the_rules() -> None:
    renderer = Wrapped(FAITHFUL["merged_neighbours"](), 10**6, ValueError())
    renderer.identity = replace(renderer.identity, rules=("image", "order"))
    record = run(renderer)
    assert record.rules["audio"].verdict == "not_observable"
    assert record.rules["image"].verdict == "kept"


def test_the_same_seed_runs_the_same() -> None:
    options = CampaignOptions(max_examples=30, seed=7)
    one = draw_cases(options, "result", sandboxed=False)
    other = draw_cases(options, "result", sandboxed=False)
    assert [c.key for c in one] == [c.key for c in other]
    different = draw_cases(replace(options, seed=8), "result", sandboxed=False)
    assert [c.key for c in different] != [c.key for c in one]
    assert draw_cases(replace(options, max_examples=0), "result", sandboxed=False) == []


def test_progress_is_told() -> None:
    watching = Watching()
    record = run_campaign(LOSSY(), CampaignOptions(max_examples=0), watching)
    assert [s for s in watching.stages if s in ("exploring", "shrinking")] == watching.stages[-2:]
    assert watching.steps == record.counts.examples + len(record.findings)
    assert {finding.fault for finding in watching.seen} == faults(record)


def test_every_case_is_prepared_first() -> None:
    renderer = Wrapped(FAITHFUL["merged_neighbours"](), 10**6, ValueError())
    record = run(renderer, 5)
    assert len(renderer.prepared) >= record.counts.examples


@pytest.mark.parametrize("renderings", [60, 150])
def test_what_was_found_before_an_interrupt_is_kept(renderings: int) -> None:
    record = run(Wrapped(LOSSY(), renderings, KeyboardInterrupt()))
    assert record.status == "interrupted"
    assert Fault("image", "image", "lost") in faults(record)
    assert record.errors == ()


def test_a_renderer_that_is_lost_on_the_way() -> None:
    record = run(Wrapped(LOSSY(), 60, RendererUnavailable("gone", "start it again")))
    assert record.status == "interrupted"
    assert record.errors == ("the renderer was lost: gone",)
    assert Fault("image", "image", "lost") in faults(record)


def test_a_renderer_that_was_never_there() -> None:
    with pytest.raises(RendererUnavailable):
        run(Wrapped(LOSSY(), 0, RendererUnavailable("gone", "start it")))


def test_time_is_limited() -> None:
    record = run(LOSSY(), 50, time_limit=0.0)
    assert record.counts.examples == 0
    assert record.errors == ("the time limit ended the exploring early",)
    assert record.status == "complete"


def test_state_is_told_once_and_ends_other_judgements() -> None:
    record = run(FAULTY["keeps_the_last_prompt"].make())
    assert {finding.fault.rule for finding in record.findings} == {"isolated"}
    assert record.rules["image"].verdict == "unchecked"
    assert any("keeps state" in error for error in record.errors)
    assert record.findings[0].case.before


def test_what_comes_and_goes_is_flaky() -> None:
    record = run(FAULTY["exits_now_and_then"].make())
    finding = next(f for f in record.findings if f.fault == Fault("robust", aspect="exit"))
    assert finding.flaky is not None
    assert 0 < finding.flaky.failed < finding.flaky.of == 4


def test_a_fault_of_every_kind_names_the_kinds() -> None:
    record = run(FAULTY["uses_the_first_message_only"].make())
    finding = next(f for f in record.findings if f.fault.part == "any")
    assert {"image", "audio", "resource_link"} <= set(finding.kinds)
    assert record.rules["image"].verdict == "broken"
    assert record.rules["image"].findings == (finding.id,)


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("binds_by_position", Fault("arguments.named")),
        ("reads_one_page", Fault("list.complete")),
        ("joins_neighbouring_texts", Fault("distinct", aspect="boundary")),
        ("runs_shell_commands", Fault("inert", aspect="shell")),
    ],
)
def test_faults_of_every_view(name: str, fault: Fault) -> None:
    record = run(FAULTY[name].make())
    assert fault in faults(record)


def test_judging_one_case() -> None:
    findings, checked, rendering = judge_case(LOSSY(), case(said("a"), shown()))
    assert [finding.fault for finding in findings] == [Fault("image", "image", "lost")]
    assert {"image", "text.verbatim", "roles"} <= checked
    assert rendering.turns[0].parts[0].text == "a"
    only_texts, checked, _ = judge_case(LOSSY(), case(said("a"), shown()), "text.verbatim")
    assert only_texts == []
    assert "text.verbatim" in checked
