"""Known findings are strict xfails, with where they are reported."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import pytest

from mcp_prompt_fuzz.formats import read_json, write_json

pytest_plugins = ("pytester",)

Client = Callable[..., pytest.RunResult]

URL = "https://example.com/issues/7"
MODULE = """
from mcp_prompt_fuzz.testing import prompt_tests
TestPrompts = prompt_tests(
    "python:my_client:{}", rules=["image", "audio", "text.verbatim"], max_examples=5
)
"""


def entry(renderer: str, rule: str, level: str = "lost", **members: Any) -> dict[str, Any]:
    return {
        "renderer": f"python:my_client:{renderer}",
        "versions": "*",
        "rule": rule,
        "part": "*",
        "level": level,
        "aspect": "*",
        "reason": "to be mended",
        "url": URL,
        **members,
    }


def known(pytester: pytest.Pytester, *entries: dict[str, Any]) -> None:
    data = {"format": "mcp-prompt-known/1", "entries": list(entries)}
    write_json(pytester.path / "mcp-prompt-known.json", data)


def test_what_is_known_fails_as_expected(client: Client, pytester: pytest.Pytester) -> None:
    known(pytester, entry("drops_images", "image"))
    ran = client(MODULE.format("drops_images"), "-rx")
    ran.assert_outcomes(passed=2, xfailed=1, skipped=1)
    ran.stdout.fnmatch_lines([f"XFAIL *test_rule?image? - image lost, to be mended, {URL}"])
    client(MODULE.format("drops_images"), "--runxfail").assert_outcomes(
        passed=2, failed=1, skipped=1
    )


def test_what_is_known_and_mended_fails(client: Client, pytester: pytest.Pytester) -> None:
    known(pytester, entry("faithful", "image"))
    ran = client(MODULE.format("faithful"))
    ran.assert_outcomes(passed=2, failed=1, skipped=1)
    ran.stdout.fnmatch_lines(["?XPASS(strict)? known, and not seen any more: image lost*"])
    assert "mcp-prompt-fuzz known update python:my_client:faithful" in ran.stdout.str()


def test_what_is_new_fails_beside_what_is_known(client: Client, pytester: pytest.Pytester) -> None:
    known(pytester, entry("drops_images", "image", "altered"), entry("trims", "text.verbatim"))
    ran = client(MODULE.format("drops_images"))
    ran.assert_outcomes(passed=2, failed=1, skipped=1)
    assert "image: The bytes of each image reach the model." in ran.stdout.str()


def test_one_that_is_mended_is_not_hidden_by_one_that_is_not(
    client: Client, pytester: pytest.Pytester
) -> None:
    known(pytester, entry("drops_images", "image"), entry("drops_images", "image", "altered"))
    ran = client(MODULE.format("drops_images"))
    ran.assert_outcomes(passed=2, failed=1, skipped=1)
    ran.stdout.fnmatch_lines(["known, and not seen any more: image altered*"])


def test_a_file_that_holds_none_is_told(client: Client, pytester: pytest.Pytester) -> None:
    known(pytester, entry("faithful", "imagine"))
    ran = client(MODULE.format("faithful"))
    ran.assert_outcomes(failed=3, skipped=1)
    ran.stdout.fnmatch_lines(["*mcp-prompt-known.json: $.entries?0?.rule: no such rule*"])


def test_what_known_update_writes_is_what_the_tests_know(
    client: Client, pytester: pytest.Pytester
) -> None:
    module = MODULE.format("trims")
    client(module, "--collect-only")  # writes the project
    command = ("mcp_prompt_fuzz", "known", "update", "python:my_client:trims")
    assert pytester.run(sys.executable, "-m", *command, "--max-examples", "5").ret == 0
    entries = read_json(pytester.path / "mcp-prompt-known.json")["entries"]
    assert [each["rule"] for each in entries] == ["text.verbatim"]
    client(module).assert_outcomes(passed=2, xfailed=1, skipped=1)
