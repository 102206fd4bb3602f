"""The rates of the lanes, each as a ratio to something that can be understood."""

from __future__ import annotations

import gc
import json
import os
import shlex
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import median
from types import ModuleType
from typing import Any, Final, TypeVar
from unittest import mock

from bench.campaign.timing import Watch
from bench.strategies.plain_random import random_case
from hypothesis import HealthCheck, Phase, given, seed, settings

from hypothesis_mcp import cases
from mcp_prompt_fuzz.campaign import CampaignOptions, judging, run_campaign, shards
from mcp_prompt_fuzz.case import NEWEST_REVISION, Case, materialise
from mcp_prompt_fuzz.renderer import Identity, Renderer
from mcp_prompt_fuzz.renderers import function_renderer, open_renderer
from mcp_prompt_fuzz.rendering import Rendering

ROUNDS: Final = 5
_TURN: Final = 50
_FUNCTION: Final = "the function"

T = TypeVar("T")
DRIVER: Final = Path("tests/renderers/fake_drivers/always_faithful.py")


def faithful(result: Any) -> Any:
    """Everything, as messages: what a renderer under test costs least."""
    return [{"role": m["role"], "content": [_part(m["content"])]} for m in result["messages"]]


def _part(content: Any) -> Any:
    if content["type"] == "resource_link":
        return {**content, "type": "link"}
    held = content.get("resource")
    if held is None:
        return content
    if "text" in held:
        return {"type": "text", "text": f"[{held['uri']} {held.get('mimeType')}] {held['text']}"}
    return {"mimeType": "application/octet-stream", **held, "type": "file", "data": held["blob"]}


class Watched:
    """A renderer whose share of the work is timed, and whose requests are kept."""

    def __init__(self, renderer: Renderer, watch: Watch) -> None:
        self._renderer = renderer
        self._watch = watch
        self.asked: list[Case] = []
        self.wall = 0.0

    @property
    def identity(self) -> Identity:
        return self._renderer.identity

    def prepare(self, cases: Iterable[Case]) -> None:
        self._renderer.prepare(cases)

    def render(self, case: Case) -> Rendering:
        self.asked.append(case)
        begun = time.perf_counter()
        try:
            with self._watch.part("rendering"):
                return self._renderer.render(case)
        finally:
            self.wall += time.perf_counter() - begun

    def close(self) -> None:
        self._renderer.close()


def campaign(renderer: Watched, watch: Watch, examples: int, number: int) -> float:
    """Run one campaign, its parts timed; its wall seconds."""
    shards._drawn.cache_clear()
    begun = time.perf_counter()
    with (
        _timed(watch, "generating", shards, "draw_cases"),
        _timed(watch, "judging", judging, "judge"),
        watch.part("bookkeeping"),
    ):
        run_campaign(renderer, CampaignOptions(max_examples=examples, seed=number))
    return time.perf_counter() - begun


def _timed(watch: Watch, part: str, module: ModuleType, name: str) -> AbstractContextManager[Any]:
    """Have every call of a module's function count for that part."""
    return mock.patch.object(module, name, watch.timed(part, getattr(module, name)))


def drawing_alone(examples: int, number: int) -> float:
    """CPU seconds in which Hypothesis draws as many cases for no test at all."""

    @seed(number)
    @settings(
        max_examples=examples,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(cases(revision=NEWEST_REVISION, listings=False, sandboxed=False))
    def draw(case: Any) -> None:
        pass

    begun = time.process_time()
    draw()
    return time.process_time() - begun


def random_alone(examples: int, number: int) -> float:
    """CPU seconds for as many cases from `random`."""
    random = Random(number)
    begun = time.process_time()
    for _ in range(examples):
        random_case(random)
    return time.process_time() - begun


def one_start() -> float:
    """Wall seconds of starting one process that does nothing."""
    begun = time.perf_counter()
    subprocess.run([sys.executable, "-c", ""], check=True)
    return time.perf_counter() - begun


def beside_ping_pong(renderer: Renderer, asked: list[Case]) -> tuple[float, float]:
    """Wall seconds of rendering a case, and of a bare exchange of the same lines: medians.

    The bare one speaks to the same program and does nothing else. Both take turns, so that they
    meet the same machine, but not at every case, so that each finds the caches as it left them.
    """
    ours: list[float] = []
    bare: list[float] = []
    with PingPong() as ping_pong:
        for start in range(0, len(asked), _TURN):
            some = asked[start : start + _TURN]
            bare += [timed(ping_pong.exchange, request) for request in map(request_for, some)]
            ours += [timed(renderer.render, case) for case in some]
    return median(ours), median(bare)


@contextmanager
def on_one_processor() -> Iterator[None]:
    """Where that can be had: both programs of an exchange on one processor.

    They take turns anyway, and whether the system puts them on one or on two changes an exchange
    by more than anything that is measured here.
    """
    if sys.platform != "linux":
        yield
        return
    all_of_them = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(all_of_them)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, all_of_them)


def timed(work: Callable[[T], object], given: T) -> float:
    """Wall seconds."""
    begun = time.perf_counter()
    work(given)
    return time.perf_counter() - begun


def request_for(case: Case) -> Any:
    """What a driver is asked for that case."""
    members = {"prompt": case.prompt, "arguments": case.arguments, "result": materialise(case)}
    return {"op": "render", "id": 1, **members}


class PingPong:
    """The driver, asked by a program that does nothing but write a line and read the next one."""

    def __enter__(self) -> PingPong:
        program = subprocess.Popen(driver_command(), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert program.stdin is not None
        assert program.stdout is not None
        self._program, self._to, self._from = program, program.stdin, program.stdout
        self._say({"op": "hello", "protocol": 1})
        self._from.readline()
        return self

    def __exit__(self, *_: object) -> None:
        self._say({"op": "bye"})
        self._program.communicate()

    def exchange(self, request: Any) -> None:
        """Ask, and read the answer."""
        self._say(request)
        json.loads(self._from.readline())

    def _say(self, message: Any) -> None:
        self._to.write(json.dumps(message).encode("ascii") + b"\n")
        self._to.flush()


def driver_command() -> list[str]:
    """A faithful driver."""
    module = ".".join(DRIVER.with_suffix("").parts)
    return [sys.executable, "-m", module]


def shares(watch: Watch) -> str:
    """The parts, in percent."""
    total = sum(watch.seconds.values())
    return ", ".join(f"{name} {100 * s / total:.0f}%" for name, s in sorted(watch.seconds.items()))


@dataclass(frozen=True)
class FunctionRound:
    """CPU seconds by part, without the function under test; `wall` seconds of the whole.

    `swept` is what the sweep took, which has cases of its own and stands in neither `parts` nor
    `wall`; `drawn` is how long Hypothesis takes for the same cases and no test.
    """

    parts: Mapping[str, float]
    wall: float
    swept: float
    drawn: float

    @property
    def ratio(self) -> float:
        """All but the function, to drawing alone."""
        return sum(self.parts.values()) / self.drawn


def function_round(examples: int, number: int) -> FunctionRound:
    """A campaign of the function lane, with the seed of that number.

    What is set up once is set up before: by a sweep and an example that nobody counts. The garbage
    of what came before is swept up before each measurement, or whoever happens to be measured
    next would have to, at half of what drawing a hundred cases takes.
    """
    watch = Watch()

    def tested(result: Any) -> Any:
        with watch.part(_FUNCTION):
            return faithful(result)

    opened = function_renderer(
        tested, revision=NEWEST_REVISION, timeout=30, spec="python:bench:faithful"
    )
    renderer = Watched(opened, watch)
    try:
        campaign(renderer, Watch(), 1, number)
        swept, wall_swept = _tidily_run(renderer, watch, 0, number)
        whole, wall = _tidily_run(renderer, watch, examples, number)
    finally:
        renderer.close()
    parts = {name: whole[name] - swept[name] for name in whole if name != _FUNCTION}
    options = CampaignOptions(max_examples=examples, seed=number)
    drawn = [each for each in shards.plan(options, renderer.identity) if each.kind == "drawn"]
    gc.collect()
    alone = sum(drawing_alone(each.count, each.seed) for each in drawn)
    own = sum(seconds for name, seconds in swept.items() if name != _FUNCTION)
    return FunctionRound(parts, wall - wall_swept, own, alone)


def _tidily_run(
    renderer: Watched, watch: Watch, examples: int, number: int
) -> tuple[defaultdict[str, float], float]:
    """The CPU seconds of a campaign by part, and its wall seconds."""
    watch.seconds.clear()
    gc.collect()
    wall = campaign(renderer, watch, examples, number)
    return watch.seconds.copy(), wall


def function_lane(examples: int) -> list[str]:
    """The function lane: all but the function under test, against what drawing alone takes."""
    rounds = [function_round(examples, number) for number in range(ROUNDS)]
    total = Watch()
    for each in rounds:
        for name, seconds in each.parts.items():
            total.seconds[name] += seconds
    ours = median(sum(each.parts.values()) for each in rounds)
    random = median(random_alone(examples, number) for number in range(ROUNDS))
    start = median(one_start() for _ in range(ROUNDS))
    ratios = sorted(each.ratio for each in rounds)
    with_sweep = median(each.ratio + each.swept / each.drawn for each in rounds)
    return [
        f"function lane, {examples} examples: {shares(total)}",
        f"  all but the function, to drawing alone: {median(ratios):.2f} times the CPU "
        f"({ratios[0]:.2f} to {ratios[-1]:.2f}; target: at most 2)",
        f"  with the sweep, whose cases nobody draws: {with_sweep:.2f}",
        f"  rate, to random alone: {random / ours:.3f}; to one process start per example: "
        f"{start * examples / median(each.wall for each in rounds):.1f}",
    ]


def driver_lane(examples: int) -> list[str]:
    """The driver lane: renderings a second, against a bare exchange of the same lines."""
    spec = "driver:" + shlex.join(driver_command())
    rounds: list[tuple[float, float, float]] = []
    total = Watch()
    for number in range(ROUNDS):
        watch = Watch()
        with on_one_processor():
            opened = open_renderer(spec, revision=NEWEST_REVISION, timeout=30)
            renderer = Watched(opened, watch)
            wall = campaign(renderer, watch, examples, number)
            asked = list(renderer.asked)
            ours, bare = beside_ping_pong(opened, asked)
            renderer.close()
        rounds.append((bare / ours, bare * len(asked) / wall, one_start() * examples / wall))
        for name, seconds in watch.seconds.items():
            total.seconds[name] += seconds
    exchange, whole, starts = (median(column) for column in zip(*rounds, strict=True))
    return [
        f"driver lane, {examples} examples: {shares(total)} (of our CPU)",
        f"  renderings a second, to a bare ping-pong: {exchange:.2f} (target: at least 0.5)",
        f"  the whole campaign's, drawing and judging included: {whole:.2f}",
        f"  rate, to one process start per example: {starts:.1f}",
    ]


def client(name: str, examples: int) -> list[str]:
    """A real client: who waits for whom."""
    watch = Watch()
    begun = time.perf_counter()
    opened = open_renderer(name, revision=NEWEST_REVISION, timeout=60)
    renderer = Watched(opened, watch)
    start = time.perf_counter() - begun
    try:
        wall = campaign(renderer, watch, examples, 1)
    finally:
        renderer.close()
    return [
        f"{name}, {examples} examples: {shares(watch)} (of our CPU)",
        f"  its renderings take {100 * renderer.wall / wall:.0f}% of the wall time, "
        f"{renderer.wall / len(renderer.asked):.3f} s each",
        f"  rate, to one start per rendering: {start * len(renderer.asked) / wall:.1f}",
    ]
