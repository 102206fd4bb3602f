"""What changed between versions of one renderer: in words, in Markdown and on the page."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from mcp_prompt_fuzz.finding import Fault, Finding
from mcp_prompt_fuzz.jsontypes import Json
from mcp_prompt_fuzz.reports.comparison import CHANGES, comparisons
from mcp_prompt_fuzz.reports.html import matrix_html
from mcp_prompt_fuzz.reports.matrix import matrix_json, matrix_markdown
from mcp_prompt_fuzz.reports.run_json import redacted, run_to_json

from .runs import GATED, IMAGE, TEXT, UNSAFE, record


def run(version: str, *findings: Finding, **more: Any) -> Json:
    """The run of `client` in that version."""
    made = redacted(run_to_json(record(*findings)))
    return {**made, "renderer": "client", "version": version, **more}


def with_verdict(made: Json, rule: str, verdict: str) -> Json:
    outcome = {**made["rules"][rule], "verdict": verdict}
    return {**made, "rules": {**made["rules"], rule: outcome}}


def refused(finding: Finding) -> Finding:
    return replace(finding, fault=Fault("image", "image", "refused"))


def test_rules_are_new_gone_or_changed() -> None:
    older = run("1.9.0", IMAGE, GATED)
    newer = run("1.10.0", refused(IMAGE), TEXT)
    [found] = comparisons([older, newer])
    assert (found.older, found.newer, found.note) == ("1.9.0", "1.10.0", "")
    assert found.rows == (
        ("new", "text.verbatim", "kept", "distortion: text altered (unicode)"),
        ("gone", "list.gated", "violation", "kept"),
        ("changed", "image", "loss: lost", "loss: refused"),
    )
    assert {row[0] for row in found.rows} <= set(CHANGES)


def test_versions_stand_in_the_order_of_their_numbers() -> None:
    versions = ["1.18.33", "1.9.1", "1.18.4"]
    found = comparisons([run(version) for version in versions])
    assert [(each.older, each.newer) for each in found] == [
        ("1.9.1", "1.18.4"),
        ("1.18.4", "1.18.33"),
    ]


def test_what_was_not_judged_is_no_change_for_the_better() -> None:
    older, newer = run("1", IMAGE), with_verdict(run("2"), "image", "unchecked")
    [found] = comparisons([older, newer])
    assert found.rows == (("unknown", "image", "loss: lost", "unchecked"),)
    [back] = comparisons([with_verdict(run("1"), "image", "not_observable"), run("2", IMAGE)])
    assert back.rows == (("unknown", "image", "not observable", "loss: lost"),)
    [same] = comparisons([with_verdict(run("1"), "image", "unchecked"), run("2")])
    assert same.rows == ()


def test_no_difference_is_told_and_so_is_a_run_that_was_cut_short() -> None:
    [same] = comparisons([run("1", IMAGE), run("2", IMAGE)])
    assert (same.rows, same.note) == ((), "No difference was found.")
    [cut] = comparisons([run("1", IMAGE, errors=["the time limit ended it"]), run("2", IMAGE)])
    assert cut.note == "No difference was found. Not finished: the run of 1."


def test_other_renderers_and_one_version_alone_are_compared_with_nothing() -> None:
    other = {**run("2", IMAGE), "renderer": "another"}
    gone = {"renderer": "client", "could_not_run": "no network"}
    assert comparisons([run("1"), other, gone, run("1")]) == []


def test_nothing_private_and_no_markup_stands_in_a_comparison() -> None:
    runs = [run("1", UNSAFE, TEXT), run("2|<b>\x1b[2J", GATED)]
    page = matrix_html(runs, {"seed": 1}, ["a", "b"])
    section = page[page.index('<section class="versions"') : page.index('<section class="legend"')]
    assert "<td>unsafe: text altered (shell)</td><td>kept</td>" in section
    assert "2|&lt;b&gt;\\x1b[2J" in section
    assert '<td title="kept before, broken now">new</td>' in section
    assert "\x1b" not in page
    markdown = matrix_markdown(matrix_json({}, runs))
    assert "| new | list.gated | kept | violation |" in markdown
    assert "canary" not in section + markdown


def test_a_page_without_two_versions_has_no_such_section() -> None:
    assert 'class="versions"' not in matrix_html([run("1", IMAGE)], {}, ["a"])
