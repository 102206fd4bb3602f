from __future__ import annotations

import json
import stat
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest

from mcp_prompt_fuzz import formats
from mcp_prompt_fuzz.reports import run_folder
from mcp_prompt_fuzz.reports.canimcp import canimcp_report, checked_canimcp_report
from mcp_prompt_fuzz.reports.run_json import redacted, run_to_json

from .runs import CANARY, EVERYTHING, GATED, IMAGE, TEXT, UNSAFE, record


def public_text(folder: Path) -> str:
    """Everything in the folder that is not private, as one text."""
    files = [f for f in folder.rglob("*") if f.is_file() and "private" not in f.parts]
    return "\n".join(f.read_text("utf-8") for f in files)


def test_a_run_leaves_what_the_contract_names(tmp_path: Path) -> None:
    shown = run_folder.write_run(EVERYTHING, tmp_path)
    formats.check(json.loads((tmp_path / "run.json").read_text("utf-8")), "run")
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {
        "run.json",
        "report.html",
        "junit.xml",
        "canimcp.json",
        "findings",
        "private",
    }
    for finding in shown["findings"]:
        files = {path.name for path in (tmp_path / finding["repro"]).iterdir()}
        assert {"case.json", "server.py", "model.py", "REPORT.md"} <= files


def test_unsafe_evidence_stands_only_under_private(tmp_path: Path) -> None:
    run_folder.write_run(EVERYTHING, tmp_path)
    assert CANARY not in public_text(tmp_path)
    private = tmp_path / "private"
    assert stat.S_IMODE(private.stat().st_mode) == 0o700
    report = (private / UNSAFE.slug / "REPORT.md").read_text("utf-8")
    assert report.splitlines()[2].startswith("> **Report this privately.**")
    kept = run_folder.read_run(tmp_path, show_unsafe=True)["findings"]
    told = next(f for f in kept if f["severity"] == "unsafe")
    assert told["case"]["messages"][0]["content"]["text"] == CANARY


def test_it_is_told_to_who_asks(tmp_path: Path) -> None:
    run_folder.write_run(EVERYTHING, tmp_path, show_unsafe=True)
    assert CANARY in (tmp_path / "run.json").read_text("utf-8")


def test_a_later_run_replaces_an_earlier_one(tmp_path: Path) -> None:
    run_folder.write_run(EVERYTHING, tmp_path)
    run_folder.write_run(record(GATED), tmp_path)
    assert [path.name for path in (tmp_path / "findings").iterdir()] == [GATED.slug]
    assert not (tmp_path / "private").exists()


def test_nothing_is_written_of_a_run_that_breaks_its_schema(tmp_path: Path) -> None:
    with pytest.raises(formats.FormatError):
        run_folder.write_run(replace(EVERYTHING, started="yesterday"), tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "x"
    run_folder.write_text(path, "old")
    with pytest.raises(UnicodeEncodeError):
        run_folder.write_text(path, "\ud800")
    assert path.read_text("utf-8") == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["x"]


def test_reports_are_rebuilt_from_the_json_alone(tmp_path: Path) -> None:
    run_folder.write_run(EVERYTHING, tmp_path)
    before = {name: (tmp_path / name).read_text("utf-8") for name in ("junit.xml", "report.html")}
    for name in before:
        (tmp_path / name).unlink()
    run_folder.write_reports(run_folder.read_run(tmp_path), tmp_path)
    assert before == {name: (tmp_path / name).read_text("utf-8") for name in before}


def test_redaction_keeps_what_is_safe() -> None:
    full = run_to_json(EVERYTHING)
    safe = redacted(full)
    assert [f for f in safe["findings"] if f["severity"] != "unsafe"] == [
        f for f in full["findings"] if f["severity"] != "unsafe"
    ]
    formats.check(full, "run")


def junit(*findings: object, **more: object) -> ET.Element:
    from mcp_prompt_fuzz.reports.junit import junit_xml  # noqa: PLC0415

    run = redacted(run_to_json(record(*findings, **more)))  # type: ignore[arg-type]
    suite = ET.fromstring(junit_xml(run).encode()).find("testsuite")
    assert suite is not None
    return suite


def outcome_of(suite: ET.Element, rule: str) -> str | None:
    test = suite.find(f"testcase[@name='{rule}']")
    assert test is not None
    return test[0].tag if len(test) else None


def test_junit_fails_for_what_is_new() -> None:
    suite = junit(IMAGE, TEXT)
    assert suite.get("failures") == "2"
    assert outcome_of(suite, "image") == "failure"
    assert outcome_of(suite, "text.verbatim") == "failure"
    assert outcome_of(suite, "audio") is None
    assert outcome_of(suite, "list.described") == "skipped"
    assert suite.get("tests") == str(len(suite.findall("testcase")))


def test_junit_passes_what_is_known_or_too_mild() -> None:
    assert outcome_of(junit(IMAGE, known=(IMAGE,)), "image") == "system-out"
    lenient = {"max_examples": 1, "fail_on": "violation"}
    assert outcome_of(junit(IMAGE, options=lenient), "image") == "system-out"


def test_junit_tells_of_errors() -> None:
    suite = junit(errors=("the renderer \x00 was lost",))
    assert suite.get("errors") == "1"


def features(*findings: object) -> dict[str, str]:
    report = checked_canimcp_report(run_to_json(record(*findings)))  # type: ignore[arg-type]
    (result,) = report["results"]
    return {f["feature_id"]: f["outcome"] for f in result["features"]}


def test_canimcp_fails_only_for_violations_and_what_does_not_work_at_all() -> None:
    assert set(features().values()) == {"pass"}
    assert features(IMAGE, TEXT)["prompts.get"] == "pass"
    assert features(GATED)["prompts.list"] == "fail"


def test_canimcp_skips_what_was_not_observed() -> None:
    rules = record().rules
    unseen = {r: replace(o, verdict="not_observable") for r, o in rules.items()}
    report = canimcp_report(run_to_json(record(rules=unseen)))
    assert {f["outcome"] for f in report["results"][0]["features"]} == {"skip"}


def test_canimcp_is_checked_before_it_is_written() -> None:
    broken = run_to_json(record()) | {"revision": 3}
    with pytest.raises(jsonschema.ValidationError):
        checked_canimcp_report(broken)


def test_what_repeats_an_unsafe_text_is_private_too(tmp_path: Path) -> None:
    """A run that is interrupted before it shrinks has many findings on one large case."""
    both = replace(IMAGE.case, messages=(*IMAGE.case.messages, *UNSAFE.case.messages))
    run_folder.write_run(record(replace(IMAGE, case=both), TEXT, UNSAFE), tmp_path)
    assert CANARY not in public_text(tmp_path)
    assert (tmp_path / "private" / IMAGE.slug / "case.json").exists()
    assert [path.name for path in (tmp_path / "findings").iterdir()] == [TEXT.slug]
    assert CANARY in json.dumps(run_folder.read_run(tmp_path, show_unsafe=True))
