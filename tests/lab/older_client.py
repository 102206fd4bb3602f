"""Lists and gets over HTTP and stdio with the SDK's client of the first major, in its own venv.

`python older_client.py URL COMMAND ...` prints a JSON line for each way: revision, names of
prompts, kinds of content, error code.
"""

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


async def talk(streams) -> None:
    async with ClientSession(streams[0], streams[1]) as session:
        met = await session.initialize()
        names, cursor = [], None
        while True:
            page = await session.list_prompts(cursor)
            names += [prompt.name for prompt in page.prompts]
            cursor = page.nextCursor
            if cursor is None:
                break
        got = await session.get_prompt("look", {"topic": "cats"})
        kinds = [message.content.type for message in got.messages]
        try:
            await session.get_prompt("look")
        except McpError as problem:
            code = problem.error.code
        print(json.dumps([met.protocolVersion, names, kinds, code]), flush=True)


async def main(url: str, command: str, *arguments: str) -> None:
    async with streamablehttp_client(url) as streams:
        await talk(streams)
    async with stdio_client(StdioServerParameters(command=command, args=[*arguments])) as streams:
        await talk(streams)


anyio.run(main, *sys.argv[1:])
