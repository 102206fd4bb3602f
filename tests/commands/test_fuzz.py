from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from mcp_prompt_fuzz.formats import check, read_case

from .conftest import Run

LITTLE = ("--seed", "1", "--max-examples", "10", "--rules", "image,text.*,robust")


def test_a_faithful_renderer_has_nothing_new(run: Run) -> None:
    ran = run("fuzz", "python:fakes:keeps", *LITTLE)
    assert (ran.status, "0 findings" in ran.out) == (0, True), ran
    check(json.loads(Path("mcp-prompt-run/run.json").read_text("utf-8")), "run")


def test_a_loss_is_found_told_and_can_be_recorded(run: Run) -> None:
    ran = run("fuzz", "python:fakes:drops_images", *LITTLE)
    assert ran.status == 1
    assert ran.out.splitlines()[0].endswith("seed 1")
    assert "user: image image/" in ran.out
    command = next(line for line in ran.out.splitlines() if "known update" in line)
    assert "known update python:fakes:drops_images --seed 1 --max-examples 10" in command
    assert run("known", "update", "python:fakes:drops_images", *LITTLE).status == 0
    again = run("fuzz", "python:fakes:drops_images", *LITTLE)
    assert (again.status, "loss (known)" in again.out) == (0, True), again
    assert "known update" not in again.out


def test_a_stale_entry_fails_where_that_is_asked_for(run: Run) -> None:
    assert run("known", "update", "python:fakes:drops_images", *LITTLE).status == 0
    path = Path("mcp-prompt-known.json")
    renamed = path.read_text("utf-8").replace("drops_images", "keeps")
    path.write_text(renamed, encoding="utf-8")
    ran = run("fuzz", "python:fakes:keeps", *LITTLE)
    assert (ran.status, "stale" in ran.out) == (0, True), ran
    assert run("fuzz", "python:fakes:keeps", *LITTLE, "--strict-known").status == 1
    assert run("known", "update", "python:fakes:keeps", *LITTLE).status == 0
    assert json.loads(path.read_text("utf-8"))["entries"] == []


def test_mild_findings_pass(run: Run) -> None:
    ran = run("fuzz", "python:fakes:drops_images", *LITTLE, "--fail-on", "violation")
    assert (ran.status, "1 finding " in ran.out) == (0, True), ran


def test_the_lossy_sample_says_so_first(run: Run) -> None:
    ran = run("fuzz", "text-only", *LITTLE)
    assert ran.out.startswith("text-only is a deliberately lossy sample")


def test_json_and_markdown_stand_alone(run: Run) -> None:
    ran = run("fuzz", "text-only", *LITTLE, "--format", "json")
    check(json.loads(ran.out), "run")
    assert ran.err.startswith("text-only is a deliberately lossy sample")
    ran = run("fuzz", "text-only", *LITTLE, "--format", "markdown")
    assert ran.out.startswith("**text-only")


def test_a_seed_is_drawn_and_printed(run: Run) -> None:
    ran = run("fuzz", "python:fakes:keeps", "--max-examples", "1", "--rules", "robust")
    assert int(ran.out.splitlines()[0].rpartition("seed ")[2]) >= 0


def test_smallest_cases_are_kept(run: Run) -> None:
    run("fuzz", "python:fakes:drops_images", *LITTLE, "--save-corpus")
    (path,) = Path("corpus").rglob("*.json")
    assert read_case(path).rule == "image"


def test_hostile_words_reach_no_terminal(run: Run) -> None:
    ran = run("fuzz", "python:fakes:escapes", *LITTLE)
    for text in (ran.out, ran.err):
        assert "\x1b" not in text
        assert "\u202e" not in text
    ET.parse("mcp-prompt-run/junit.xml")


@pytest.mark.parametrize("fake", ["interrupted", "interrupted_unheard"])
def test_interrupted_runs_write_what_they_found(fake: str, run: Run) -> None:
    ran = run("fuzz", f"python:fakes:{fake}", "--seed", "1", "--rules", "image")
    assert ran.status == 130, ran
    record = json.loads(Path("mcp-prompt-run/run.json").read_text("utf-8"))
    assert record["status"] == "interrupted"
    assert [finding["rule"] for finding in record["findings"]] == ["image"]


def test_a_renderer_that_always_exits_is_a_finding(run: Run) -> None:
    ran = run("fuzz", "python:fakes:exits", *LITTLE)
    assert (ran.status, "robust" in ran.out) == (1, True), ran


@pytest.mark.parametrize(
    ("words", "status", "told"),
    [
        (("fuzz",), 2, "RENDERER"),
        (("fuzz", "nobody"), 2, "no renderer"),
        (("fuzz", "python:fakes"), 2, "expected python:MODULE:CALLABLE"),
        (("fuzz", "python:no_such_module:f"), 3, "importing no_such_module failed"),
        (("fuzz", "driver:./no-such-program"), 3, "no-such-program"),
        (("fuzz", "text-only", "--max-examples", "0"), 2, "at least 1"),
        (("fuzz", "text-only", "--seed", "x"), 2, "no whole number"),
        (("fuzz", "text-only", "--rules", "nonsense"), 2, "matches no rule"),
        (("fuzz", "text-only", "--known", "missing.json"), 2, "missing.json"),
        (("fuzz", "text-only", "--resume", "nowhere"), 2, "nothing to resume"),
        (("fuz", "text-only"), 2, "did you mean 'fuzz'"),
        ((), 2, "COMMAND"),
    ],
)
def test_what_is_wrong_is_one_clear_line(
    words: tuple[str, ...], status: int, told: str, run: Run
) -> None:
    ran = run(*words)
    assert ran.status == status, ran
    assert told in ran.err
    assert "Traceback" not in ran.err


def test_a_run_that_checks_nothing_says_what_could_be(run: Run) -> None:
    ran = run("fuzz", "text-only", "--rules", "list.gated", "--max-examples", "1")
    assert ran.status == 3
    told = ran.out.splitlines()[-1]
    assert told.startswith("nothing was checked")
    assert told.endswith("mcp-prompt-fuzz check text-only")
