"""`server.py` as a repro ships it: run for real, in both eras of the protocol."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

import pytest

from mcp_prompt_fuzz import serving
from mcp_prompt_fuzz.case import Case, materialise

from .conftest import WriteCase
from .reprocases import AFTER, ALL, BESIDE, FAILS, GATED, PAGED, PLAIN, RELISTED, SLOTS, said

META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}


class Wire:
    """Raw JSON-RPC to a running server, one line a message."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        self._id = 0

    def send(self, message: Any) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(message).encode() + b"\n")
        self._process.stdin.flush()

    def receive(self) -> Any:
        assert self._process.stdout is not None
        return json.loads(self._process.stdout.readline())

    def ask(self, method: str, params: dict[str, Any] | None = None) -> Any:
        """The response to one request."""
        self._id += 1
        message: dict[str, Any] = {"jsonrpc": "2.0", "id": self._id, "method": method}
        self.send(message | ({} if params is None else {"params": params}))
        reply = self.receive()
        assert reply["id"] == self._id
        return reply

    def modern(self, method: str, **params: Any) -> Any:
        """The response to one request of the stateless era."""
        return self.ask(method, {**params, "_meta": META})


@contextmanager
def running(folder: Path, *arguments: str) -> Iterator[Wire]:
    command = [sys.executable, "-I", "server.py", *arguments]
    with subprocess.Popen(
        command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        yield Wire(process)
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(10) == 0


def result_of(case: Case, method: str, params: dict[str, Any], revision: str) -> Any:
    """What the harness's own server answers: the one place that says it."""
    answer = serving.list_prompts if method == "prompts/list" else serving.get_prompt
    try:
        return {"result": answer(case, params, revision=revision)}
    except serving.RpcError as error:
        return {"error": error.code}


@pytest.mark.parametrize("title", ["Plain", "Slots", "Paged", "Fails"])
@pytest.mark.parametrize("revision", ["2025-06-18", "2026-07-28"])
def test_answers_as_the_harness_does(title: str, revision: str, folder_of: WriteCase) -> None:
    case = ALL[title]
    asked: list[tuple[str, dict[str, Any]]] = [
        ("prompts/list", {}),
        ("prompts/list", {"cursor": "two"}),
        ("prompts/list", {"cursor": "three"}),
        ("prompts/list", {"cursor": "never handed out"}),
        ("prompts/get", {"name": "look", "arguments": case.arguments}),
        ("prompts/get", {"name": "look", "arguments": {"topic": "", "style": "x"}}),
        ("prompts/get", {"name": "look"}),
        ("prompts/get", {"name": "other"}),
        ("prompts/get", {"name": "nobody"}),
    ]
    with running(folder_of(case)) as wire:
        if revision < serving.MODERN:
            wire.ask("initialize", {"protocolVersion": revision})
        for method, params in asked:
            modern = {"_meta": META} if revision == serving.MODERN else {}
            reply = wire.ask(method, {**params, **modern})
            got = (
                {"error": reply["error"]["code"]}
                if "error" in reply
                else {"result": reply["result"]}
            )
            assert got == result_of(case, method, params, revision), (method, params)


def test_handshake_agrees_on_the_clients_version_or_the_newest(folder_of: WriteCase) -> None:
    folder = folder_of(PLAIN)
    with running(folder) as wire:
        agreed = wire.ask("initialize", {"protocolVersion": "2024-11-05"})["result"]
        assert agreed["protocolVersion"] == "2024-11-05"
        assert agreed["capabilities"] == {"prompts": {}}
        unknown = wire.ask("initialize", {"protocolVersion": "1999-01-01"})["result"]
        assert unknown["protocolVersion"] == "2025-11-25"
        wire.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        assert wire.ask("ping")["result"] == {}
        assert wire.ask("tools/list")["error"]["code"] == -32601


def test_discovery_names_what_is_spoken(folder_of: WriteCase) -> None:
    with running(folder_of(PLAIN)) as wire:
        found = wire.modern("server/discover")["result"]
        assert "2026-07-28" in found["supportedVersions"]
        assert found["resultType"] == "complete"
        strange = {"_meta": {**META, "io.modelcontextprotocol/protocolVersion": "2030-01-01"}}
        error = wire.ask("prompts/list", strange)["error"]
        assert error["code"] == -32022
        assert error["data"]["requested"] == "2030-01-01"
        assert wire.modern("ping")["error"]["code"] == -32601


def test_declares_no_prompts_and_answers_none(folder_of: WriteCase) -> None:
    with running(folder_of(GATED)) as wire:
        declared = wire.ask("initialize", {"protocolVersion": "2025-06-18"})["result"]
        assert declared["capabilities"] == {}
        assert wire.ask("prompts/list")["error"]["code"] == -32601
        assert wire.ask("prompts/get", {"name": "look"})["error"]["code"] == -32601


def test_batches_and_broken_lines(folder_of: WriteCase) -> None:
    with running(folder_of(PLAIN)) as wire:
        wire.send(
            [
                {"jsonrpc": "2.0", "id": "a", "method": "ping"},
                {"jsonrpc": "2.0", "method": "notifications/initialized"},
                {"jsonrpc": "2.0", "id": "b", "method": "ping"},
            ]
        )
        assert [reply["id"] for reply in wire.receive()] == ["a", "b"]
        wire.send("not a message")
        assert wire.receive()["error"]["code"] == -32600
        assert wire.ask("ping")["result"] == {}


def test_the_error_of_the_case_is_told_in_its_words(folder_of: WriteCase) -> None:
    with running(folder_of(FAILS)) as wire:
        error = wire.ask("prompts/get", {"name": "look"})["error"]
        assert error == {"code": -32603, "message": "no luck"}


def test_a_listing_changes_after_its_first_reading(folder_of: WriteCase) -> None:
    with running(folder_of(RELISTED)) as wire:
        wire.ask("initialize", {"protocolVersion": "2025-06-18"})
        first = wire.ask("prompts/list")["result"]["prompts"]
        assert [prompt["name"] for prompt in first] == ["other"]
        assert wire.receive()["method"] == "notifications/prompts/list_changed"
        second = wire.ask("prompts/list")["result"]["prompts"]
        assert [prompt["name"] for prompt in second] == ["look"]


def test_the_stateless_era_hears_of_it_on_its_subscription(folder_of: WriteCase) -> None:
    with running(folder_of(RELISTED)) as wire:
        listen = {"notifications": {"promptsListChanged": True}, "_meta": META}
        request = {"jsonrpc": "2.0", "id": 7, "method": "subscriptions/listen", "params": listen}
        wire.send(request)
        opened = wire.receive()
        assert opened["method"] == "notifications/subscriptions/acknowledged"
        wire.modern("prompts/list")
        changed = wire.receive()
        assert changed["method"] == "notifications/prompts/list_changed"
        assert changed["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"] == 7


def test_another_server_beside_it(folder_of: WriteCase) -> None:
    with running(folder_of(BESIDE), "second") as wire:
        listed = wire.ask("prompts/list")["result"]["prompts"]
        assert [prompt["name"] for prompt in listed] == ["other"]
        assert wire.ask("prompts/get", {"name": "look"})["error"]["code"] == -32602


def test_history_comes_first(folder_of: WriteCase) -> None:
    with running(folder_of(AFTER)) as wire:
        first = wire.ask("prompts/get", {"name": "look"})["result"]["messages"]
        assert first == [said("earlier")]
        second = wire.ask("prompts/get", {"name": "look"})["result"]["messages"]
        assert second == materialise(AFTER)["messages"]


def test_a_question_comes_first_where_the_case_has_one(folder_of: WriteCase) -> None:
    asks = ALL["Plain"].to_json() | {
        "input": {
            "requests": {"q": {"method": "elicitation/create"}},
            "state": "s",
            "responses": {},
        }
    }
    with running(folder_of(Case.from_json(asks))) as wire:
        question = wire.modern("prompts/get", name="look")["result"]
        assert question["resultType"] == "input_required"
        assert question["requestState"] == "s"
        answered = wire.modern("prompts/get", name="look", requestState="s", inputResponses={})
        assert answered["result"]["resultType"] == "complete"


def test_keeps_a_log_of_what_was_asked(folder_of: WriteCase) -> None:
    folder = folder_of(SLOTS)
    with running(folder) as wire:
        wire.modern("prompts/get", name="look", arguments={"topic": "\u2028"})
    entry = json.loads((folder / "server.log").read_text("ascii"))
    assert entry == {
        "server": "main",
        "method": "prompts/get",
        "params": {"name": "look", "arguments": {"topic": "\u2028"}},
    }


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_the_sdks_own_client_reads_it(mode: str, folder_of: WriteCase) -> None:
    mcp = pytest.importorskip("mcp.client.client", reason="needs the client of SDK 2.x")
    from mcp import StdioServerParameters  # noqa: PLC0415
    from mcp.client.stdio import stdio_client  # noqa: PLC0415

    folder = folder_of(PAGED)
    parameters = StdioServerParameters(
        command=sys.executable, args=["-I", str(folder / "server.py")], cwd=folder
    )

    async def names_and_messages(errlog: TextIO) -> tuple[list[str], list[Any]]:
        transport = stdio_client(parameters, errlog=errlog)
        async with mcp.Client(transport, mode=mode) as client:
            names: list[str] = []
            cursor = None
            while True:
                page = await client.list_prompts(cursor=cursor)
                names += [prompt.name for prompt in page.prompts]
                cursor = page.next_cursor
                if cursor is None:
                    break
            got = await client.get_prompt("look")
            return names, [
                message.model_dump(mode="json", by_alias=True, exclude_none=True)
                for message in got.messages
            ]

    # Its default is whatever stood for standard error when it was imported: pytest's, say.
    with (folder / "stderr").open("w+", encoding="utf-8") as errlog:
        names, messages = asyncio.run(names_and_messages(errlog))
    assert names == ["other", "look"]
    assert messages == materialise(PAGED)["messages"]
