"""What an alteration is called."""

from __future__ import annotations

import html
import json
import unicodedata
from urllib.parse import quote, quote_plus, unquote

import pytest

from mcp_prompt_fuzz.oracle.alteration import aspect_of, has_visible

LONG = "All work and no play makes a dull prompt. " * 30


@pytest.mark.parametrize(
    ("sent", "seen", "aspect"),
    [
        (" a ", "a", "trim"),
        (" a ", "a ", "trim"),
        (" a ", " a", "trim"),
        ("a\n", "a", "trim"),
        ("a\r\nb", "a\nb", "newline"),
        ("a\rb", "a\nb", "newline"),
        ("a\u2028b", "a\nb", "newline"),
        ("a\x85b", "a\x0bb", "newline"),
        ("a\nb", "a b", "newline"),
        ("a\nb", "ab", "newline"),
        ("ab", "a\nb", "newline"),
        ("a\u2029b", "a b", "newline"),
        ("<a> & 'b'", html.escape("<a> & 'b'"), "escape"),
        ("<a> & 'b'", html.escape("<a> & 'b'", quote=False), "escape"),
        ('a"b\u00e9', json.dumps('a"b\u00e9'), "escape"),
        ('a"b\u00e9', json.dumps('a"b\u00e9')[1:-1], "escape"),
        ('a"b\u00e9', json.dumps('a"b\u00e9', ensure_ascii=False), "escape"),
        ('a"b\u00e9', json.dumps('a"b\u00e9', ensure_ascii=False)[1:-1], "escape"),
        ("a b/c", quote("a b/c"), "escape"),
        ("a b/c", quote("a b/c", safe=""), "escape"),
        ("a b/c", quote_plus("a b/c"), "escape"),
        ("a\\b", "a\\\\b", "escape"),
        ("&amp; b", "& b", "escape"),
        ("a%20b", unquote("a%20b"), "escape"),
        ("a%20%a0", "a \ufffd", "escape"),
        ("%ED%A0%80", "\ud800", "escape"),
        ("a%a0", "b", "other"),
        ("a\\nb", "a\nb", "escape"),
        ("a\\tb\\rc", "a\tb\rc", "escape"),
        ("\\u0041 \\x42 \\'", "A B '", "escape"),
        ("\\u00E9 \\xE9 \\u00e9 \\xe9", "\u00e9 \u00e9 \u00e9 \u00e9", "escape"),
        ("e\u0301x", unicodedata.normalize("NFC", "e\u0301x"), "unicode"),
        ("\ufb01x", "fix", "unicode"),
        ("a\ud800b", "a\ufffdb", "unicode"),
        ("na\u00efve", "nave", "unicode"),
        ("na\u00efve", "na?ve", "unicode"),
        ("na\u00efve \u4f60", "na\u00efve ?", "unicode"),
        ("na\u00efve \u4f60!", "na\u00efve !", "unicode"),
        ("a\U0001f600b\u4f60", "ab\u4f60", "unicode"),
        ("a\U00010000b\u4f60", "ab\u4f60", "unicode"),
        ("a\uffffb\u4f60", "ab\u4f60", "other"),
        ("a  b", "a b", "spaces"),
        (" a  b \n", " a b \n", "spaces"),
        ("  ", " ", "spaces"),
        ("a\tb", "a    b", "spaces"),
        ("a\x00b", "ab", "control"),
        ("a\u200db", "ab", "control"),
        ("Hello", "hello", "case"),
        ("hello", "HELLO", "case"),
        (LONG, LONG[:1000], "truncate"),
        (LONG, LONG[:1000] + "...", "truncate"),
        (LONG, LONG[:1000] + " (shortened)", "truncate"),
        ("ab", "a", "truncate"),
        ("ab", "abab", "repeated"),
        ("ab", "ababab", "repeated"),
        ("abc", "xyz", "other"),
        ("abc", "abcd", "other"),
        ("0123456789 abc", "0123456789 xyz", "other"),
    ],
)
def test_aspect(sent: str, seen: str, aspect: str) -> None:
    assert aspect_of(sent, seen) == aspect


def test_a_middle_that_is_gone_is_no_truncation() -> None:
    assert aspect_of("0123456789 middle end", "0123456789 end") == "other"


def test_a_long_tail_of_something_else_is_no_truncation() -> None:
    assert aspect_of(LONG, LONG[:500] + "X" * 39) == "truncate"
    assert aspect_of(LONG, LONG[:500] + "X" * 40) == "other"


def test_a_mark_after_a_short_beginning_is_no_truncation() -> None:
    assert aspect_of(LONG, LONG[:9] + "...") == "truncate"
    assert aspect_of(LONG, LONG[:8] + "...") == "other"


@pytest.mark.parametrize(
    ("text", "visible"),
    [
        ("a", True),
        ("  a  ", True),
        ("", False),
        (" \t\n", False),
        ("  ", False),
        ("\u200b\ufeff", False),
        ("\x00", False),
        ("\u3000", False),
        ("\u0301", True),
        ("\U0001f600", True),
    ],
)
def test_visible(text: str, visible: bool) -> None:
    assert has_visible(text) is visible
