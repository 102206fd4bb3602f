"""`replay`: judge the cases of the corpus again, and say what became of each."""

from __future__ import annotations

import argparse
import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from json import dumps
from pathlib import Path
from time import monotonic
from typing import Final, Literal, TypeAlias

from ..campaign import judge_case
from ..case import NEWEST_REVISION
from ..corpus import FOLDER, Corpus, CorpusCase, find_corpus, load_corpus
from ..finding import Finding
from ..jsontypes import Json
from ..known import Entry, match, stale
from ..renderer import Identity, Renderer, RendererUnavailable
from ..renderers import open_renderer
from ..reports.escape import one_line
from ..reports.replay_junit import ReplayTest, replay_junit
from ..reports.run_folder import write_text
from ..reports.run_json import public_summary
from ..reports.tables import markdown_table
from ..rules import RULES, at_least, matching, observable
from ..run_record import Counts, RuleOutcome, RunRecord
from ..versions import versions
from . import options
from .campaigns import LOSSY_SAMPLE
from .interrupts import interruptible
from .known_file import entries_for
from .outcome import exit_status
from .terminal import Steps, Terminal

DESCRIPTION: Final = """\
Judges each case of the corpus under the rule that it is kept for. FIXED: a known finding that
does not show any more. STILL FAILS: known. NEW: fails, and is not known. KEPT: as it should be.
SKIPPED: this renderer can't show it, or the revision can't carry it."""

EXAMPLES: Final = """\
  mcp-prompt-fuzz replay 'driver:node render.js'
  mcp-prompt-fuzz replay opencode corpus/image/alone.json --known known.json"""

Verdict: TypeAlias = Literal["FIXED", "STILL FAILS", "NEW", "KEPT", "SKIPPED"]


@dataclass
class Replayed:
    """One case, and what came of it. `name` is the same wherever the corpus stands."""

    kept: CorpusCase
    name: str
    findings: list[Finding] = field(default_factory=list)
    checked: frozenset[str] = frozenset()
    verdict: Verdict = "SKIPPED"
    detail: str = ""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    options.add_renderer(parser)
    parser.add_argument(
        "paths",
        type=Path,
        nargs="*",
        metavar="PATH",
        help="case files or folders (default: ./corpus if there, else the shipped one)",
    )
    options.add_rules(parser)
    options.add_reaching(parser)
    options.add_known(parser)
    options.add_format(parser)
    parser.add_argument(
        "--out", type=Path, metavar="DIR", help="write replay.xml, JUnit's form, there"
    )


def run(args: argparse.Namespace, terminal: Terminal) -> int:
    """Do it; returns the exit status."""
    entries = entries_for(args.renderer, args.known)
    corpus = load_corpus(args.paths)
    if args.format == "text" and args.renderer.partition("@")[0] == "text-only":
        terminal.say(LOSSY_SAMPLE)
    started = monotonic()
    replay = _Replay(args, corpus, entries)
    with interruptible() as interruption, terminal.progress() as progress:
        try:
            replay.judge_all(progress)
        except KeyboardInterrupt:
            interruption.came = True
    replay.conclude(complete=not interruption.came, seconds=monotonic() - started)
    for error in corpus.errors:
        terminal.note(f"bad case: {error}")
    _print(args, replay, terminal)
    if args.out is not None:
        write_text(args.out / "replay.xml", replay_junit(args.renderer, replay.tests()))
    new = replay.new(args.fail_on)
    return exit_status(
        interrupted=interruption.came,
        not_run=replay.lost is not None or not any(each.checked for each in replay.cases),
        found=bool(new) or (args.strict_known and bool(replay.stale)),
        bad=bool(corpus.errors),
    )


class _Replay:
    """The judging of a corpus, and what it comes to as a whole."""

    def __init__(self, args: argparse.Namespace, corpus: Corpus, entries: Sequence[Entry]) -> None:
        self._args = args
        self._entries = entries
        self.cases = [
            Replayed(kept, _name(kept.path))
            for kept in corpus.cases
            if _is_wanted(kept.case.rule, args.rules)
        ]
        self.stale: list[Entry] = []
        self.lost: RendererUnavailable | None = None
        self.identity: Identity | None = None
        self.revision = str(args.revision or NEWEST_REVISION)

    def judge_all(self, progress: Steps) -> None:
        """Judge each case. A renderer that is lost on the way ends it; one that never came is an
        error of the command."""
        args = self._args
        opened = open_renderer(
            args.renderer,
            revision=args.revision or NEWEST_REVISION,
            timeout=args.timeout,
            progress=progress.message,
        )
        with closing(opened) as renderer:
            self.identity = renderer.identity
            self.revision = options.revision_of(args, self.identity.revisions)
            renderer.prepare(each.kept.case for each in self.cases)
            progress.stage("judging the corpus", len(self.cases))
            try:
                for each in self.cases:
                    self._judge(renderer, each)
                    progress.advance()
            except RendererUnavailable as error:
                self.lost = error
            self.identity = renderer.identity

    def _judge(self, renderer: Renderer, each: Replayed) -> None:
        case = each.kept.case
        findings, checked, _ = judge_case(renderer, case, case.rule, self.revision)
        wanted = matching(RULES, self._args.rules)
        each.findings = [finding for finding in findings if finding.fault.rule in wanted]
        # `robust` is judged along with every rule; it is not what the case is kept for.
        kept_for = checked if case.rule is None else checked & {case.rule}
        each.checked = frozenset(kept_for | {finding.fault.rule for finding in each.findings})

    def conclude(self, *, complete: bool, seconds: float) -> None:
        """Say of each case what became of it, which takes all of them."""
        if self.identity is None:
            return
        finished = complete and self.lost is None
        self.stale = stale(self._entries, self._record(self.identity, finished, seconds))
        gone = {entry.get("rule", "*") for entry in self.stale}
        for each in self.cases:
            each.verdict, each.detail = self._verdict(self.identity, each, gone)

    def _verdict(
        self, identity: Identity, each: Replayed, gone: Iterable[str]
    ) -> tuple[Verdict, str]:
        if each.findings:
            told = "; ".join(one_line(public_summary(finding), 120) for finding in each.findings)
            return ("STILL FAILS" if not self._unknown(each) else "NEW"), told
        rule = each.kept.case.rule
        if not each.checked:
            if rule is not None and not observable(rule, identity.view, identity.rules):
                return "SKIPPED", f"{rule} can't be observed here"
            return "SKIPPED", "not judged: the part did not arrive, or the revision can't carry it"
        fixed = any(name in each.checked for name in gone) and (rule is None or rule in gone)
        return ("FIXED", "a known finding does not show any more") if fixed else ("KEPT", "")

    def _unknown(self, each: Replayed) -> list[Finding]:
        identity = self.identity
        assert identity is not None  # findings come from a renderer that was opened
        return [
            finding
            for finding in each.findings
            if match(self._entries, identity.spec, identity.version, finding) is None
        ]

    def new(self, threshold: str) -> list[Finding]:
        """The findings that are not known, from that severity on."""
        return [
            finding
            for each in self.cases
            for finding in self._unknown(each)
            if at_least(finding.severity, threshold)  # type: ignore[arg-type]
        ]

    def _record(self, identity: Identity, complete: bool, seconds: float) -> RunRecord:
        """The replay as a run, which is what staleness is defined on."""
        checked = {rule for each in self.cases for rule in each.checked}
        return RunRecord(
            identity=identity,
            started=datetime.now(UTC).isoformat(timespec="seconds"),
            status="complete" if complete else "interrupted",
            revision=self.revision,
            seed=0,
            options={},
            versions=versions(),
            counts=Counts(len(self.cases), len(self.cases), seconds),
            rules={rule: RuleOutcome("kept" if rule in checked else "unchecked") for rule in RULES},
            findings=tuple(finding for each in self.cases for finding in each.findings),
        )

    def tests(self) -> Iterator[ReplayTest]:
        """Each case as a test."""
        for each in self.cases:
            case = each.kept.case
            yield ReplayTest(each.name, case.title, each.verdict, each.detail)


def _name(path: Path) -> str:
    """The file's name from the corpus on, where it stands in the corpus."""
    corpus = find_corpus()
    if path.is_relative_to(corpus):
        path = Path(FOLDER) / path.relative_to(corpus)
    return path.as_posix()


def _is_wanted(rule: str | None, globs: Iterable[str]) -> bool:
    return rule is None or bool(matching([rule], globs))


def _print(args: argparse.Namespace, replay: _Replay, terminal: Terminal) -> None:
    rows = [(each.verdict, each.name, each.detail) for each in replay.cases]
    if args.format == "json":
        terminal.raw(dumps([_json(each) for each in replay.cases], indent=2))
        return
    if args.format == "markdown":
        terminal.raw(markdown_table(("verdict", "case", "detail"), rows))
        return
    for verdict, path, detail in rows:
        if verdict != "SKIPPED":
            terminal.say(f"{verdict:11}  {path}{'  ' + detail if detail else ''}")
    for reason, count in Counter(d for verdict, _, d in rows if verdict == "SKIPPED").items():
        cases = "1 case" if count == 1 else f"{count} cases"
        terminal.say(f"{'SKIPPED':11}  {cases}: {reason}")
    if replay.lost is not None:
        terminal.say(f"the renderer was lost: {replay.lost.problem}")
        terminal.say(f"  {replay.lost.next_step}")
    tally = {verdict: 0 for verdict, _, _ in rows}
    for verdict, _, _ in rows:
        tally[verdict] += 1
    terminal.say(", ".join(f"{count} {verdict}" for verdict, count in sorted(tally.items())))
    if replay.stale:
        terminal.say(f"{len(replay.stale)} known entries match nothing any more; to drop them:")
        terminal.say(f"  {shlex.join(['mcp-prompt-fuzz', 'known', 'update', args.renderer])}")


def _json(each: Replayed) -> Json:
    return {
        "path": each.name,
        "title": each.kept.case.title,
        "rule": each.kept.case.rule,
        "verdict": each.verdict,
        "detail": each.detail,
        "findings": [finding.id for finding in each.findings],
    }
