"""Renderers that are drivers, and renderers that can't be had."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable

import pytest

from mcp_prompt_fuzz.commands.init import starter

pytest_plugins = ("pytester",)

Client = Callable[..., pytest.RunResult]


def test_a_driver_is_tested_by_every_rule_that_it_can_show(
    client: Client, pytester: pytest.Pytester
) -> None:
    (pytester.path / "prompt_driver.py").write_text(starter("python"), encoding="utf-8")
    spec = f"driver:{shlex.quote(sys.executable)} prompt_driver.py"
    module = f"""
    from mcp_prompt_fuzz.testing import prompt_tests
    TestPrompts = prompt_tests({spec!r}, max_examples=5)
    """
    ran = client(module, "-v")
    assert ran.ret == 0
    assert "TestPrompts::test_rule[resource.blob] PASSED" in ran.stdout.str()
    assert "list." not in ran.stdout.str()


def test_a_renderer_that_is_not_there_fails_with_what_to_do(client: Client) -> None:
    module = """
    from mcp_prompt_fuzz.testing import prompt_tests
    TestDriver = prompt_tests("driver:pfz-no-such-program --x")
    TestFunction = prompt_tests("python:my_other_client:render", corpus=False)

    def test_another():
        pass
    """
    ran = client(module)
    ran.assert_outcomes(failed=3, passed=1)
    ran.stdout.fnmatch_lines(
        ["*TestDriver.test_rule?renderer?*", "*pfz-no-such-program*", "*No module named*"]
    )


def test_a_name_that_nothing_answers_to_is_an_error(client: Client) -> None:
    module = """
    from mcp_prompt_fuzz.testing import prompt_tests
    TestPrompts = prompt_tests("python:my_client")
    """
    ran = client(module)
    assert ran.ret == pytest.ExitCode.INTERRUPTED
    ran.stdout.fnmatch_lines(["*expected python:MODULE:CALLABLE*"])
    assert "Traceback" not in ran.stdout.str()
