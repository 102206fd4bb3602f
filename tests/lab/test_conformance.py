"""The official conformance suite's scenarios that concern prompts, against the lab's server."""

from __future__ import annotations

import os
import subprocess

import pytest

pytest.importorskip("mcp_types", reason="the lab needs mcp 2.x")

from mcp_prompt_fuzz.case import Case
from mcp_prompt_fuzz.clients.environments import node_command, npm_environment
from mcp_prompt_fuzz.jsontypes import Json
from mcp_prompt_fuzz.lab.host import Lab

PACKAGE, VERSION = "@modelcontextprotocol/conformance", "0.1.16"
SCENARIOS = (
    "server-initialize",
    "ping",
    "completion-complete",
    "prompts-list",
    "prompts-get-simple",
    "prompts-get-with-args",
    "prompts-get-embedded-resource",
    "prompts-get-with-image",
)


def offer(name: str, *contents: Json, arguments: tuple[str, ...] = ()) -> Json:
    """A prompt as the suite asks for it."""
    declared = [{"name": a, "description": a, "required": True} for a in arguments]
    prompt: Json = {"name": name, "description": name}
    if declared:
        prompt["arguments"] = declared
    return {"prompt": prompt, "messages": [{"role": "user", "content": c} for c in contents]}


def text(*pieces: object) -> Json:
    return {"type": "text", "text": list(pieces)}


RESOURCE = {"uri": "test://example-resource", "mimeType": "text/plain", "text": "Embedded."}
OFFERS = (
    offer("test_simple_prompt", text("This is a simple prompt for testing.")),
    offer(
        "test_prompt_with_arguments",
        text("arg1=", {"argument": "arg1"}, ", arg2=", {"argument": "arg2"}),
        arguments=("arg1", "arg2"),
    ),
    offer(
        "test_prompt_with_embedded_resource",
        {"type": "resource", "resource": RESOURCE},
        text("Please process the embedded resource above."),
        arguments=("resourceUri",),
    ),
    offer(
        "test_prompt_with_image",
        {"type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png"},
        text("Please analyze the image above."),
    ),
)


@pytest.mark.network
@pytest.mark.parametrize("revision", ["2025-06-18", "2025-11-25"])
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_scenario_is_passed(open_lab: Lab, scenario: str, revision: str) -> None:
    suite = npm_environment(PACKAGE, VERSION)
    case = Case(
        title="conformance",
        revision=revision,
        prompt={"name": "own", "description": "own"},
        messages=(),
        capabilities={"prompts": {}, "completions": {}},
        pages=({"prompts": ["@", *OFFERS]},),
    )
    url = open_lab.stage(case, [], revision)["main"].url
    open_lab.serve(case, "invoke")
    script = suite / "node_modules" / PACKAGE / "dist" / "index.js"
    done = subprocess.run(
        [*node_command(), str(script), "server", "--url", url, "--scenario", scenario],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        cwd=suite,
        env={"PATH": os.environ["PATH"], "HOME": str(suite)},
    )
    assert done.returncode == 0, done.stdout[-1500:] + done.stderr[-1500:]
    assert "Failed: 0" in done.stdout or "0 failed" in done.stdout, done.stdout[-1500:]
