"""What is tested, as somebody's test module asked for it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..case import NEWEST_REVISION, REVISIONS
from ..corpus import FOLDER, Corpus, load_corpus
from ..known import DEFAULT_FILE, Entry, known_for, read_known
from ..renderer import Identity, Renderer
from ..renderers import function_renderer, open_renderer
from ..rules import RULES, SEVERITIES, Severity, matching, observable


@dataclass(frozen=True)
class Subject:
    """A renderer and how it is to be judged. Raises `ValueError` for words that are not known."""

    renderer: str | Callable[..., Any]
    rules: tuple[str, ...]
    fail_on: Severity
    known: str | Path | None
    corpus: str | Path | bool
    revision: str | None
    timeout: float
    max_examples: int | None
    seed: int | None

    def __post_init__(self) -> None:
        for glob in self.rules:
            if not matching(RULES, [glob]):
                raise ValueError(f"{glob!r} matches no rule: expected globs of {', '.join(RULES)}")
        if self.revision not in (None, *REVISIONS):
            raise ValueError(f"no revision {self.revision!r}: expected one of {REVISIONS}")
        if self.fail_on not in SEVERITIES:
            raise ValueError(f"no severity {self.fail_on!r}: expected one of {SEVERITIES}")

    @property
    def spec(self) -> str:
        """The renderer as the command line and the known findings name it."""
        if isinstance(self.renderer, str):
            named = self.renderer
            return named if ":" in named else named.partition("@")[0]
        name = getattr(self.renderer, "__qualname__", type(self.renderer).__qualname__)
        return f"python:{self.renderer.__module__}:{name}"

    @property
    def can_be_named(self) -> bool:
        """Whether the command line can reach it too: a function made by a function can't be."""
        if isinstance(self.renderer, str):
            return True
        module, _, path = self.spec.removeprefix("python:").partition(":")
        found: object = sys.modules.get(module)
        for name in path.split("."):
            found = getattr(found, name, None)
        return found is self.renderer

    def open(self) -> Renderer:
        """The renderer, ready to render. Raises `UsageError` and `RendererUnavailable`."""
        revision = self.revision or NEWEST_REVISION
        if isinstance(self.renderer, str):
            return open_renderer(self.renderer, revision=revision, timeout=self.timeout)
        return function_renderer(
            self.renderer, spec=self.spec, revision=revision, timeout=self.timeout
        )

    def greet(self) -> Identity:
        """Who the renderer is: a driver is started for it, and ended. Raises as `open` does."""
        renderer = self.open()
        try:
            return renderer.identity
        finally:
            renderer.close()

    def rules_of(self, identity: Identity) -> list[str]:
        """The rules that are asked for and can be seen."""
        wanted = matching(RULES, self.rules)
        return [rule for rule in wanted if observable(rule, identity.view, identity.rules)]

    def revision_of(self, identity: Identity) -> str:
        """The revision that was asked for, or the newest that the renderer negotiates."""
        if self.revision is not None:
            return self.revision
        offered = [each for each in identity.revisions or () if each in REVISIONS]
        return max(offered, default=NEWEST_REVISION)

    def entries(self, here: Path) -> list[Entry]:
        """The known findings that serve in the folder `here`. Raises `FormatError`."""
        if self.known is not None:
            return read_known(here / self.known)
        file = here / DEFAULT_FILE
        entries = read_known(file) if file.exists() else []
        if any(entry["renderer"] == self.spec for entry in entries):
            return entries
        return known_for(self.spec)

    def cases(self, here: Path) -> Corpus:
        """The corpus that serves in the folder `here`; its paths are as short as they can be."""
        if self.corpus is False:
            return Corpus(())
        if self.corpus is True:
            own = here / FOLDER
            return load_corpus([_shorter(own)] if own.is_dir() else [])
        return load_corpus([_shorter(here / self.corpus)])


def _shorter(path: Path) -> Path:
    try:
        return path.relative_to(Path.cwd())
    except ValueError:
        return path
