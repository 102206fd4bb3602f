"""The Python SDK's client of the second major."""

# ruff: noqa: T201 - it reports on standard output

from __future__ import annotations

import json
import sys
from typing import Any

import anyio
from mcp import Client, StdioServerParameters
from mcp.shared.exceptions import MCPError
from mcp_types import ElicitResult, PromptReference


def plain(model: Any) -> Any:
    return model.model_dump(mode="json", by_alias=True, exclude_none=True)


async def step(client: Client, asked: Any) -> Any:
    if asked["do"] == "list":
        prompts: list[Any] = []
        cursor = None
        while True:
            page = await client.list_prompts(cursor=cursor)
            prompts += map(plain, page.prompts)
            cursor = page.next_cursor
            if cursor is None:
                return prompts
    if asked["do"] == "get":
        return plain(await client.get_prompt(asked["name"], asked["arguments"]))
    if asked["do"] == "complete":
        ref = PromptReference(type="ref/prompt", name=asked["name"])
        return plain(await client.complete(ref, asked["argument"]))["completion"]
    return plain(await client.list_tools())


async def accept(context: Any, params: Any) -> ElicitResult:
    return ElicitResult(action="accept", content={"context": "x"})


async def main(told: Any) -> None:
    if "url" in told:
        server = told["url"]
    else:
        command, *arguments = told["command"]
        server = StdioServerParameters(command=command, args=arguments)
    mode: Any = "2026-07-28" if told["modern"] else "legacy"
    async with Client(
        server, mode=mode, read_timeout_seconds=20, elicitation_callback=accept
    ) as client:
        answers = []
        for asked in told["steps"]:
            try:
                answers.append(await step(client, asked))
            except MCPError as problem:
                answers.append({"error": problem.code})
        print(json.dumps({"revision": client.protocol_version, "answers": answers}), flush=True)


anyio.run(main, json.loads(sys.argv[1]))
