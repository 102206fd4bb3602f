"""A renderer's regression test in anybody's own suite.

With pytest, a test for each rule that the renderer can show and one for each case of the corpus:

    from mcp_prompt_fuzz.testing import prompt_tests

    TestPrompts = prompt_tests("python:my_client.prompts:to_messages")

Without pytest, or where a test has more to prepare:

    check_renderer(to_messages)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from ..rules import Severity
from .subject import Subject
from .trial import Trial
from .words import failure

__all__ = ["check_renderer", "prompt_tests"]


def prompt_tests(  # noqa: PLR0913 - keywords that the command line has as options
    renderer: str | Callable[..., Any],
    *,
    rules: Iterable[str] = ("*",),
    fail_on: Severity = "distortion",
    known: str | Path | None = None,
    corpus: str | Path | bool = True,
    revision: str | None = None,
    timeout: float = 30.0,
    max_examples: int | None = None,
    seed: int | None = None,
) -> type:
    """A class for pytest to collect: `test_rule[...]` for each rule, `test_corpus[...]` for cases.

    `renderer` is a function, or what the command line takes (`python:...`, `driver:...`); `rules`
    are globs. Findings from the severity `fail_on` on fail, unless the file `known` (by default
    `mcp-prompt-known.json` in pytest's root folder, if there) has them: those are strict xfails.
    `corpus` is a folder or file of cases, by default the folder `corpus` in pytest's root folder if
    there is one, else the shipped one; False for none. `timeout` is in seconds for one rendering.

    How many examples are drawn, and whether always the same, follows the active Hypothesis profile
    (`max_examples`, `derandomize`, `database`) and `--hypothesis-seed`, unless given here. Raises
    `ValueError` for a rule or revision that there is not.
    """
    from .collected import make_tests  # noqa: PLC0415 - check_renderer works without pytest

    return make_tests(
        Subject(
            renderer,
            rules=tuple(rules),
            fail_on=fail_on,
            known=known,
            corpus=corpus,
            revision=revision,
            timeout=timeout,
            max_examples=max_examples,
            seed=seed,
        )
    )


def check_renderer(  # noqa: PLR0913 - as above
    renderer: str | Callable[..., Any],
    *,
    rules: Iterable[str] = ("*",),
    fail_on: Severity = "distortion",
    known: str | Path | None = None,
    revision: str | None = None,
    timeout: float = 30.0,
    max_examples: int | None = None,
    seed: int | None = None,
) -> None:
    """Explore a renderer; raise `AssertionError` with the smallest case of each new finding.

    Takes what `prompt_tests` takes; `known` is by default `mcp-prompt-known.json` in the current
    folder, if there. Without a `seed`, the same examples are drawn each time. Raises
    `RendererUnavailable` and `UsageError` where there is nothing to explore, `FormatError` for a
    known-findings file that is none.
    """
    subject = Subject(
        renderer,
        rules=tuple(rules),
        fail_on=fail_on,
        known=known,
        corpus=False,
        revision=revision,
        timeout=timeout,
        max_examples=max_examples,
        seed=seed,
    )
    trial = Trial.of(subject, seed=0, here=Path())
    if trial.lost:
        raise AssertionError(f"{subject.spec} was not fully explored: {trial.lost}")
    new = trial.new_findings()
    if new:
        raise AssertionError("\n\n".join(failure(finding, subject, trial.how) for finding in new))
