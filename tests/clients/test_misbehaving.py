"""Client programs that misbehave: held, bounded and ended; the next example is judged rightly."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("mcp_types", reason="the lab needs mcp 2.x")

from tests.leftovers import processes_of

from mcp_prompt_fuzz.campaign import CampaignOptions, run_campaign
from mcp_prompt_fuzz.clients.served import ServedRenderer
from mcp_prompt_fuzz.finding import Fault
from mcp_prompt_fuzz.rendering import Rendering

from .fakes import SmallClient
from .test_served import case, of_prompt

linux_only = pytest.mark.skipif(sys.platform != "linux", reason="what runs is seen in /proc")
MEMORY = Path(__file__).with_name("memory.py")
TIMEOUT = 5.0

BREAKS = {
    "hang": ("hang", "took over"),
    "ignore": ("protocol", "its API"),
    "exit": ("exit", "status 3: going away"),
    "abort": ("exit", "status -6"),
    "fork": ("exit", "status 4"),
    "half": ("protocol", "too early"),
    "endless": ("flood", "larger than"),
    "flood the model": ("flood", "more than anybody would read"),
    "flood the server": ("flood", "more than anybody would read"),
    "garbage": ("garbage", "can't be read"),
    "nest": ("garbage", "can't be read"),
}
"""What is said of the rendering in which it happens: the kind of failure, and some of the words."""

HARMLESS = {
    "flood": "done",
    "escapes": "\x1b[2Jdone",  # whoever prints it, escapes it
    "twice": "done",
    "late": "done",
    "close": "done",
}
"""What is no failure of the rendering in which it happens, and must not be one of the next: what
is shown meanwhile. The last one can't print any more."""


@pytest.fixture(scope="module")
def renderer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedRenderer]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MCP_PROMPT_FUZZ_CACHE", str(tmp_path_factory.mktemp("cache")))
        opened = ServedRenderer(SmallClient(), revision="2026-07-28", timeout=TIMEOUT)
        yield opened
        opened.close()
        assert not processes_of(opened._sandbox.root)


def said(rendering: Rendering) -> list[str]:
    return [part.text for turn in of_prompt(rendering.turns) for part in turn.parts]


def goes_on(renderer: ServedRenderer) -> bool:
    """Whether the next two examples are rendered, and nothing more runs than a lab and a client."""
    running = 2 if sys.platform == "linux" else 0
    renders = [said(renderer.render(case(value))) == [value] for value in ("next", "one more")]
    return all(renders) and len(processes_of(renderer._sandbox.root)) == running


@pytest.mark.parametrize("word", BREAKS)
def test_it_is_a_failure_of_that_rendering_and_the_run_goes_on(
    renderer: ServedRenderer, word: str
) -> None:
    kind, words = BREAKS[word]
    assert goes_on(renderer)
    begun = time.monotonic()
    rendering = renderer.render(case(word))
    assert time.monotonic() - begun < TIMEOUT + 15
    assert rendering.broke is not None
    assert rendering.broke.kind == kind
    assert words in rendering.broke.detail
    assert rendering.turns == ()
    assert goes_on(renderer)


@pytest.mark.parametrize("word", HARMLESS)
def test_it_harms_nobody(renderer: ServedRenderer, word: str) -> None:
    rendering = renderer.render(case(word))
    assert (rendering.broke, rendering.shown) == (None, HARMLESS[word])
    time.sleep(0.6)  # for what comes late
    assert goes_on(renderer)


def test_a_campaign_finds_it(renderer: ServedRenderer) -> None:
    program = renderer._program
    assert isinstance(program, SmallClient)
    program.upon = ("audio", "abort")
    options = CampaignOptions(max_examples=1, seed=1, rules=("robust", "audio"))
    record = run_campaign(renderer, options)
    program.upon = None
    assert [f.fault for f in record.findings] == [Fault("robust", aspect="exit")]
    assert [m["content"]["type"] for m in record.findings[0].case.messages] == ["audio"]
    assert goes_on(renderer)


@linux_only
@pytest.mark.parametrize("lane", ["client", "driver"])
@pytest.mark.parametrize("word", ["flood", "flood the model", "endless"])
def test_memory_is_bounded(lane: str, word: str, tmp_path: Path) -> None:
    if lane == "driver" and word != "flood":
        pytest.skip("a driver has one way out")
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(p for p in sys.path if p),
        "MCP_PROMPT_FUZZ_CACHE": str(tmp_path),
    }
    done = subprocess.run(
        [sys.executable, str(MEMORY), lane, word],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    grown = json.loads(done.stdout)
    sys.stdout.write(done.stdout)
    assert max(grown.values()) < 200 * 1024
