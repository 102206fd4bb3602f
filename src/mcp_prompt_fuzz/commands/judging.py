"""One case put through one renderer and judged: shared by `show` and `repro`."""

from __future__ import annotations

import argparse
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from ..campaign import judge_case
from ..case import NEWEST_REVISION, Case
from ..corpus import FOLDER, find_corpus
from ..finding import Finding
from ..formats import read_case
from ..renderer import Identity
from ..renderers import open_renderer
from ..rendering import Rendering
from .interrupts import interruptible
from .options import revision_of
from .outcome import CommandError
from .terminal import Terminal


@dataclass(frozen=True)
class Judged:
    """What came of a case under one renderer."""

    identity: Identity
    revision: str
    case: Case
    findings: tuple[Finding, ...]
    checked: frozenset[str]
    rendering: Rendering


def judge(args: argparse.Namespace, spec: str, case: Case, terminal: Terminal) -> Judged:
    """Open the renderer, judge the case under its own rule (all, where it has none), close.

    Raises as `open_renderer` does.
    """
    with interruptible(), terminal.progress() as progress:
        opened = open_renderer(
            spec,
            revision=args.revision or NEWEST_REVISION,
            timeout=args.timeout,
            progress=progress.message,
        )
        with closing(opened) as renderer:
            progress.stage("judging the case", None)
            revision = revision_of(args, renderer.identity.revisions)
            findings, checked, rendering = judge_case(renderer, case, case.rule, revision)
            identity = renderer.identity
    return Judged(identity, revision, case, tuple(findings), frozenset(checked), rendering)


def case_at(path: Path) -> Case:
    """The case in that file, or in the `case.json` of that folder. Raises `FormatError`.

    `corpus/...` is the shipped corpus where there is none here.
    """
    if path.is_dir():
        path = path / "case.json"
    if not path.exists() and path.parts[:1] == (FOLDER,):
        path = find_corpus().joinpath(*path.parts[1:])
    if not path.exists():
        raise CommandError(f"no case at {path}", "give a case file, corpus/image/alone.json say")
    return read_case(path)
