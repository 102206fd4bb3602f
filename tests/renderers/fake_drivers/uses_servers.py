"""Connects to the servers that it is handed, with the SDK's client, and renders what it gets.

Parts of the kinds that its command line names get lost.
"""

import sys
from typing import Any

import anyio
from mcp import ClientSession, StdioServerParameters, stdio_client
from mcp.types import PaginatedRequestParams

from .wire import HELLO, faithful, say, serve


async def listed(session: ClientSession) -> list[Any]:
    prompts: list[Any] = []
    params = None
    while True:
        page: Any = await session.list_prompts(params=params)
        prompts += page.prompts
        if page.next_cursor is None:
            return prompts
        params = PaginatedRequestParams(cursor=page.next_cursor)


async def connected(request: dict[str, Any], name: str) -> Any:
    command, *args = request["servers"][name]["command"]
    server = StdioServerParameters(command=command, args=args)
    async with stdio_client(server) as streams, ClientSession(*streams) as session:
        told = await session.initialize()
        if request["op"] == "list":
            return await listed(session) if told.capabilities.prompts else []
        invoke = request["invoke"]
        return await session.get_prompt(invoke["name"], invoke["arguments"])


def dumped(value: Any) -> dict[str, Any]:
    plain: dict[str, Any] = value.model_dump(mode="json", by_alias=True, exclude_none=True)
    return plain


def told(error: BaseException) -> str:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return str(error)


def answer(request: dict[str, Any]) -> None:
    try:
        if request["op"] == "list":
            prompts = [
                {"server": name, **dumped(prompt)}
                for name in request["servers"]
                for prompt in anyio.run(connected, request, name)
            ]
            say({"id": request["id"], "prompts": prompts})
        else:
            got = dumped(anyio.run(connected, request, request["invoke"]["server"]))
            kept = [m for m in got["messages"] if m["content"]["type"] not in sys.argv[1:]]
            say(faithful({"id": request["id"], "result": {**got, "messages": kept}}))
    except Exception as error:
        say({"id": request["id"], "error": told(error)})


serve(answer, HELLO | {"accepts": "server"})
