"""Every rule that a renderer can show is a test of its own, whichever worker runs it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest

from mcp_prompt_fuzz.rules import RULES

pytest_plugins = ("pytester",)

Client = Callable[..., pytest.RunResult]

FOUR = """
from hypothesis import settings
from mcp_prompt_fuzz.testing import prompt_tests
from my_client import drops_images, trims

settings.register_profile("few", max_examples=15)
settings.load_profile("few")
TestFaithful = prompt_tests("python:my_client:faithful", corpus=False)
TestDropsImages = prompt_tests(drops_images, corpus=False)
TestTrims = prompt_tests(trims, corpus=False)
TestForgetsRoles = prompt_tests("python:my_client:forgets_roles", corpus=False)
"""


def outcomes(ran: pytest.RunResult) -> dict[str, str]:
    """What became of each test: of `TestTrims::test_rule[roles]`, say, PASSED."""
    told = re.findall(
        r"^(PASSED|FAILED|SKIPPED|XFAIL) \S*?test_prompts\.py::(.+?)(?: - .*)?$",
        ran.stdout.str(),
        re.M,
    )
    return {name.partition("@")[0]: outcome for outcome, name in told}


@pytest.mark.parametrize("how", [(), ("-n2",), ("-n2", "--dist=loadgroup")], ids=" ".join)
def test_each_rule_is_a_test(how: tuple[str, ...], client: Client) -> None:
    ran = client(FOUR, "-rA", *how, process=True)
    seen = outcomes(ran)
    broken = {
        "TestDropsImages::test_rule[image]",
        "TestTrims::test_rule[text.verbatim]",
        "TestForgetsRoles::test_rule[roles]",
    }
    assert {name for name, outcome in seen.items() if outcome == "FAILED"} == broken
    observable = {rule for rule, each in RULES.items() if "result" in each.seen_by}
    # What can't be seen of a function of messages is skipped, with its reason, and never passes.
    kept = observable - {"provider"}
    assert {n for n, outcome in seen.items() if outcome == "PASSED"} >= {
        f"TestFaithful::test_rule[{rule}]" for rule in kept
    }
    ran.assert_outcomes(passed=4 * len(kept) - 3, failed=3, skipped=4)
    assert len(set(re.findall(r"--seed (\d+)", ran.stdout.str()))) == 1


def test_a_failure_says_all_that_its_reader_needs(client: Client) -> None:
    ran = client(FOUR, "-k", "TestDropsImages and image", process=True)
    out = ran.stdout.str()
    for words in (
        "image: The bytes of each image reach the model.",
        "loss: ",
        "so this is no violation of it",
        "expected, to reach the model:\n  user: image image/png",
        "observed:\n  nothing reaches the model",
        "the smallest prompt that shows it:\n  {\n",
        "mcp-prompt-fuzz known update python:my_client:drops_images\n",
        "  corpus/image/an-image-of-an-mcp-prompt-never-reaches-the-model.json\n",
    ):
        assert words in out
    assert re.search(
        r"  mcp-prompt-fuzz fuzz python:my_client:drops_images --rules image --seed \d+ "
        r"--max-examples 15\n",
        out,
    )
    assert "Traceback" not in out
    smallest = re.search(r"^  \{\n.*?^  \}\n", out, re.MULTILINE | re.DOTALL)
    assert smallest is not None
    kept = json.loads(smallest[0])
    (message,) = kept["messages"]
    assert message["content"]["type"] == "image"
    # As the corpus keeps it: without its rule, every rule would be judged on it.
    assert kept["rule"] == "image"
    assert kept["origin"] == "found by fuzzing python:my_client:drops_images"


@pytest.mark.parametrize(
    ("profile", "args", "told"),
    [
        ("max_examples=7, derandomize=True, database=None", (), "--seed 0 --max-examples 7"),
        ("max_examples=8", ("--hypothesis-seed=5",), "--seed 5 --max-examples 8"),
    ],
)
def test_hypothesis_profiles_are_respected(
    profile: str, args: tuple[str, ...], told: str, client: Client, pytester: pytest.Pytester
) -> None:
    pytester.makeconftest(
        f"import hypothesis\nhypothesis.settings.register_profile('mine', {profile})"
    )
    module = """
    from mcp_prompt_fuzz.testing import prompt_tests
    TestPrompts = prompt_tests("python:my_client:drops_images", rules=["image"], corpus=False)
    """
    ran = client(module, "--hypothesis-profile=mine", *args, process=True)
    ran.assert_outcomes(failed=1)
    assert told in ran.stdout.str()


def test_it_is_collected_by_any_name_and_can_be_told_from_other_tests(client: Client) -> None:
    module = """
    from mcp_prompt_fuzz.testing import prompt_tests
    prompts = prompt_tests("python:my_client:faithful", rules=["image"], max_examples=1)

    def test_another():
        pass
    """
    assert "2 passed" in client(module).stdout.str()
    ran = client(module, "-m", "not mcp_prompts", "-v")
    ran.assert_outcomes(passed=1, deselected=2)
    assert "test_another" in ran.stdout.str()


def test_what_prompt_text_did_is_not_told_in_a_log(client: Client) -> None:
    module = """
    from mcp_prompt_fuzz.testing import prompt_tests
    TestPrompts = prompt_tests("python:my_client:runs_backticks", rules=["inert"], corpus=False)
    """
    ran = client(module)
    ran.assert_outcomes(failed=1)
    out = ran.stdout.str()
    assert "unsafe: inert is broken (shell); the evidence is private" in out
    assert "mcp-prompt-fuzz fuzz python:my_client:runs_backticks --rules inert" in out
    assert "pfz" not in out


def test_without_its_plugin_nothing_is_passed_over(client: Client) -> None:
    module = """
    from mcp_prompt_fuzz.testing import prompt_tests
    TestPrompts = prompt_tests("python:my_client:faithful", rules=["image"], corpus=False)
    """
    client(module, "-p", "no:mcp_prompt_fuzz", "-p", "no:xdist").assert_outcomes(passed=1)
