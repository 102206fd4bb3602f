"""No text holds a live construct of any known client outside a canary."""

import os
import re
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, given, settings

from hypothesis_mcp import cases
from hypothesis_mcp.canaries import CANARIES
from hypothesis_mcp.hard_strings import FREE_ALPHABET, HARD_STRINGS
from hypothesis_mcp.names import ARGUMENT_NAMES, PROMPT_NAMES
from hypothesis_mcp.uris import LINK_NAMES, URIS
from hypothesis_mcp.values import VALUES
from hypothesis_mcp.wire import get_prompt_result

LIVE: Final = {
    "bang and backtick": r"!`",
    "bang and brace": r"!\{",
    "at and brace": r"@\{",
    "command substitution": r"\$\(",
    "at before a path": r"(?:^|[\s(\[\"'])@[\w./~-]",
    "file reference": r"#\[\[|!\[\[",
    "braces": r"\{\{|\}\}|\{%|\{#|#\{|\$\{",
    "brackets of template engines": r"<%|<\?=|<\?php",
    "positional": r"\$[0-9@&*#]",
    "variable": r"\$[A-Za-z_]",
    "percent format": r"%\([A-Za-z_]+\)|%[sdrif]\b",
    "slash command": r"^\s*/\w",
    "shell line": r"^\s*!\S",
}
_PATTERNS: Final = {name: re.compile(pattern) for name, pattern in LIVE.items()}
# The longest first: one canary may be part of another.
_CANARY: Final = re.compile(
    "|".join(re.escape(text) for text in sorted((c.text for c in CANARIES), key=len, reverse=True))
)


def live_in(text: str) -> list[str]:
    """The names of the live constructs that ``text`` holds outside a canary."""
    # A canary becomes a character that no construct begins, holds or ends with.
    inert = _CANARY.sub("\u00b7", text)
    return [name for name, pattern in _PATTERNS.items() if pattern.search(inert)]


def strings_in(value: Any) -> list[str]:
    """Every string of some JSON data; keys, and what is base64, aside."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        value = [inner for key, inner in value.items() if key not in {"data", "blob"}]
    return [text for each in value for text in strings_in(each)] if isinstance(value, list) else []


DRAWS = 20_000 if os.environ.get("MCP_PROMPT_FUZZ_QUALITY") == "full" else 2_000


@given(cases(strict=False, sandboxed=True))
@settings(max_examples=DRAWS, deadline=None, database=None, suppress_health_check=list(HealthCheck))
def test_no_text_is_live_outside_a_canary(case: Any) -> None:
    result = get_prompt_result(case)
    for text in strings_in(case) + strings_in(result):
        assert live_in(text) == [], text


@given(cases(sandboxed=False))
@settings(max_examples=DRAWS // 10, deadline=None, database=None)
def test_without_a_sandbox_nothing_names_or_makes_a_file(case: Any) -> None:
    forbidden = [canary.text for canary in CANARIES if canary.needs_sandbox]
    for text in strings_in(case):
        assert not any(canary in text for canary in forbidden), text


@pytest.mark.parametrize(
    "text",
    [
        *HARD_STRINGS.values(),
        *PROMPT_NAMES.values(),
        *ARGUMENT_NAMES.values(),
        *VALUES.values(),
        *LINK_NAMES,
        *URIS,
    ],
    ids=ascii,
)
def test_no_table_holds_a_live_entry(text: str) -> None:
    assert live_in(text) == []


def test_free_text_has_no_character_that_opens_a_construct() -> None:
    assert set(FREE_ALPHABET).isdisjoint("!@$#%&{}<>`\\~/-")


@pytest.mark.parametrize("canary", CANARIES, ids=lambda canary: canary.name)
def test_a_disarmed_canary_is_not_live(canary: Any) -> None:
    assert live_in(canary.disarmed) == []
    assert canary.text not in canary.disarmed


LIVE_TEXTS = {
    "bang and backtick": "a !`rm x`",
    "bang and brace": "!{rm x}",
    "at and brace": "@{a.txt}",
    "command substitution": "a$(b)",
    "at before a path": "see @src/a.py",
    "file reference": "#[[file:a]]",
    "braces": "{{ name }}",
    "brackets of template engines": "<%= a %>",
    "positional": "a $2",
    "variable": "$HOME",
    "percent format": "%(name)s",
    "slash command": "/clear",
    "shell line": "!ls",
}


@pytest.mark.parametrize("name", LIVE)
def test_the_scanner_knows_each_construct(name: str) -> None:
    assert name in live_in(LIVE_TEXTS[name])
