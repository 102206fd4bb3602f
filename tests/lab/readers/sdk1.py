"""The Python SDK's client of the first major, in an environment of its own."""

# ruff: noqa: T201 - it reports on standard output
# mypy: ignore-errors
# The installed SDK is the second major's.

from __future__ import annotations

import json
import sys

import anyio
from mcp import ClientSession, McpError, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamablehttp_client
from mcp.types import PromptReference


def plain(model):
    return model.model_dump(mode="json", by_alias=True, exclude_none=True)


async def step(session, asked):
    if asked["do"] == "list":
        prompts, cursor = [], None
        while True:
            page = await session.list_prompts(cursor)
            prompts += map(plain, page.prompts)
            cursor = page.nextCursor
            if cursor is None:
                return prompts
    if asked["do"] == "get":
        return plain(await session.get_prompt(asked["name"], asked["arguments"]))
    if asked["do"] == "complete":
        ref = PromptReference(type="ref/prompt", name=asked["name"])
        return plain(await session.complete(ref, asked["argument"]))["completion"]
    return plain(await session.list_tools())


async def main(told) -> None:
    if "url" in told:
        way = streamablehttp_client(told["url"])
    else:
        command, *arguments = told["command"]
        way = stdio_client(StdioServerParameters(command=command, args=arguments))
    async with way as streams, ClientSession(streams[0], streams[1]) as session:
        met = await session.initialize()
        answers = []
        for asked in told["steps"]:
            try:
                answers.append(await step(session, asked))
            except McpError as problem:
                answers.append({"error": problem.error.code})
        print(json.dumps({"revision": met.protocolVersion, "answers": answers}), flush=True)


anyio.run(main, json.loads(sys.argv[1]))
