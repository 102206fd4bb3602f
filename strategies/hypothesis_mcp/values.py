"""What users give for an argument, and clients lose between the keyboard and the server.

A value is a string that reaches the server as the user gave it: ``params.arguments`` maps names to
strings in every revision. Values that a client might expand on the way are canaries.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from hypothesis_mcp.canaries import CANARIES
from hypothesis_mcp.hard_strings import HARD_STRINGS

__all__ = ["VALUES"]

_FROM_HARD_STRINGS: Final = (
    "space",
    "newline",
    "crlf",
    "tab",
    "nul",
    "bom",
    "line_separator",
    "leading_space",
    "trailing_space",
    "double_space",
    "trailing_newline",
    "blank_line",
    "crlf_lines",
    "angstrom",
    "decomposed",
    "jamo",
    "lone_mark",
    "rtl_override",
    "emoji",
    "emoji_family",
    "han",
    "html",
    "markdown_fence",
    "json_object",
    "json_list",
    "json_string",
    "number",
    "null",
    "undefined",
    "true",
    "quotes",
    "single_quote",
    "csv",
    "backslash",
    "trailing_backslash",
    "windows_path",
    "parent_path",
    "semicolon",
    "long_word",
    "many_lines",
)

_FROM_CANARIES: Final = (
    "template.positional",
    "template.match",
    "template.arguments",
    "template.mustache",
    "template.brace",
    "template.percent_s",
    "escape.percent",
    "escape.backslash_n",
    "escape.entity",
    "escape.plus",
    "escape.quote",
    "slash.help",
    "shell.dollar",
)

_TEXT_OF: Final = {canary.name: canary.text for canary in CANARIES}

VALUES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "plain": "x",
        "word": "value",
        "two_words": "two words",
        "empty": "",
        "equals": "a=b",
        "long_option": "--k=v",
        "comma_pairs": "a=1,b=2",
        "url_with_query": "https://example.invalid/a?b=c&d=%C3%A9",
        "url": HARD_STRINGS["url"],
        "short_option": "-v",
        "end_of_options": "--",
        "double_quoted": '"a b"',
        "single_quoted": "'a b'",
        "open_quote": '"a',
        "inner_quotes": 'say "a"',
        "comma": "a,b",
        "zero": "0",
        "negative": "-1",
        "float": "1.0",
        "leading_zeros": "007",
        "date": "2026-07-28",
        "json_quoted": '{"a": "b c"}',
        "multi_line": "first\nsecond\nthird",
        "unc_path": "\\\\host\\share",
        "question_mark": "?",
        "star": "*",
        **{name: HARD_STRINGS[name] for name in _FROM_HARD_STRINGS},
        **{name: _TEXT_OF[name] for name in _FROM_CANARIES},
    }
)
"""Name to value; strategies shrink toward the first."""
