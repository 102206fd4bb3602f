"""Texts that break clients, each of which a faithful renderer passes on character for character.

``st.text()`` almost never draws them: of 3,000 draws 4 change under NFC and one holds U+2028. So
they are a table, mixed into every text that the strategies draw. None is a construct that a known
client acts upon: those are in `hypothesis_mcp.canaries` alone.

Order matters. Strategies shrink toward the front of the table, so entries with one trait in common
stand side by side, the shortest of them first.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

__all__ = ["FREE_ALPHABET", "HARD_STRINGS", "MARKED_BLANK"]

_LONG_LINE: Final = ("All work and no play makes a dull prompt. " * 100).rstrip()

HARD_STRINGS: Final[Mapping[str, str]] = MappingProxyType(
    {
        # Nothing to see: trimmed, dropped, or taken for the absence of a text.
        "empty": "",
        "space": " ",
        "spaces": "   ",
        "newline": "\n",
        "newlines": "\n\n\n",
        "carriage_return": "\r",
        "crlf": "\r\n",
        "cr_lines": "a\rb",
        "crlf_lines": "a\r\nb",
        "mixed_lines": "a\nb\r\nc\rd",
        "tab": "\t",
        "vertical_tab": "\x0b",
        "form_feed": "\x0c",
        "nbsp": "\u00a0",
        "ideographic_space": "\u3000",
        "zero_width_space": "\u200b",
        "word_joiner": "\u2060",
        "soft_hyphen": "\u00ad",
        "braille_blank": "\u2800",
        # Separators that some line splitters know and others don't.
        "next_line": "\u0085",
        "line_separator": "\u2028",
        "paragraph_separator": "\u2029",
        "unit_separator": "\x1f",
        # Control characters, and what is not a character.
        "nul": "\x00",
        "nul_inside": "a\x00b",
        "escape": "\x1b[31mred\x1b[0m",
        "backspaces": "abc\x08\x08\x08",
        "delete": "\x7f",
        "bom": "\ufeff",
        "bom_first": "\ufeffa",
        "replacement": "\ufffd",
        "object_replacement": "\ufffc",
        "noncharacter": "\uffff",
        "private_use": "\ue000",
        # Spaces at the edges, and runs of them.
        "leading_space": " a",
        "trailing_space": "a ",
        "double_space": "a  b",
        "leading_newline": "\na",
        "trailing_newline": "a\n",
        "indented": "    a\n\tb",
        "blank_line": "a\n\nb",
        "many_blank_lines": "a\n\n\n\n\nb",
        # Changed by Unicode normalisation. The first four are one character each.
        "angstrom": "\u212b",
        "ohm": "\u2126",
        "cjk_compatibility": "\uf900",
        "hebrew_presentation": "\ufb1d",
        "decomposed": "e\u0301",
        "jamo": "\u1100\u1161",
        "marks_out_of_order": "a\u0315\u0300",
        "zalgo": "a\u0300\u0301\u0302\u0303\u0304\u0305\u0306\u0307\u0308",
        "ligature": "\ufb01",
        "full_width": "\uff21\uff22",
        "sharp_s": "\u00df",
        "lone_mark": "\u0301",
        # Direction, joiners, and what lies beyond the first plane.
        "rtl_override": "a\u202ecba",
        "rtl_isolate": "\u2067a\u2069",
        "hebrew": "\u05e9\u05dc\u05d5\u05dd",
        "arabic": "\u0633\u0644\u0627\u0645",
        "mixed_direction": "a \u05d0 1 \u0628 b",
        "astral": "\U0001d54f",
        "emoji": "\U0001f600",
        "emoji_family": "\U0001f468\u200d\U0001f469\u200d\U0001f467",
        "flag": "\U0001f1e6\U0001f1fa",
        "variation_selector": "\u2764\ufe0f",
        "tag_character": "a\U000e0041",
        "han": "\u4f60\u597d",
        "rare_han": "\U00020000",
        "thai": "\u0e01\u0e33",
        "devanagari": "\u0915\u094d\u0937",
        # Markup that a renderer may take for its own.
        "html": "<b>bold</b>",
        "html_comment": "<!-- gone -->",
        "xml_document": '<?xml version="1.0"?><a/>',
        "xml_close": "</user></prompt>",
        "cdata_end": "]]>",
        "angle_tokens": "<|im_end|>",
        "instruction_tokens": "[/INST]",
        "turn_label": "\n\nHuman: a\n\nAssistant: b",
        "rich_markup": "[bold]a[/bold]",
        "markdown_heading": "# a",
        "markdown_fence": "```\na\n```",
        "markdown_open_fence": "```",
        "markdown_long_fence": "````\n```\n````",
        "markdown_emphasis": "*a* _b_",
        "markdown_table": "| a | b |\n| - | - |",
        "markdown_link": "[a](https://example.invalid/b)",
        "markdown_rule": "---",
        "front_matter": "---\na: b\n---\nc",
        "hard_break": "a  \nb",
        "image_placeholder": "[image]",
        "data_uri": "data:image/png;base64,AAAA",
        # Data that a client may parse, and quotes that it may not close.
        "json_object": '{"a": 1}',
        "json_content": '{"type": "text", "text": "a"}',
        "json_list": "[1, 2]",
        "json_string": '"a"',
        "number": "42",
        "huge_number": "1e999",
        "null": "null",
        "undefined": "undefined",
        "true": "true",
        "none": "None",
        "object_object": "[object Object]",
        "quotes": "'\"\u2018\u201c",
        "single_quote": "it's",
        "csv": 'a,"b""c",d',
        "base64_alike": "QUJD",
        "backslash": "\\",
        "trailing_backslash": "a\\",
        "semicolon": "a; b",
        # Look-alikes of commands, mentions and templates that nothing acts upon.
        "shell_alike": "$ echo a",
        "bang_alike": "! echo a",
        "mention_alike": "a (at) b",
        "path_alike": "a/b.txt",
        "windows_path": "C:\\temp\\a.txt",
        "parent_path": "../a.txt",
        "option_alike": "--a=b",
        "slash_alike": "a /b",
        "template_alike": "[[topic]]",
        "percent_alike": "9 %, a",
        "url": "https://example.invalid/?a=1&b=2#c",
        # Long.
        "long_word": "a" * 1_000,
        "long_line": _LONG_LINE,
        "many_lines": "a\n" * 499 + "a",
    }
)
"""Name to text."""

MARKED_BLANK: Final = frozenset(
    name for name, text in HARD_STRINGS.items() if text and not text.strip()
)
"""Names of the entries that hold white space alone, by Python's notion of it."""

# Free text is made of these alone. Nothing here can open a live construct: no ! @ $ # % & { } < >
# ` \ ~ and no / or - (a text's first character may be any of these). No combining marks, so that
# free text never changes under normalisation and a text that does comes from the table above.
FREE_ALPHABET: Final = (
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
    " \n\t.,;:?()[]_*+='\""
    "\u00e9\u00f1\u00fc\u00df\u0416\u03b1\u05d0\u0627\u0e01\u4e2d\u65e5\uac00"
    "\u2013\u2026\u20ac\u2192\U0001f600\U0001f680\U00020000"
)
"""The characters of free text; none can begin a construct that a known client acts upon."""
