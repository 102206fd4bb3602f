"""The official conformance suite's scenarios that concern prompts, against the lab's server."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

pytest.importorskip("mcp_types", reason="the lab needs mcp 2.x")

from mcp_prompt_fuzz.case import Case
from mcp_prompt_fuzz.clients.environments import node_command, npm_environment
from mcp_prompt_fuzz.jsontypes import Json
from mcp_prompt_fuzz.lab.host import Lab
from mcp_prompt_fuzz.serving import MODERN

from .conftest import Note

PACKAGE = "@modelcontextprotocol/conformance"
OLDER, NEWER = "0.1.16", "0.2.0-alpha.12"
GETS = (
    "completion-complete",
    "prompts-list",
    "prompts-get-simple",
    "prompts-get-with-args",
    "prompts-get-embedded-resource",
    "prompts-get-with-image",
)
HANDSHAKE = ("server-initialize", "ping")
STATELESS = (
    "server-stateless",
    "caching",
    "input-required-result-non-tool-request",
    "input-required-result-unsupported-methods",
    "dns-rebinding-protection",
)
SCENARIOS = [
    (version, revision, scenario)
    for version, revision, scenarios in (
        (OLDER, "2025-06-18", (*HANDSHAKE, *GETS)),
        (OLDER, "2025-11-25", (*HANDSHAKE, *GETS)),
        (NEWER, "2025-06-18", (*HANDSHAKE, "server-session-lifecycle", *GETS)),
        (NEWER, "2025-11-25", (*HANDSHAKE, "server-session-lifecycle", *GETS)),
        (NEWER, "2026-07-28", (*STATELESS, *GETS)),
    )
    for scenario in scenarios
]
"""What each version of the suite lists on prompts, and on how they are reached, by revision."""

ON_TOOLS = {
    "server-stateless": {
        "sep-2575-server-rejects-undeclared-capability",
        "sep-2575-missing-capability-http-400",
        "sep-2575-http-server-no-independent-requests-on-stream",
        "sep-2575-server-no-log-without-loglevel",
    },
    "caching": {
        "sep-2549-tools-list-caching-hints",
        "sep-2549-resources-list-caching-hints",
        "sep-2549-resources-templates-list-caching-hints",
    },
}
"""The checks that want a tool or a resource, which these servers don't offer."""


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


ASKING = {
    "requests": {
        "user_context": {
            "method": "elicitation/create",
            "params": {
                "mode": "form",
                "message": "What context should the prompt use?",
                "requestedSchema": {
                    "type": "object",
                    "properties": {"context": {"type": "string"}},
                    "required": ["context"],
                },
            },
        }
    },
    "responses": {},
}


@pytest.mark.network
@pytest.mark.parametrize(("version", "revision", "scenario"), SCENARIOS)
def test_a_scenario_is_passed(
    open_lab: Lab, note: Note, tmp_path: Path, version: str, revision: str, scenario: str
) -> None:
    suite = npm_environment(PACKAGE, version)
    own = "test_input_required_result_prompt"
    case = Case(
        title="conformance",
        revision=revision,
        prompt={"name": own, "description": "Asks back."},
        messages=({"role": "user", "content": text("Now I know.")},),
        capabilities={"prompts": {}, "completions": {}},
        pages=({"prompts": ["@", *OFFERS]},),
        input=ASKING if revision >= MODERN else None,
    )
    url = open_lab.stage(case, [], revision)["main"].url
    open_lab.serve(case, "invoke")
    note(f"conformance {version}", revision, "http", scenario)
    script = suite / "node_modules" / PACKAGE / "dist" / "index.js"
    options = ["--spec-version", revision] if version == NEWER else []
    command = [*node_command(), str(script), "server", "--url", url, "--scenario", scenario]
    done = subprocess.run(
        [*command, *options, "--output-dir", str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        cwd=suite,
        env={"PATH": os.environ["PATH"], "HOME": str(suite)},
    )
    told = done.stdout[-1500:] + done.stderr[-1500:]
    files = list(tmp_path.rglob("checks.json"))
    assert len(files) == 1, told
    statuses = {(c["id"], c["status"]) for c in json.loads(files[0].read_text("utf-8"))}
    assert "SUCCESS" in {status for _, status in statuses}, told
    failed = {name for name, status in statuses if status in ("FAILURE", "WARNING")}
    assert failed == ON_TOOLS.get(scenario, set()), told
