"""The servers, read by the SDK's own client: both eras, HTTP and stdio."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import anyio
import pytest

pytest.importorskip("mcp_types", reason="the lab needs mcp 2.x")

from mcp import Client, StdioServerParameters
from mcp.shared.exceptions import MCPError

from mcp_prompt_fuzz.case import REVISIONS, Case
from mcp_prompt_fuzz.jsontypes import Json
from mcp_prompt_fuzz.lab.host import Address, Lab

from .calls import Reply, http

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def text(value: Any) -> Json:
    return {"role": "user", "content": {"type": "text", "text": value}}


LOOK = Case(
    title="look",
    revision="2026-07-28",
    prompt={"name": "look", "arguments": [{"name": "topic", "required": True}, {"name": "b"}]},
    arguments={"topic": "x"},
    messages=(
        text(["about ", {"argument": "topic"}, {"argument": "b"}]),
        {
            "role": "assistant",
            "content": {
                "type": "resource",
                "resource": {"uri": "x:y", "blob": "aGk=", "text": "both", "odd": [None]},
                "annotations": {"audience": ["user"], "unheard_of": 1},
            },
        },
    ),
)
PAGED = replace(
    LOOK,
    pages=(
        {"prompts": [], "cursor": ""},
        {"prompts": [{"prompt": {"name": "other"}, "messages": [text("o")]}], "cursor": "c"},
        {"prompts": ["@"]},
    ),
)


@asynccontextmanager
async def connected(address: Address, way: str, mode: str) -> AsyncIterator[Client]:
    if way == "http":
        async with Client(address.url, mode=mode, read_timeout_seconds=10) as client:
            yield client
    else:
        command = StdioServerParameters(command=address.command[0], args=[*address.command[1:]])
        async with Client(command, mode=mode, read_timeout_seconds=10) as client:
            yield client


@pytest.mark.parametrize("way", ["http", "stdio"])
@pytest.mark.parametrize("mode", ["legacy", "2026-07-28", "auto"])
async def test_a_prompt_is_listed_and_got(open_lab: Lab, way: str, mode: str) -> None:
    servers = open_lab.stage(LOOK, [{"name": "extra"}], "2026-07-28")
    open_lab.serve(LOOK, "invoke")
    open_lab.take()
    async with connected(servers["main"], way, mode) as client:
        listed = await client.list_prompts()
        assert [prompt.name for prompt in listed.prompts] == ["look", "extra"]
        got = await client.get_prompt("look", {"topic": "cats", "b": ""})
        assert got.messages[0].content.text == "about cats"  # type: ignore[union-attr]
        with pytest.raises(MCPError) as missing:
            await client.get_prompt("look", {})
        assert missing.value.code == -32602
        with pytest.raises(MCPError) as unheard_of:
            await client.list_tools()
        assert unheard_of.value.code == -32601
    waiting = open_lab.waiting()
    taken = open_lab.take()
    assert waiting == (len(taken.requests), len(taken.models))
    assert open_lab.waiting() == (0, 0)
    got_of_ours = [r for r in taken.requests if r.method == "prompts/get"]
    assert [r.params for r in got_of_ours] == [
        {"name": "look", "arguments": {"topic": "cats", "b": ""}},
        {"name": "look", "arguments": {}},
    ]
    assert [r.error for r in got_of_ours] == [None, -32602]
    assert taken.negotiated == ("2025-11-25" if mode == "legacy" else "2026-07-28")
    assert taken.client is not None


@pytest.mark.parametrize("revision", REVISIONS)
async def test_the_runs_revision_is_the_newest_that_is_offered(
    open_lab: Lab, revision: str
) -> None:
    servers = open_lab.stage(LOOK, [], revision)
    async with connected(servers["main"], "http", "auto") as client:
        await client.list_prompts()
    assert open_lab.take().negotiated == revision


async def test_a_server_without_the_capability_knows_no_prompts(open_lab: Lab) -> None:
    servers = open_lab.stage(replace(LOOK, capabilities={}), [], "2026-07-28")
    for mode in ("legacy", "2026-07-28"):
        async with connected(servers["main"], "http", mode) as client:
            with pytest.raises(MCPError) as refused:
                await client.list_prompts()
        assert refused.value.code == -32601


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
async def test_pages_of_any_shape(open_lab: Lab, mode: str) -> None:
    servers = open_lab.stage(PAGED, [], "2026-07-28")
    open_lab.take()
    async with connected(servers["main"], "http", mode) as client:
        names, cursor = [], None
        while True:
            page = await client.list_prompts(cursor=cursor)
            names += [prompt.name for prompt in page.prompts]
            cursor = page.next_cursor
            if cursor is None:
                break
        with pytest.raises(MCPError) as unknown:
            await client.list_prompts(cursor="never handed out")
    assert names == ["other", "look"]
    assert unknown.value.code == -32602
    cursors = [r.params.get("cursor") for r in open_lab.take().requests if "list" in r.method]
    assert cursors == [None, "", "c", "never handed out"]


async def test_content_changes_without_a_new_listing(open_lab: Lab) -> None:
    servers = open_lab.stage(LOOK, [], "2026-07-28")
    async with connected(servers["main"], "http", "legacy") as client:
        for value in ("one", "two"):
            open_lab.serve(replace(LOOK, messages=(text(value),)), "invoke")
            got = await client.get_prompt("look", {"topic": "t"})
            assert [m.content.text for m in got.messages] == [value]  # type: ignore[union-attr]


async def test_a_listed_prompt_that_is_not_invoked_serves_a_filler(open_lab: Lab) -> None:
    servers = open_lab.stage(LOOK, [{"name": "extra"}], "2026-07-28")
    open_lab.serve(None, "list")
    async with connected(servers["main"], "http", "legacy") as client:
        got = await client.get_prompt("extra")
    assert "listing only" in got.messages[0].content.text  # type: ignore[union-attr]
    assert {r.phase for r in open_lab.take().requests} >= {"list"}


async def test_servers_beside_each_other(open_lab: Lab) -> None:
    offer = {"prompt": {"name": "look"}, "messages": [text("from two")]}
    beside = {"two": {"pages": [{"prompts": [offer]}]}, "three": {"capabilities": {}}}
    case = replace(LOOK, beside=beside)
    servers = open_lab.stage(case, [], "2026-07-28")
    open_lab.serve(case, "invoke")
    assert list(servers) == ["main", "two", "three"]
    async with connected(servers["two"], "http", "legacy") as client:
        got = await client.get_prompt("look")
        assert got.messages[0].content.text == "from two"  # type: ignore[union-attr]
    async with connected(servers["three"], "http", "legacy") as client:
        with pytest.raises(MCPError):
            await client.list_prompts()
    assert {r.server for r in open_lab.take().requests} >= {"two", "three"}


async def test_errors_on_demand(open_lab: Lab) -> None:
    for method in ("prompts/get", "prompts/list"):
        broken = replace(LOOK, error={"on": method, "code": -32603, "message": "no"})
        servers = open_lab.stage(broken, [], "2026-07-28")
        open_lab.serve(broken, "invoke")
        async with connected(servers["main"], "http", "legacy") as client:
            with pytest.raises(MCPError) as refused:
                await (
                    client.list_prompts()
                    if method == "prompts/list"
                    else client.get_prompt("look", {"topic": "t"})
                )
        assert refused.value.code == -32603


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
async def test_a_changed_list_is_announced(open_lab: Lab, mode: str) -> None:
    case = replace(LOOK, capabilities={"prompts": {"listChanged": True}})
    servers = open_lab.stage(replace(case, pages=({"prompts": []},)), [], "2026-07-28")
    heard = anyio.Event()

    async def hear(message: Any) -> None:
        if getattr(message, "method", "") == "notifications/prompts/list_changed":
            heard.set()

    client = Client(servers["main"].url, mode=mode, read_timeout_seconds=10, message_handler=hear)
    async with client:
        assert (await client.list_prompts()).prompts == []
        if mode == "legacy":
            await anyio.sleep(0.3)  # the standing stream opens after the handshake
            open_lab.announce([{"prompts": ["@"]}])
            with anyio.fail_after(10):
                await heard.wait()
        else:
            async with client.listen(prompts_list_changed=True) as subscription:
                open_lab.announce([{"prompts": ["@"]}])
                with anyio.fail_after(10):
                    await anext(aiter(subscription))
        assert [p.name for p in (await client.list_prompts(cache_mode="refresh")).prompts] == [
            "look"
        ]


async def test_a_round_for_input_comes_before_the_prompt(open_lab: Lab) -> None:
    asking = replace(LOOK, input={"requests": {}, "state": "s1", "responses": {}})
    servers = open_lab.stage(asking, [], "2026-07-28")
    open_lab.serve(asking, "invoke")
    open_lab.take()
    async with connected(servers["main"], "http", "2026-07-28") as client:
        got = await client.get_prompt("look", {"topic": "cats"})
    assert got.messages[0].content.text == "about cats"  # type: ignore[union-attr]
    states = [r.params.get("requestState") for r in open_lab.take().requests]
    assert states == [None, "s1"]


def rpc(url: str, method: str, params: Json, session: dict[str, str]) -> Reply:
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    accept = {"Accept": "application/json, text/event-stream"}
    return http(url, body, {**accept, **session})


@pytest.mark.parametrize("value", ["a\ud800b", "\udfff", "\u2028\0\U000f5a00"])
async def test_what_an_sdk_would_clean_up_leaves_as_written(open_lab: Lab, value: str) -> None:
    odd = replace(LOOK, strict=False, messages=(*LOOK.messages, text(value)))
    url = open_lab.stage(odd, [], "2026-07-28")["main"].url
    open_lab.serve(odd, "invoke")
    client = {"name": "raw", "version": "0"}
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client}
    met = rpc(url, "initialize", hello, {})
    session = {"Mcp-Session-Id": met.headers["mcp-session-id"]}
    got = rpc(url, "prompts/get", {"name": "look", "arguments": {"topic": "t"}}, session)
    data = got.text.partition("data: ")[2].partition("\r\n")[0]
    assert json.loads(data)["result"]["messages"][1:] == [
        LOOK.messages[1],
        text(value),
    ]
