"""A stand-in for a library's driver: does as the prompt's name says. Run as a program.

As every driver, it finds the kit in its own folder: see `conftest.small_driver`.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import urllib.request
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import driver_kit  # type: ignore[import-not-found] # stands beside this program once it runs

CONNECTED: list[str] = []


class Client:
    """Remembers what was done with it."""

    async def connect(self, servers: Mapping[str, Any]) -> None:
        CONNECTED.append(",".join(servers))
        if "breaking" in servers:
            os._exit(3)
        if "refusing" in servers:
            raise OSError("connection refused")
        for server in servers.values():
            if "/mcp/" in server["url"]:
                shake_hands(server["url"])

    async def listing(self) -> list[dict[str, Any]] | None:
        sys.stdout.write("a library prints what it likes\n")
        os.write(1, b"and writes to the descriptor itself\n")
        if os.environ.get("LISTS") == "never":
            return None
        if os.environ.get("LISTS") == "fails":
            raise ValueError("no list today")
        return [{"server": "main", "name": f"connection {len(CONNECTED)}"}]

    async def invoke(
        self, server: str, name: str, arguments: dict[str, str], model_url: str
    ) -> dict[str, Any]:
        match name:
            case "unsupported":
                raise driver_kit.Unsupported("arguments.verbatim: nobody says that", "/x")
            case "group":
                raise ExceptionGroup("of one", [ValueError("inside")])
            case "cancelled":
                raise asyncio.CancelledError
            case "touch":
                Path(arguments["file"]).touch()
            case "ask":
                body = b'{"messages": [{"role": "user", "content": "asked"}]}'
                post(f"{model_url}/v1/chat/completions", body)
                captured: dict[str, Any] = driver_kit.CAPTURED
                return captured
        told = {"connections": len(CONNECTED), "folder": str(Path.cwd()), **os.environ}
        said = "\n".join(f"{key}={value}" for key, value in told.items())
        return {"messages": [{"role": "user", "content": said}]}

    async def close(self) -> None:
        CONNECTED.append("closed")


def post(url: str, body: bytes) -> None:
    headers = {
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
    }
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    opener.open(urllib.request.Request(url, body, headers)).read()


def shake_hands(url: str) -> None:
    """All that it ever asks of a server: a revision that is not the newest."""
    params = {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "small", "version": "2"},
    }
    request = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}
    post(url, json.dumps(request).encode())


def load() -> Callable[[], Client]:
    return Client


def load_pure() -> Callable[[dict[str, Any]], dict[str, Any]]:
    return lambda result: {"text": result["messages"][0]["content"]["text"]}


if __name__ == "__main__":
    if os.environ.get("ACCEPTS") == "result":
        driver_kit.serve("hypothesis", load_pure, driver_kit.RESULT)
    driver_kit.serve("hypothesis", load)
