"""A driver with a small MCP client of its own, which takes the standard library alone."""

from __future__ import annotations

import json
import sys
import urllib.request
from typing import Any

HELLO = {"protocol": 1, "name": "connecting", "version": "1", "accepts": "server"}


class Session:
    """One connection over streamable HTTP."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._headers = {
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
        }
        client = {"name": "connecting", "version": "1"}
        asked = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client}
        self._headers["MCP-Protocol-Version"] = self.ask("initialize", asked)["protocolVersion"]
        self._post({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """The result of a request. Raises `RuntimeError` with what the server says."""
        told = self._post({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
        lines = [line[5:] for line in told.splitlines() if line.startswith("data:")]
        answers = [json.loads(line) for line in lines if line.strip()] or [json.loads(told)]
        (answer,) = [each for each in answers if each.get("id") == 1]
        if "error" in answer:
            raise RuntimeError(answer["error"]["message"])
        result: dict[str, Any] = answer["result"]
        return result

    def _post(self, message: dict[str, Any]) -> str:
        request = urllib.request.Request(self._url, json.dumps(message).encode(), self._headers)
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(request) as reply:
            self._headers |= {
                name: value
                for name, value in reply.headers.items()
                if name.lower() == "mcp-session-id"
            }
            text: str = reply.read().decode("utf-8")
            return text


def reply_to(request: dict[str, Any]) -> dict[str, Any]:
    if request["op"] == "hello":
        return HELLO
    try:
        if request["op"] == "list":
            listed = [
                {"server": name, **prompt}
                for name, server in request["servers"].items()
                for prompt in Session(server["url"]).ask("prompts/list", {})["prompts"]
            ]
            return {"id": request["id"], "prompts": listed}
        invoke = request["invoke"]
        session = Session(request["servers"][invoke["server"]]["url"])
        asked = {"name": invoke["name"], "arguments": invoke["arguments"]}
        messages = session.ask("prompts/get", asked)["messages"]
        told = [{"role": m["role"], "content": [m["content"]]} for m in messages]
        return {"id": request["id"], "messages": told}
    except RuntimeError as error:
        return {"id": request["id"], "error": str(error)}


for line in sys.stdin:
    asked = json.loads(line)
    if asked["op"] == "bye":
        break
    print(json.dumps(reply_to(asked)), flush=True)  # noqa: T201 - how a driver answers
