"""What is known is let pass, what is stale is told, and nothing that people wrote gets lost."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import pytest

from mcp_prompt_fuzz import known
from mcp_prompt_fuzz.case import Case
from mcp_prompt_fuzz.finding import Fault, Finding
from mcp_prompt_fuzz.formats import FormatError
from mcp_prompt_fuzz.known import match, stale, updated
from mcp_prompt_fuzz.renderer import Identity
from mcp_prompt_fuzz.rendering import Rendering
from mcp_prompt_fuzz.rules import Basis
from mcp_prompt_fuzz.run_record import Counts, RuleOutcome, RunRecord

CASE = Case("t", "2025-06-18", {"name": "p"}, ())


def finding(fault: Fault, severity: Literal["loss", "distortion", "unsafe"] = "loss") -> Finding:
    return Finding(fault, severity, Basis("fidelity"), "it is lost", CASE, (), Rendering())


IMAGE_LOST = finding(Fault("image", "image", "lost"))
ROLES = finding(Fault("roles"))
TRIMMED = finding(Fault("text.verbatim", "text", "altered", "trim"), "distortion")
SHELL = finding(Fault("inert", "text", "altered", "shell"), "unsafe")
MENTION = finding(Fault("inert", "text", "altered", "mention"), "unsafe")


def entry(**members: Any) -> dict[str, Any]:
    return {"renderer": "opencode", **members}


def record(*findings: Finding, version: str = "1.18.33", **changes: Any) -> RunRecord:
    broken = {f.fault.rule: RuleOutcome("broken", findings=(f.id,)) for f in findings}
    rules = dict.fromkeys(("image", "roles", "text.verbatim", "inert"), RuleOutcome("kept"))
    run = RunRecord(
        identity=Identity("opencode", "opencode", version, lane="client", view="server"),
        started="2026-08-22T10:00:00Z",
        status="complete",
        revision="2026-07-28",
        seed=1,
        options={},
        versions={},
        counts=Counts(1, 1, 0.1),
        rules={**rules, "audio": RuleOutcome("unchecked"), **broken},
        findings=findings,
    )
    return replace(run, **changes)


@pytest.mark.parametrize(
    ("members", "matched"),
    [
        ({}, True),
        ({"rule": "*", "part": "*", "level": "*", "aspect": "*", "versions": "*"}, True),
        ({"rule": "image", "part": "image", "level": "lost", "aspect": None}, True),
        ({"versions": ["1.18.32", "1.18.33"]}, True),
        ({"versions": ["1.18.3"]}, False),
        ({"versions": []}, False),
        ({"renderer": "opencod"}, False),
        ({"renderer": "*"}, False),
        ({"rule": "audio"}, False),
        ({"part": None}, False),
        ({"part": "any"}, False),
        ({"level": None}, False),
        ({"level": "altered"}, False),
        ({"aspect": "trim"}, False),
    ],
)
def test_what_an_entry_matches(members: dict[str, Any], matched: bool) -> None:
    found = match([entry(**members)], "opencode", "1.18.33", IMAGE_LOST)
    assert (found is not None) == matched


def test_null_matches_only_what_has_none() -> None:
    nothing = entry(part=None, level=None, aspect=None)
    assert match([nothing], "opencode", "1", ROLES) is nothing
    assert match([nothing], "opencode", "1", IMAGE_LOST) is None


def test_what_is_unsafe_needs_its_aspect_named() -> None:
    for excuse in (entry(), entry(rule="inert"), entry(aspect="*"), entry(aspect=None)):
        assert match([excuse], "opencode", "1", SHELL) is None
    named = entry(rule="inert", aspect="shell")
    assert match([named], "opencode", "1", SHELL) is named
    assert match([named], "opencode", "1", MENTION) is None


@pytest.mark.parametrize(
    ("members", "is_stale"),
    [
        ({"rule": "roles"}, True),
        ({"rule": "image", "level": "altered"}, True),
        ({"rule": "image"}, False),  # matched
        ({"rule": "audio"}, False),  # not checked in this run
        ({"rule": "list.gated"}, False),  # nor this
        ({"rule": "roles", "renderer": "goose"}, False),
        ({"rule": "roles", "versions": ["1.18.32"]}, False),
        ({"rule": "roles", "versions": ["1.18.33"]}, True),
        ({"aspect": "trim"}, False),  # about every rule, and one of them wasn't checked
    ],
)
def test_what_is_stale(members: dict[str, Any], is_stale: bool) -> None:
    entries = [entry(**members)]
    assert stale(entries, record(IMAGE_LOST)) == (entries if is_stale else [])


def test_an_entry_about_every_rule_is_stale_once_all_were_checked() -> None:
    entries = [entry(aspect="trim")]
    checked = {"image": RuleOutcome("kept"), "audio": RuleOutcome("not_observable")}
    assert stale(entries, record(rules=checked)) == entries


def test_nothing_is_stale_after_an_interrupted_run() -> None:
    entries = [entry(rule="roles")]
    run = record(IMAGE_LOST, status="interrupted")
    assert stale(entries, run) == []
    assert updated(entries, run)[0] == entries[0]


def test_an_update_keeps_what_people_wrote() -> None:
    theirs = entry(renderer="goose", rule="roles", reason="theirs")
    ours = entry(rule="image", versions=["1.18.33"], reason="chosen", url="https://a/1")
    entries = [theirs, entry(rule="roles", reason="mended since"), ours]
    new = updated(entries, record(IMAGE_LOST, SHELL, TRIMMED))
    assert new[:2] == [theirs, ours]
    assert [(e["rule"], e["aspect"]) for e in new[2:]] == [
        ("text.verbatim", "trim"),
        ("inert", "shell"),
    ]
    assert [e["versions"] for e in new[2:]] == [["1.18.33"], ["1.18.33"]]
    assert [e["reason"] for e in new[2:]] == ["it is lost", None], "unsafe details stay private"


def test_after_an_update_the_same_run_has_nothing_new_and_nothing_stale() -> None:
    entries = [entry(rule="roles"), entry(rule="image", versions=["1"], url="u")]
    run = record(IMAGE_LOST, SHELL, MENTION, TRIMMED)
    new = updated(entries, run)
    assert all(match(new, "opencode", "1.18.33", f) for f in run.findings)
    assert stale(new, run) == []
    assert updated(new, run) == new


def test_another_version_with_the_same_fault_joins_the_entry() -> None:
    entries = [entry(rule="image", versions=["1"], reason="r", url="u")]
    assert updated(entries, record(IMAGE_LOST)) == [entries[0] | {"versions": ["1", "1.18.33"]}]
    assert entries[0]["versions"] == ["1"], "what was given is left as it was"


def test_a_version_without_the_fault_leaves_the_entry() -> None:
    entries = [entry(rule="roles", versions=["1", "1.18.33"], reason="r")]
    assert updated(entries, record()) == [entries[0] | {"versions": ["1"]}]


def test_functions_and_drivers_are_known_in_every_version() -> None:
    identity = Identity("python:a:b", "a:b", "unknown", lane="function", view="result")
    (new,) = updated([], record(IMAGE_LOST, identity=identity))
    assert (new["renderer"], new["versions"]) == ("python:a:b", "*")


def test_a_file_of_entries(tmp_path: Path) -> None:
    file = tmp_path / "known.json"
    entries = updated([], record(IMAGE_LOST, SHELL))
    known.write_known(file, entries)
    assert known.read_known(file) == entries


@pytest.mark.parametrize(
    ("entries", "path"),
    [
        ([{"rule": "image"}], "$.entries[0]"),
        ([entry(rule="images")], "$.entries[0].rule"),
        ([entry(), entry(level="gone")], "$.entries[1].level"),
        ([entry(versions="1.0")], "$.entries[0].versions"),
        ([entry(raeson="r")], "$.entries[0]"),
    ],
)
def test_a_bad_entry_is_told_with_its_place(
    tmp_path: Path, entries: list[dict[str, Any]], path: str
) -> None:
    with pytest.raises(FormatError) as caught:
        known.write_known(tmp_path / "known.json", entries)
    assert caught.value.json_path == path
    assert not (tmp_path / "known.json").exists()


def test_which_file_serves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    shipped = known.shipped_known("text-only")
    assert known.known_for("text-only") == shipped
    assert known.known_for("opencode") == known.shipped_known("opencode") == []
    theirs = [entry(rule="roles")]
    known.write_known("mcp-prompt-known.json", theirs)
    assert known.known_for("text-only") == theirs + shipped
    assert known.known_for("opencode") == theirs
    own = [entry(renderer="text-only", rule="image")]
    known.write_known("mcp-prompt-known.json", own)
    assert known.known_for("text-only") == own
    assert known.known_for("text-only", Path("mcp-prompt-known.json")) == own


def test_every_shipped_file_is_about_its_renderer() -> None:
    for each in known.shipped_known("text-only"):
        assert each["renderer"] == "text-only"
