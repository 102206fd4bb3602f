"""The class that pytest collects for a subject: a test for each rule, a test for each case."""

from __future__ import annotations

import secrets
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar, TypeAlias

import pytest
from hypothesis import settings

from ..corpus import CorpusCase
from ..formats import FormatError
from ..renderer import Identity, Renderer, RendererUnavailable
from ..renderers import UsageError
from ..reports.escape import one_line, visible
from .subject import Subject
from .trial import Outcome, Trial, judge_kept

Params: TypeAlias = Sequence[Any]
_SEED = pytest.StashKey[int]()


class KnownFinding(AssertionError):
    """The renderer breaks the rule as the known findings say that it does."""


class PromptTests:
    """The tests of one subject.

    What exploring it came to is kept for the process: the first test of a rule takes the time of
    them all.
    """

    mcp_prompt_subject: ClassVar[Subject]
    _identity: ClassVar[Identity | RendererUnavailable | None] = None
    _trial: ClassVar[Trial | str | None] = None
    _renderer: ClassVar[Renderer | None] = None

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """One `test_rule` for each rule that can be seen, one `test_corpus` for each case."""
        subject, identity = self.mcp_prompt_subject, self._greeted()
        if metafunc.function.__name__ == "test_rule":
            metafunc.parametrize("rule", _rule_params(subject, identity))
        elif metafunc.function.__name__ == "test_corpus":
            here = metafunc.config.rootpath
            metafunc.parametrize("kept", _case_params(subject, identity, here))

    @classmethod
    def teardown_class(cls) -> None:
        """End the renderer that the corpus was judged with."""
        renderer, cls._renderer = cls._renderer, None
        if renderer is not None:
            renderer.close()

    def test_rule(self, rule: str | RendererUnavailable, request: pytest.FixtureRequest) -> None:
        """The renderer, explored with drawn prompts, keeps the rule."""
        if isinstance(rule, RendererUnavailable):
            pytest.fail(_told(rule), pytrace=False)
        trial = self._explored(request.config)
        if isinstance(trial, str):
            pytest.fail(trial, pytrace=False)
        _conclude(trial.outcome(rule), request)

    def test_corpus(
        self, kept: CorpusCase | FormatError | RendererUnavailable, request: pytest.FixtureRequest
    ) -> None:
        """The renderer keeps what the case is kept for."""
        if not isinstance(kept, CorpusCase):
            pytest.fail(_told(kept), pytrace=False)
        subject = self.mcp_prompt_subject
        try:
            entries = subject.entries(request.config.rootpath)
            outcome = judge_kept(subject, self._opened(), kept, entries)
        except (RendererUnavailable, FormatError) as error:
            pytest.fail(_told(error), pytrace=False)
        _conclude(outcome, request)

    @classmethod
    def _greeted(cls) -> Identity | RendererUnavailable:
        """Who the renderer is, or why it can't be had: a test tells the latter."""
        if cls._identity is None:
            try:
                cls._identity = cls.mcp_prompt_subject.greet()
            except UsageError as error:
                raise pytest.Collector.CollectError(str(error)) from None
            except RendererUnavailable as error:
                cls._identity = error
        return cls._identity

    @classmethod
    def _explored(cls, config: pytest.Config) -> Trial | str:
        """The trial, or why there is none."""
        if cls._trial is None:
            try:
                seed = _seed(config)
                cls._trial = Trial.of(cls.mcp_prompt_subject, seed=seed, here=config.rootpath)
            except (RendererUnavailable, FormatError) as error:
                cls._trial = _told(error)
        return cls._trial

    @classmethod
    def _opened(cls) -> Renderer:
        if cls._renderer is None:
            cls._renderer = cls.mcp_prompt_subject.open()
        return cls._renderer


def make_tests(subject: Subject) -> type[PromptTests]:
    """The class of tests for a subject."""
    members: dict[str, Any] = {"mcp_prompt_subject": subject, "__doc__": PromptTests.__doc__}
    if subject.corpus is False:
        members["test_corpus"] = None
    return type("PromptTests", (PromptTests,), members)


def _rule_params(subject: Subject, identity: Identity | RendererUnavailable) -> Params:
    if isinstance(identity, RendererUnavailable):
        return [pytest.param(identity, id="renderer")]
    return [pytest.param(rule, id=rule) for rule in subject.rules_of(identity)]


def _case_params(subject: Subject, identity: Identity | RendererUnavailable, here: Path) -> Params:
    if isinstance(identity, RendererUnavailable):
        return [pytest.param(identity, id="renderer")]
    corpus = subject.cases(here)
    rules = subject.rules_of(identity)
    wanted = [kept for kept in corpus.cases if kept.case.rule in rules or kept.case.rule is None]
    return [
        *(pytest.param(kept, id=one_line(kept.case.title)) for kept in wanted),
        *(pytest.param(bad, id=one_line(bad.source)) for bad in corpus.errors),
    ]


def _conclude(outcome: Outcome, request: pytest.FixtureRequest) -> None:
    """Pass, skip or fail as the outcome says; what is known fails as a strict xfail."""
    if outcome.verdict == "new":
        pytest.fail(outcome.words, pytrace=False)
    if outcome.verdict == "skipped":
        pytest.skip(outcome.words)
    if outcome.verdict in ("known", "stale"):
        expected = pytest.mark.xfail(strict=True, raises=KnownFinding, reason=outcome.words)
        request.applymarker(expected)
    if outcome.verdict == "known":
        raise KnownFinding(outcome.words)


def _seed(config: pytest.Config) -> int:
    """The seed of this test run, the same on each of its workers.

    Hypothesis's: that of `--hypothesis-seed`, or always the same where the profile is
    derandomized, or a new one.
    """
    if _SEED not in config.stash:
        config.stash[_SEED] = _new_seed(config)
    return config.stash[_SEED]


def _new_seed(config: pytest.Config) -> int:
    asked = config.getoption("--hypothesis-seed", default=None)
    if asked is not None:
        return int(asked) if str(asked).isdigit() else zlib.crc32(str(asked).encode())
    if settings().derandomize:
        return 0
    workers = getattr(config, "workerinput", None)
    if workers is not None:
        return zlib.crc32(workers["testrunuid"].encode())
    return secrets.randbelow(2**32)


def _told(error: RendererUnavailable | UsageError | FormatError) -> str:
    told = [str(error)]
    if isinstance(error, RendererUnavailable | UsageError):
        told.append(error.next_step)
    return visible("\n".join(told), lines=True)
