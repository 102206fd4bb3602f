"""The SDK's first major reads the servers correctly, over HTTP and stdio."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

pytest.importorskip("mcp_types", reason="the lab needs mcp 2.x")

from mcp_prompt_fuzz.clients.environments import python_environment
from mcp_prompt_fuzz.lab.host import Lab

from .test_mcp_server import PAGED

SCRIPT = Path(__file__).with_name("older_client.py")


@pytest.mark.network
def test_it_lists_and_gets(open_lab: Lab) -> None:
    python = python_environment("mcp-1", ["mcp==1.30.0"])
    main = open_lab.stage(PAGED, [], "2026-07-28")["main"]
    open_lab.serve(PAGED, "invoke")
    done = subprocess.run(
        [str(python), str(SCRIPT), main.url, *main.command],
        env={"PATH": os.environ["PATH"], "HOME": str(python.parent)},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    seen = [json.loads(line) for line in done.stdout.splitlines()]
    assert seen == [["2025-11-25", ["other", "look"], ["text", "resource"], -32602]] * 2
