"""The pieces of a campaign's work that can be done anywhere, and doing one."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, TypeAlias

from ..finding import Fault, Finding
from ..jsontypes import Json
from .explore import explore
from .judging import Judge
from .shards import Shard
from .shrink import shrink
from .wire import Event, finding_from_json, finding_to_json


@dataclass(frozen=True)
class ExploreTask:
    """Judge a shard's cases from number `begun` on. `deadline` is one of `time.time`."""

    shard: Shard
    begun: int = 0
    seen: Mapping[Fault, Finding] = field(default_factory=dict)
    deadline: float | None = None


@dataclass(frozen=True)
class ShrinkTask:
    """Make a finding's case as small as it gets; `answers` are what is known already."""

    finding: Finding
    answers: Mapping[str, bool] = field(default_factory=dict)
    deadline: float | None = None


Task: TypeAlias = ExploreTask | ShrinkTask


def perform(judge: Judge, task: Task, tell: Callable[[Event], None]) -> None:
    """Do a task, telling each event as soon as it is known. `tell` may end it by raising."""
    if isinstance(task, ShrinkTask):
        shrunk = shrink(judge, task.finding, task.answers, tell, task.deadline)
        tell(shrunk)
        return
    for example in _in_time(task.deadline, explore(judge, task.shard, task.begun, task.seen)):
        tell(example)


def _in_time(deadline: float | None, events: Iterator[Any]) -> Iterator[Any]:
    while deadline is None or time.time() < deadline:
        event = next(events, None)
        if event is None:
            return
        yield event


def task_to_json(task: Task) -> Json:
    """The task as JSON."""
    if isinstance(task, ShrinkTask):
        return {
            "shrink": finding_to_json(task.finding),
            "answers": dict(task.answers),
            "deadline": task.deadline,
        }
    seen = [finding_to_json(finding) for finding in task.seen.values()]
    return {
        "explore": asdict(task.shard),
        "begun": task.begun,
        "seen": seen,
        "deadline": task.deadline,
    }


def task_from_json(data: Mapping[str, Any]) -> Task:
    """The task that `task_to_json` told of."""
    if "shrink" in data:
        return ShrinkTask(finding_from_json(data["shrink"]), data["answers"], data["deadline"])
    found = [finding_from_json(each) for each in data["seen"]]
    seen = {finding.fault: finding for finding in found}
    return ExploreTask(Shard(**data["explore"]), data["begun"], seen, data["deadline"])
