"""Each case of the corpus is a test, named by its title."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from mcp_prompt_fuzz.case import Case
from mcp_prompt_fuzz.formats import write_case, write_json

pytest_plugins = ("pytester",)

Client = Callable[..., pytest.RunResult]

MODULE = """
from mcp_prompt_fuzz.testing import prompt_tests
TestPrompts = prompt_tests("python:my_client:drops_images", max_examples=1)
"""
IMAGE = {"type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png"}
ALONE = Case(
    "An image: alone [1/2]",
    "2025-06-18",
    {"name": "p"},
    ({"role": "user", "content": IMAGE},),
    rule="image",
)
TEXT = Case(
    "A text",
    "2025-06-18",
    {"name": "p"},
    ({"role": "user", "content": {"type": "text", "text": "a"}},),
)


def test_cases_are_tests_by_their_titles(client: Client, pytester: pytest.Pytester) -> None:
    corpus = pytester.path / "corpus"
    corpus.mkdir(exist_ok=True)
    write_case(corpus / "alone.json", ALONE)
    write_case(corpus / "text.json", TEXT)
    write_case(corpus / "listed.json", replace(TEXT, title="Listed", rule="list.complete"))
    (corpus / "bad.json").write_text("{", encoding="utf-8")
    ran = client(MODULE, "-k", "test_corpus", "-rA")
    ran.assert_outcomes(passed=1, failed=2, deselected=15)
    ran.stdout.fnmatch_lines(
        [
            "image: The bytes of each image reach the model.",
            "the case: corpus/alone.json",
            "  mcp-prompt-fuzz show python:my_client:drops_images corpus/alone.json",
            "corpus/bad.json: $: not JSON*",
            "PASSED *test_corpus?A text?",
        ]
    )
    assert "TestPrompts::test_corpus[An image: alone [1/2]]" in ran.stdout.str()
    assert "Listed" not in ran.stdout.str()


def test_a_known_case_fails_as_expected(client: Client, pytester: pytest.Pytester) -> None:
    write_case(pytester.path / "corpus" / "alone.json", ALONE)
    known = {
        "renderer": "python:my_client:drops_images",
        "rule": "image",
        "level": "lost",
        "reason": None,
        "url": "https://example.com/7",
    }
    write_json(
        pytester.path / "mcp-prompt-known.json",
        {"format": "mcp-prompt-known/1", "entries": [known]},
    )
    ran = client(MODULE, "-k", "image", "-rx")
    ran.assert_outcomes(xfailed=2, deselected=14)
    ran.stdout.fnmatch_lines(["XFAIL *test_corpus*An image*https://example.com/7"])


def test_a_rare_finding_is_known_while_its_case_shows_it(
    client: Client, pytester: pytest.Pytester
) -> None:
    rare = """
    from my_client import faithful

    def render(result):
        return "" if "rarely seen" in str(result) else faithful(result)
    """
    pytester.makepyfile(rare=rare)
    (message,) = TEXT.messages
    said = {**message, "content": {"type": "text", "text": "rarely seen"}}
    write_case(
        pytester.path / "corpus" / "rare.json",
        replace(TEXT, messages=(said,), rule="text.verbatim"),
    )
    known = {"renderer": "python:rare:render", "rule": "text.verbatim", "url": None}
    write_json(
        pytester.path / "mcp-prompt-known.json",
        {"format": "mcp-prompt-known/1", "entries": [known]},
    )
    module = """
    from mcp_prompt_fuzz.testing import prompt_tests
    TestPrompts = prompt_tests("python:rare:render", rules=["text.verbatim"], max_examples=5)
    """
    client(module).assert_outcomes(passed=1, xfailed=1)


@pytest.mark.parametrize("own", [True, False])
def test_the_corpus_here_wins_over_the_shipped_one(
    own: bool, client: Client, pytester: pytest.Pytester
) -> None:
    folder: Path = pytester.path / "corpus"
    if own:
        write_case(folder / "text.json", TEXT)
    else:
        folder.rmdir()
    ran = client(MODULE, "-k", "test_corpus", "--collect-only", "-q")
    collected = ran.stdout.str().count("TestPrompts::test_corpus[")
    assert collected == 1 if own else collected > 30
