"""How much memory a flood costs the harness: `python memory.py client|driver WORD`, in KiB.

A process of its own, since a peak is a process's highest ever.
"""

# ruff: noqa: T201 - it reports on standard output

from __future__ import annotations

import json
import shlex
import sys
from contextlib import closing
from pathlib import Path

from tests.clients.fakes import SmallClient
from tests.clients.test_served import case, of_prompt

from mcp_prompt_fuzz.clients.served import ServedRenderer
from mcp_prompt_fuzz.renderer import Renderer
from mcp_prompt_fuzz.renderers import open_renderer


def peak(pid: int | str) -> int:
    status = Path(f"/proc/{pid}/status").read_text("utf-8")
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM"))


def peaks(renderer: Renderer) -> dict[str, int]:
    found = {"harness": peak("self")}
    if isinstance(renderer, ServedRenderer):
        found["lab"] = peak(renderer._lab._child.pid)
    return found


def opened(lane: str) -> Renderer:
    if lane == "client":
        return ServedRenderer(SmallClient(), revision="2026-07-28", timeout=60)
    fake = Path(__file__).parent.parent / "renderers" / "fake_drivers"
    script = f"import sys; sys.path[0] = {str(fake.parent)!r}; import fake_drivers.floods_stdout"
    spec = "driver:" + shlex.join([sys.executable, "-c", script])
    return open_renderer(spec, revision="2026-07-28", timeout=60)


def renders(renderer: Renderer, word: str) -> bool:
    turns = of_prompt(renderer.render(case(word)).turns)
    return [part.text for turn in turns for part in turn.parts] == [word]


with closing(opened(sys.argv[1])) as renderer:
    assert renders(renderer, "first")
    before = peaks(renderer)
    renderer.render(case(sys.argv[2]))
    assert renders(renderer, "next")
    print(json.dumps({name: now - before[name] for name, now in peaks(renderer).items()}))
