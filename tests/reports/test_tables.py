from __future__ import annotations

from mcp_prompt_fuzz.reports.run_json import redacted, run_to_json
from mcp_prompt_fuzz.reports.tables import (
    FINDING_HEADERS,
    finding_rows,
    markdown_table,
    plain_table,
    run_markdown,
    summary_line,
    verdict_rows,
)
from mcp_prompt_fuzz.reports.words import case_line, observed_words

from .runs import CANARY, EVERYTHING, IMAGE, TEXT, record

RUN = redacted(run_to_json(EVERYTHING))


def test_the_worst_stands_first_and_nothing_hostile_passes() -> None:
    rows = finding_rows(RUN)
    assert [row[0].split()[0] for row in rows] == ["unsafe", "violation", "loss", "distortion"]
    table = plain_table(FINDING_HEADERS, rows)
    assert len(table.splitlines()) == 5
    assert all(char.isprintable() or char == "\n" for char in table)
    assert CANARY not in table
    assert "(flaky 2 of 4)" in table


def test_known_findings_are_marked() -> None:
    rows = finding_rows(run_to_json(record(IMAGE, TEXT, known=(IMAGE,))))
    assert [row[0] for row in rows] == ["loss (known)", "distortion (flaky 2 of 4)"]


def test_every_rule_stands_in_one_verdict() -> None:
    told = dict(verdict_rows(RUN))
    assert told["not observable"] == "list.described"
    assert told["broken"] == "text.verbatim, image, inert, list.gated"


def test_markdown_holds_its_columns() -> None:
    lines = run_markdown(RUN).splitlines()
    cells = [line.replace("\\|", "").count("|") for line in lines if line.startswith("| loss")]
    assert cells == [6]
    assert markdown_table(("a",), [("x|y",)]).splitlines()[-1] == "| x\\|y |"


def test_summary_counts() -> None:
    assert summary_line(RUN).startswith("4 findings (10 examples, 20 renderings, 1.2 s, seed 7")


def test_a_case_on_one_line() -> None:
    case = IMAGE.case.to_json()
    assert case_line(case) == 'user: "before" | user: image image/png (74 bytes)'
    template = case | {
        "prompt": {"name": "p", "arguments": [{"name": "a", "required": True}, {"name": "b"}]},
        "arguments": {"a": "\n"},
        "messages": [],
    }
    assert case_line(template) == 'declares a!, b; given a="\\\\n" | no messages'
    assert case_line({"redacted": "private/x"}).startswith("(private")
    assert len(case_line(case, 20)) == 20


def test_what_reached_the_model_in_words() -> None:
    nothing: dict[str, object] = {"messages": [], "error": None}
    assert observed_words(nothing) == ["nothing reaches the model"]
    assert observed_words({"error": "no\n"}) == ["nothing sent; the user sees: no\\n"]
    said = {"messages": [{"role": None, "content": "a\x1b"}], "error": None}
    assert observed_words(said) == ['(no role): "a\\x1b"']
