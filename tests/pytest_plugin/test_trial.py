"""What exploring comes to, without pytest around it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, settings
from hypothesis.database import InMemoryExampleDatabase

from mcp_prompt_fuzz.case import NEWEST_REVISION
from mcp_prompt_fuzz.corpus import load_corpus
from mcp_prompt_fuzz.renderer import RendererUnavailable
from mcp_prompt_fuzz.testing import check_renderer, prompt_tests
from mcp_prompt_fuzz.testing.examples import Examples
from mcp_prompt_fuzz.testing.subject import Subject
from mcp_prompt_fuzz.testing.trial import Trial, judge_kept

Json = dict[str, Any]


def keeps_text(result: Json) -> list[Json]:
    """Everything, as long as it is text."""
    return [
        {"role": m["role"], "content": [m["content"]]}
        for m in result["messages"]
        if m["content"]["type"] == "text"
    ]


class Once:
    """Loses images until it is mended."""

    __name__ = __qualname__ = "Once"

    def __init__(self) -> None:
        self.mended = False

    def __call__(self, result: Json) -> list[Json]:
        kinds = ("text", "image") if self.mended else ("text",)
        return [
            {"role": m["role"], "content": [m["content"]]}
            for m in result["messages"]
            if m["content"]["type"] in kinds
        ]


def subject(renderer: Any, *rules: str, **members: Any) -> Subject:
    plain: Json = {
        "fail_on": "distortion",
        "known": None,
        "corpus": False,
        "revision": None,
        "timeout": 20.0,
        "max_examples": 3,
        "seed": None,
    }
    return Subject(renderer, rules=rules or ("*",), **(plain | members))


def test_what_failed_once_is_tried_first_until_it_passes(tmp_path: Path) -> None:
    database = InMemoryExampleDatabase()
    profile = settings(database=database)
    renderer = Once()
    lossy = subject(renderer, "image", "audio")
    trial = Trial.of(lossy, seed=0, here=tmp_path)
    assert {finding.fault.rule for finding in trial.record.findings} == {"image", "audio"}
    examples = Examples(lossy.spec, profile)
    examples.keep(trial.record)
    opened = lossy.open()
    found = examples.failing(opened, NEWEST_REVISION, ("*",))
    assert {finding.fault.rule for finding in found} == {"image", "audio"}
    assert [f.fault.rule for f in examples.failing(opened, NEWEST_REVISION, ("im*",))] == ["image"]
    renderer.mended = True
    assert len(examples.failing(opened, NEWEST_REVISION, ("*",))) == 1
    assert len(list(database.fetch(f"mcp-prompt-fuzz/1 {lossy.spec}".encode()))) == 1
    opened.close()


def test_a_profile_without_reuse_or_database_tries_nothing_first() -> None:
    for profile in (settings(database=None), settings(phases=[Phase.generate])):
        examples = Examples("python:a:b", profile)
        renderer = subject("reference").open()
        assert examples.failing(renderer, NEWEST_REVISION, ("*",)) == []


def test_the_same_seed_comes_to_the_same(tmp_path: Path) -> None:
    first, second = (
        Trial.of(subject(keeps_text), seed=7, here=tmp_path).record.findings for _ in range(2)
    )
    assert [f.case for f in first] == [f.case for f in second]
    assert [f.id for f in first] == [f.id for f in second]


def test_notices_do_not_fail_unless_asked_for(tmp_path: Path) -> None:
    def announces(result: Json) -> list[Json]:
        return [
            {"role": m["role"], "content": [m["content"]] if kind == "text" else f"[{kind}]"}
            for m in result["messages"]
            for kind in [m["content"]["type"]]
        ]

    mild = Trial.of(subject(announces, "image"), seed=0, here=tmp_path)
    assert mild.outcome("image").verdict == "kept"
    strict = Trial.of(subject(announces, "image", fail_on="notice"), seed=0, here=tmp_path)
    assert strict.outcome("image").verdict == "new"
    # A function inside a function can't be named to the command line.
    assert "seed=0, max_examples=3" in strict.outcome("image").words
    assert "mcp-prompt-fuzz" not in strict.outcome("image").words


def test_the_sample_is_known_as_shipped(tmp_path: Path) -> None:
    trial = Trial.of(subject("text-only"), seed=0, here=tmp_path)
    assert trial.outcome("image").verdict == "known"
    assert trial.new_findings() == []


def test_a_case_that_no_revision_here_can_carry_is_skipped() -> None:
    corpus = load_corpus()
    old = next(kept for kept in corpus.cases if kept.path.match("list/an-empty-cursor.json"))
    reference = subject("reference")
    assert judge_kept(reference, reference.open(), old, ()).verdict == "skipped"


@pytest.mark.parametrize("members", [{"rules": ["imagine"]}, {"revision": "1999-12-31"}])
def test_words_that_mean_nothing_are_refused(members: Json) -> None:
    with pytest.raises(ValueError, match=r"imagine|1999"):
        prompt_tests(keeps_text, **members)


def test_a_renderer_that_can_not_be_had_is_no_assertion_error() -> None:
    with pytest.raises(RendererUnavailable):
        check_renderer("driver:pfz-no-such-program")
