from __future__ import annotations

import json
import re
import shlex
import sys
from pathlib import Path

import pytest

from mcp_prompt_fuzz.case import Case
from mcp_prompt_fuzz.cli import COMMANDS, main
from mcp_prompt_fuzz.formats import write_case
from mcp_prompt_fuzz.rules import RULES

from .conftest import Run

PNG = (
    "iVBORw0KGgoAAAANSUhEUgAAAAIAAAADCAYAAAC56t6BAAAAEUlEQVR4nGP4z8DwH4QZYAwAR8oH+R"
    "J09sgAAAAASUVORK5CYII="
)


def case(rule: str, *contents: dict[str, str]) -> Case:
    messages = tuple({"role": "user", "content": content} for content in contents)
    return Case(f"For {rule}", "2025-06-18", {"name": "look"}, messages, rule=rule)


TEXT = {"type": "text", "text": "hello"}
IMAGE = {"type": "image", "data": PNG, "mimeType": "image/png"}


@pytest.fixture
def corpus() -> Path:
    """A corpus here: one case for images, one for text, one that can't be observed."""
    folder = Path("corpus")
    folder.mkdir()
    write_case(folder / "image.json", case("image", TEXT, IMAGE))
    write_case(folder / "text.json", case("text.verbatim", TEXT))
    write_case(folder / "gated.json", case("list.gated", TEXT))
    return folder


def verdicts(out: str) -> dict[str, str]:
    """Each case's verdict by its file's name."""
    lines = [line for line in out.splitlines() if ".json" in line]
    return {Path(line[11:].split()[0]).stem: line[:11].strip() for line in lines}


def test_replay_says_what_became_of_each_case(run: Run, corpus: Path) -> None:
    ran = run("replay", "python:fakes:drops_images")
    assert ran.status == 1, ran
    assert verdicts(ran.out) == {"image": "NEW", "text": "KEPT"}
    assert f"{'SKIPPED':11}  1 case: list.gated can't be observed here" in ran.out


def test_replay_knows_known_findings_and_fixed_ones(run: Run, corpus: Path) -> None:
    entry = {"renderer": "python:fakes:drops_images", "rule": "image"}
    path = Path("mcp-prompt-known.json")
    text = json.dumps({"format": "mcp-prompt-known/1", "entries": [entry]})
    path.write_text(text, encoding="utf-8")
    ran = run("replay", "python:fakes:drops_images")
    assert (ran.status, verdicts(ran.out)["image"]) == (0, "STILL FAILS"), ran
    path.write_text(text.replace("drops_images", "keeps"), encoding="utf-8")
    ran = run("replay", "python:fakes:keeps")
    told = verdicts(ran.out)
    assert (ran.status, told["image"], told["text"]) == (0, "FIXED", "KEPT"), ran
    assert run("replay", "python:fakes:keeps", "--strict-known").status == 1


def test_replay_says_how_to_drop_what_is_stale(run: Run, corpus: Path) -> None:
    entry = {"renderer": "python:fakes:keeps", "rule": "image"}
    known = {"format": "mcp-prompt-known/1", "entries": [entry]}
    Path("mcp-prompt-known.json").write_text(json.dumps(known), encoding="utf-8")
    out = run("replay", "python:fakes:keeps").out
    assert "mcp-prompt-fuzz known update python:fakes:keeps" in out


def test_replay_goes_on_after_a_bad_file(run: Run, corpus: Path) -> None:
    (corpus / "bad.json").write_text('{"format": "mcp-prompt-case/1"}', encoding="utf-8")
    ran = run("replay", "python:fakes:keeps", "--out", "reports")
    assert ran.status == 2, ran
    assert "bad.json" in ran.err
    assert verdicts(ran.out)["image"] == "KEPT"
    assert 'name="corpus/image.json"' in Path("reports/replay.xml").read_text("utf-8")


def test_replay_of_what_can_not_be_observed_is_no_pass(run: Run, corpus: Path) -> None:
    ran = run("replay", "python:fakes:keeps", "corpus/gated.json")
    assert ran.status == 3, ran
    assert "1 SKIPPED" in ran.out


def test_show_puts_both_sides_beside_each_other(run: Run, corpus: Path) -> None:
    ran = run("show", "python:fakes:drops_images", "corpus/image.json")
    assert ran.status == 0, ran
    assert "the server sends" in ran.out
    assert "image image/png" in ran.out
    assert "loss: image" in ran.out
    data = json.loads(run("show", "text-only", "corpus/image.json", "--format", "json").out)
    assert [finding["rule"] for finding in data["findings"]] == ["image"]


def test_repro_writes_a_folder_and_tries_it_again(run: Run, corpus: Path) -> None:
    ran = run("repro", "python:fakes:drops_images", "corpus/image.json", "--out", "here")
    assert ran.status == 0, ran
    (folder,) = Path("here/findings").iterdir()
    assert {"REPORT.md", "case.json", "model.py", "server.py"} <= {p.name for p in folder.iterdir()}
    assert "no API key" in (folder / "REPORT.md").read_text("utf-8").replace("No", "no")
    nothing = run("repro", "python:fakes:keeps", "corpus/image.json")
    assert "nothing is broken" in nothing.out


def test_repro_of_a_runs_finding_says_whether_it_still_shows(run: Run) -> None:
    little = ("--seed", "1", "--max-examples", "5", "--rules", "image")
    run("fuzz", "python:fakes:drops_images", *little)
    (folder,) = Path("mcp-prompt-run/findings").iterdir()
    assert "still shows" in run("repro", str(folder)).out
    record = Path("mcp-prompt-run/run.json")
    record.write_text(record.read_text("utf-8").replace("drops_images", "keeps"), "utf-8")
    assert "does not show any more" in run("repro", str(folder)).out
    assert run("repro", "elsewhere").status == 2


def test_report_rebuilds(run: Run) -> None:
    run("fuzz", "text-only", "--seed", "1", "--max-examples", "5", "--rules", "image")
    Path("mcp-prompt-run/report.html").unlink()
    assert run("report", "mcp-prompt-run").status == 0
    assert Path("mcp-prompt-run/report.html").exists()
    missing = run("report", "nowhere")
    assert (missing.status, "nowhere" in missing.err) == (2, True)


def test_matrix_has_a_row_for_each_and_goes_on_where_it_stopped(run: Run) -> None:
    words = ("matrix", "reference", "text-only", "driver:./gone", "--max-examples", "5")
    ran = run(*words, "--rules", "image")
    assert ran.status == 0, ran
    matrix = json.loads(Path("mcp-prompt-matrix/matrix.json").read_text("utf-8"))
    assert [row["renderer"] for row in matrix["runs"]] == [
        "reference",
        "text-only",
        "driver:./gone",
    ]
    assert "could_not_run" in matrix["runs"][2]
    assert Path("mcp-prompt-matrix/matrix.html").exists()
    again = run(*words, "--rules", "image", "--resume", "mcp-prompt-matrix")
    assert again.err.count("done earlier") == 2
    assert run("matrix", "driver:./gone", "--max-examples", "5").status == 3


def test_matrix_tells_what_changed_between_versions(run: Run) -> None:
    words = ("matrix", "reference", "text-only", "--max-examples", "5", "--rules", "image")
    assert "from" not in run(*words).out
    [lossy] = Path("mcp-prompt-matrix/runs").glob("text-only-*/run.json")
    made = json.loads(lossy.read_text("utf-8"))
    lossy.write_text(json.dumps({**made, "renderer": "reference", "version": "0.9"}), "utf-8")
    again = run(*words, "--resume", "mcp-prompt-matrix")
    told = again.out[again.out.index("reference: from 0.9 to 1") :]
    assert re.search(r"^gone +image +loss: lost +kept$", told, re.MULTILINE), told
    markdown = run(*words, "--resume", "mcp-prompt-matrix", "--format", "markdown").out
    assert "### reference: from 0.9 to 1" in markdown


def test_matrix_fails_only_where_asked(run: Run) -> None:
    words = ("matrix", "python:fakes:drops_images", "--max-examples", "5", "--rules", "image")
    assert run(*words).status == 0
    assert run(*words, "--fail-on", "loss").status == 1


def test_init_and_check_lead_to_a_driver(run: Run) -> None:
    assert run("init", "python").status == 0
    assert run("init", "python").status == 2
    spec = f"driver:{shlex.quote(sys.executable)} prompt_driver.py"
    ran = run("check", spec)
    assert (ran.status, "the image reaches the model" in ran.out) == (0, True), ran


def test_check_explains_what_is_wrong(run: Run) -> None:
    assert "it broke (exit)" in run("check", "python:fakes:exits").out
    lost = run("check", "python:fakes:drops_images")
    assert (lost.status, "the image does not reach the model" in lost.out) == (0, True)
    shown = run("check", "python:fakes:escapes")
    assert (shown.status, "\\x1b[2J" in shown.out) == (2, True), shown


def test_rules_and_renderers_are_listed(run: Run) -> None:
    told = json.loads(run("rules", "--format", "json").out)
    assert [rule["id"] for rule in told] == list(RULES)
    old = run("rules", "--revision", "2025-06-18").out
    gated = old[old.index("list.gated") :]
    assert "violation" in gated[: gated.index("list.complete")]
    assert "text-only" in run("list").out


@pytest.mark.parametrize("command", COMMANDS)
def test_help_teaches_by_examples(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([command, "--help"])
    assert ended.value.code == 0
    assert f"mcp-prompt-fuzz {command}" in capsys.readouterr().out.split("examples:")[1]
