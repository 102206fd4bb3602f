from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

from mcp_prompt_fuzz.reports.escape import for_markdown_cell, for_xml, one_line, visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain é 漢字 🙂", "plain é 漢字 🙂"),
        ("\x1b[2J", "\\x1b[2J"),
        ("a\x00\x7f\x9b", "a\\x00\\x7f\\x9b"),
        ("\u202edesrever\u2066", "\\u202edesrever\\u2066"),
        ("zero\u200bwidth\ufeff", "zero\\u200bwidth\\ufeff"),
        ("\u2028\u2029\x85", "\\u2028\\u2029\\x85"),
        ("\xa0\u3000", "\\xa0\\u3000"),
        ("\ud800", "\\ud800"),
        ("\U000e0041", "\\U000e0041"),
        ("a\tb\r\n", "a\\tb\\r\\n"),
    ],
)
def test_what_cant_be_seen_is_spelled_out(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_line_feeds_stay_where_asked() -> None:
    assert visible("a\nb\r\n", lines=True) == "a\nb\\r\n"


def test_one_line_is_bounded() -> None:
    assert one_line("x" * 10, 10) == "x" * 10
    assert one_line("x" * 11, 10) == "x" * 9 + "…"
    assert len(one_line("\x00" * 100, 10)) == 10


def test_xml_takes_whatever_comes() -> None:
    every = "".join(map(chr, range(0x110000)))
    element = ET.Element("x")
    element.text = for_xml(every)
    ET.fromstring(ET.tostring(element, "utf-8"))


def test_a_cell_stays_a_cell() -> None:
    assert for_markdown_cell("a|b\n`c` <d>") == "a\\|b\\\\n\\`c\\` \\<d\\>"
