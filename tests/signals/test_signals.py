"""SIGINT and SIGTERM at any moment: what was found is written, exit 130, nothing left running.

With a lab, sandboxes and a program behind it, that is. Moments are tied to what a run is seen to
do, so that a slow machine comes by the same ones.
"""

from __future__ import annotations

import random
import shlex
import signal
import sys
from collections.abc import Sequence

import pytest

from .run import STAGES, Moment, Stage, duration, signalled

pytest.importorskip("mcp_types", reason="the lab needs mcp 2.x")
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="what is left is seen in /proc")

SIGNALS = (signal.SIGINT, signal.SIGTERM)
DRIVER = "driver:" + shlex.join([sys.executable, "-m", "fake_drivers.uses_servers", "image"])
SHORT = (DRIVER, "--seed", "1", "--rules", "image", "--time", "4")
OPENCODE = ("opencode", "--seed", "1", "--rules", "image,text.verbatim", "--time", "24")
RANDOM_MOMENTS = 20


def check(words: Sequence[str], moment: Moment, number: signal.Signals) -> None:
    outcome = signalled(words, moment, number)
    sys.stdout.write(f"{outcome}\n")
    assert not outcome.problems, f"{outcome}\n{outcome.said[-2000:]}"


@pytest.mark.parametrize("stage", STAGES[1:], ids=lambda stage: stage[0])
def test_at_each_stage_of_a_run(stage: Stage) -> None:
    number = SIGNALS[STAGES.index(stage) % 2]
    check(SHORT, Moment(*stage), number)


@pytest.mark.network
@pytest.mark.parametrize("number", SIGNALS)
@pytest.mark.parametrize("stage", STAGES, ids=lambda stage: stage[0])
def test_at_each_stage_of_a_real_client(stage: Stage, number: signal.Signals) -> None:
    check(OPENCODE, Moment(*stage), number)


@pytest.fixture(scope="module")
def whole() -> float:
    """Seconds that a real client's run takes."""
    return duration(OPENCODE)


@pytest.mark.network
@pytest.mark.parametrize("place", range(RANDOM_MOMENTS))
def test_at_random_moments_of_a_real_client(place: int, whole: float) -> None:
    draw = random.Random(place)
    # One in each twentieth of the run, so that they are spread over all of it.
    delay = (place + draw.random()) / RANDOM_MOMENTS * whole
    moment = Moment(f"random moment {place}", lambda world: True, delay)
    check(OPENCODE, moment, draw.choice(SIGNALS))
