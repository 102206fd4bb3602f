"""Other people's MCP clients read the servers correctly: every kind, page, argument and error."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp_types", reason="the lab needs mcp 2.x")

from mcp_prompt_fuzz.case import REVISIONS, Case, materialise
from mcp_prompt_fuzz.case_checks import AUDIO_SINCE, LINK_SINCE
from mcp_prompt_fuzz.clients.environments import (
    node_command,
    npm_environment,
    python_environment,
)
from mcp_prompt_fuzz.jsontypes import Json
from mcp_prompt_fuzz.lab.host import Address, Lab
from mcp_prompt_fuzz.serving import INVALID_PARAMS, MODERN
from mcp_prompt_fuzz.versions import versions

from .conftest import Note

READERS = Path(__file__).with_name("readers")
GIVEN = {"topic": 'two  words, "$1" = \u2028 é'}


def user(**content: Any) -> Json:
    return {"role": "user", "content": content}


def case_for(revision: str) -> Case:
    """A prompt of every kind that the revision has, on the last of three pages."""
    resource = {"uri": "file:///a.txt", "mimeType": "text/plain"}
    messages = [
        user(type="text", text=["about ", {"argument": "topic"}, "|", {"argument": "b"}]),
        {"role": "assistant", "content": {"type": "text", "text": "\n  said\t"}},
        user(type="image", data="aGk=", mimeType="image/png", annotations={"audience": ["user"]}),
        user(type="resource", resource={**resource, "text": ["<", {"argument": "topic"}, ">"]}),
        user(type="resource", resource={**resource, "blob": "aGk="}),
    ]
    if revision >= AUDIO_SINCE:
        messages.append(user(type="audio", data="aGk=", mimeType="audio/wav"))
    if revision >= LINK_SINCE:
        messages.append(user(type="resource_link", uri="a:b", name="n", size=3))
    prompt: Json = {
        "name": "look",
        "description": "Looks.",
        "arguments": [{"name": "topic", "description": "On", "required": True}, {"name": "b"}],
    }
    if revision >= LINK_SINCE:
        prompt["title"] = "Look!"
    other: Json = {"prompt": {"name": "other"}, "messages": [user(type="text", text="o")]}
    return Case(
        "t",
        revision,
        prompt,
        tuple(messages),
        arguments=GIVEN,
        result={"description": "What it says."},
        capabilities={"prompts": {}, "completions": {}},
        pages=(
            {"prompts": [], "cursor": "a b"},
            {"prompts": [other], "cursor": "c"},
            {"prompts": ["@"]},
        ),
    )


@dataclass(frozen=True)
class Reader:
    """A client: how it is started, whether it is of the newer era, and what it can show.

    `start` makes its environment and returns what does the steps: given where the server is, the
    revision that was agreed upon (None where it isn't told) and an answer for each step.
    """

    name: str
    start: Callable[[], Callable[[Json, Sequence[Json]], tuple[str | None, list[Any]]]]
    modern: bool = False
    completes: bool = True
    tells_codes: bool = True
    gives_empty: bool = True
    answers_requests: bool = False


def run(command: Sequence[str]) -> Any:
    done = subprocess.run(
        command,
        env={"PATH": os.environ["PATH"], "HOME": str(READERS / "no such home")},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    told = done.stdout.strip() or done.stderr.strip().splitlines()[-1]
    assert told.startswith("{"), done.stderr[-2000:]
    return json.loads(told)


def script(*command: str, modern: bool, environment: str = "") -> Any:
    def read(where: Json, steps: Sequence[Json]) -> tuple[str | None, list[Any]]:
        told = json.dumps({**where, "modern": modern, "steps": list(steps)})
        seen = run([*command, told, environment])
        return seen["revision"], seen["answers"]

    return read


def python1() -> Any:
    python = python_environment("mcp-1", ["mcp==1.30.0"])
    return script(str(python), str(READERS / "sdk1.py"), modern=False)


def python2(modern: bool) -> Callable[[], Any]:
    return lambda: script(sys.executable, str(READERS / "sdk2.py"), modern=modern)


def typescript(file: str, package: str, version: str, modern: bool) -> Callable[[], Any]:
    def start() -> Any:
        made = npm_environment(package, version)
        command = [*node_command(), str(READERS / file)]
        return script(*command, modern=modern, environment=str(made))

    return start


def inspector(era: str) -> Callable[[], Any]:
    """Its command line does one step a run, and tells an error's words."""

    def start() -> Any:
        made = npm_environment("@modelcontextprotocol/inspector", INSPECTOR)
        program = made / "node_modules" / ".bin" / "mcp-inspector"
        options = ["--cli", "--protocol-era", era, "--format", "json", "--quiet"]

        def read(where: Json, steps: Sequence[Json]) -> tuple[str | None, list[Any]]:
            if "url" in where:
                server = ["--transport", "http", "--server-url", where["url"]]
            else:
                server = ["--", *where["command"]]
            answers = []
            for step in steps:
                asked = ["--method", f"prompts/{step['do']}"]
                if step["do"] == "get":
                    pairs = [f"{name}={value}" for name, value in step["arguments"].items()]
                    asked += ["--prompt-name", step["name"]]
                    asked += ["--prompt-args", *pairs] if pairs else []
                told = run([*node_command(), str(program), *options, *asked, *server])
                if "error" in told:
                    answers.append({"error": told["error"]["message"]})
                else:
                    answers.append(told["result"].get("prompts", told["result"]))
            return None, answers

        return read

    return start


SDK, CLIENT, INSPECTOR = "1.32.2", "2.4.0", "2.12.0"
SDK_PACKAGE, CLIENT_PACKAGE = "@modelcontextprotocol/sdk", "@modelcontextprotocol/client"
MCP = versions()["mcp"]
CLIENTS = (
    Reader("Python SDK 1.30.0", python1),
    Reader(f"Python SDK {MCP}", python2(False)),
    Reader(f"Python SDK {MCP}", python2(True), modern=True, answers_requests=True),
    Reader(f"TypeScript SDK {SDK}", typescript("typescript1.mjs", SDK_PACKAGE, SDK, False)),
    Reader(
        f"TypeScript SDK {CLIENT}", typescript("typescript2.mjs", CLIENT_PACKAGE, CLIENT, False)
    ),
    Reader(
        f"TypeScript SDK {CLIENT}",
        typescript("typescript2.mjs", CLIENT_PACKAGE, CLIENT, True),
        modern=True,
        answers_requests=True,
    ),
    Reader(
        f"inspector {INSPECTOR}",
        inspector("legacy"),
        completes=False,
        tells_codes=False,
        gives_empty=False,
    ),
    Reader(
        f"inspector {INSPECTOR}",
        inspector("modern"),
        modern=True,
        completes=False,
        tells_codes=False,
        gives_empty=False,
    ),
)
PAIRS = [
    pytest.param(reader, revision, id=f"{reader.name.replace(' ', '-')}-{revision}")
    for reader in CLIENTS
    for revision in REVISIONS
    if reader.modern == (revision == MODERN)
]


def ways(address: Address) -> Iterator[tuple[str, Json]]:
    yield "http", {"url": address.url}
    yield "stdio", {"command": list(address.command)}


def get(name: str, **arguments: str) -> Json:
    return {"do": "get", "name": name, "arguments": arguments}


@pytest.mark.network
@pytest.mark.parametrize(("reader", "revision"), PAIRS)
def test_it_is_read_correctly(open_lab: Lab, note: Note, reader: Reader, revision: str) -> None:
    read = reader.start()
    case = case_for(revision)
    main = open_lab.stage(case, [], revision)["main"]
    open_lab.serve(case, "invoke")
    both = {"topic": "" if reader.gives_empty else "t", "b": "x"}
    steps = [{"do": "list"}, get("look", **GIVEN), get("look", **both), get("look"), get("nobody")]
    if reader.completes:
        typed = {"name": "topic", "value": "two"}
        steps.append({"do": "complete", "name": "look", "argument": typed})
    for way, where in ways(main):
        note(reader.name, revision, way, "pages, kinds, arguments, errors")
        agreed, answers = read(where, steps)
        assert agreed in (revision, None)
        listed, got, other, missing, unknown, *completed = answers
        assert listed == [{"name": "other"}, case.prompt]
        assert got["description"] == case.result["description"]
        assert got["messages"] == materialise(case)["messages"]
        assert other["messages"] == materialise(case, both)["messages"]
        says = "missing required argument 'topic'", "unknown prompt 'nobody'"
        for error, words in zip((missing, unknown), says, strict=True):
            assert error == {"error": INVALID_PARAMS if reader.tells_codes else words}
        if reader.completes:
            note(reader.name, revision, way, "completions")
            assert completed == [{"values": [GIVEN["topic"]], "hasMore": False}]
    assert open_lab.take().negotiated == revision


@pytest.mark.network
@pytest.mark.parametrize(("reader", "revision"), PAIRS)
@pytest.mark.parametrize("method", ["prompts/get", "prompts/list"])
def test_an_error_of_the_server_is_read(
    open_lab: Lab, note: Note, reader: Reader, revision: str, method: str
) -> None:
    read = reader.start()
    error = {"on": method, "code": -32603, "message": "out of order"}
    case = replace(case_for(revision), error=error)
    main = open_lab.stage(case, [], revision)["main"]
    open_lab.serve(case, "invoke")
    step = {"do": "list"} if method == "prompts/list" else get("look", **GIVEN)
    for way, where in ways(main):
        note(reader.name, revision, way, f"error of {method}")
        answers = read(where, [step])[1]
        assert answers == [{"error": -32603 if reader.tells_codes else "out of order"}]


@pytest.mark.network
@pytest.mark.parametrize("reader", [c for c in CLIENTS if c.answers_requests], ids=lambda c: c.name)
def test_a_round_for_input_is_gone_through(open_lab: Lab, note: Note, reader: Reader) -> None:
    read = reader.start()
    schema = {"type": "object", "properties": {"context": {"type": "string"}}}
    params = {"mode": "form", "message": "Which?", "requestedSchema": schema}
    asking = {"requests": {"c": {"method": "elicitation/create", "params": params}}, "state": "s"}
    case = replace(case_for(MODERN), input={**asking, "responses": {}})
    main = open_lab.stage(case, [], MODERN)["main"]
    open_lab.serve(case, "invoke")
    for way, where in ways(main):
        note(reader.name, MODERN, way, "input_required")
        open_lab.take()
        (got,) = read(where, [get("look", **GIVEN)])[1]
        assert got["messages"] == materialise(case)["messages"]
        asked = [r.params for r in open_lab.take().requests if r.method == "prompts/get"]
        assert [params.get("requestState") for params in asked] == [None, "s"]
        accepted = {"action": "accept", "content": {"context": "x"}}
        assert asked[1]["inputResponses"] == {"c": accepted}
