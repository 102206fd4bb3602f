"""A small, faithful client program with a local API: what real clients are stood in for by.

`python small_client.py SERVERS_FILE MODEL_URL` prints its own URL. Standard library only.
`POST /connect`, `GET /list`, `POST /invoke {"server", "name", "arguments"}`. A text in a prompt
makes it misbehave: `hang`, `exit`, `flood` (its output), `endless`
(its answer), `garbage`, `touch` (makes the marker file), `refuse`.
"""

# ruff: noqa: T201 - it tells its URL

from __future__ import annotations

import json
import os
import sys
import time
import urllib.request
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

SERVERS_FILE, MODEL_URL = Path(sys.argv[1]), sys.argv[2]
MARKER = "pfz-canary-ran"


class Refused(Exception):
    pass


class Connection:
    """One MCP server, over streamable HTTP, of the older era."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.session: dict[str, str] = {}
        hello = {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "small", "version": "1"},
        }
        self.declared = self.ask("initialize", hello)["capabilities"]

    def ask(self, method: str, params: Any) -> Any:
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
        headers = {
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            **self.session,
        }
        request = urllib.request.Request(self.url, body.encode(), headers)
        with urllib.request.urlopen(request) as reply:
            if reply.headers.get("Mcp-Session-Id"):
                self.session = {"Mcp-Session-Id": reply.headers["Mcp-Session-Id"]}
            text = reply.read().decode()
        data = text if text.startswith("{") else text.partition("data: ")[2].partition("\r\n")[0]
        answer = json.loads(data)
        if "error" in answer:
            raise Refused(answer["error"]["message"])
        return answer["result"]

    def listing(self) -> list[Any]:
        prompts: list[Any] = []
        cursor = None
        while "prompts" in self.declared:
            page = self.ask("prompts/list", {} if cursor is None else {"cursor": cursor})
            prompts += page["prompts"]
            cursor = page.get("nextCursor")
            if cursor is None:
                break
        return prompts


CONNECTIONS: dict[str, Connection] = {}


def connect(_: Any = None) -> Any:
    CONNECTIONS.clear()
    for name, url in json.loads(SERVERS_FILE.read_text()).items():
        CONNECTIONS[name] = Connection(url)
    return {}


def listing(_: Any = None) -> Any:
    return [
        {"server": server, **prompt}
        for server, connection in CONNECTIONS.items()
        for prompt in connection.listing()
    ]


def part_of(content: Any) -> Any:
    if content["type"] == "text":
        return {"type": "text", "text": content["text"]}
    if content["type"] == "image":
        url = f"data:{content['mimeType']};base64,{content['data']}"
        return {"type": "image_url", "image_url": {"url": url}}
    return {"type": "text", "text": json.dumps(content)}


def invoke(asked: Any) -> Any:
    params = {"name": asked["name"], "arguments": asked["arguments"]}
    result = CONNECTIONS[asked["server"]].ask("prompts/get", params)
    messages = [{"role": m["role"], "content": [part_of(m["content"])]} for m in result["messages"]]
    said = {part.get("text") for m in messages for part in m["content"]}
    if "hang" in said:
        time.sleep(600)
    if "exit" in said:
        print("going away", file=sys.stderr, flush=True)
        os._exit(3)
    if "flood" in said:
        for _ in range(1600):
            os.write(1, b"x" * 65536)
    if "endless" in said:
        return {"said": "x" * 40_000_000}
    if "touch" in said:
        Path(MARKER).touch()
    if "refuse" in said:
        raise Refused("not with me")
    system = {"role": "system", "content": f"It is {time.time()}."}
    body: Any = {"messages": [system, *messages], "model": "m"}
    if "garbage" in said:
        body = {"nothing": 1}
    headers = {"Content-Type": "application/json", "Authorization": "Bearer secret"}
    url = f"{MODEL_URL}/v1/chat/completions"
    request = urllib.request.Request(url, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request) as reply:
        reply.read()
    return {"said": "done"}


class Api(BaseHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        pass

    def answer(self, does: Callable[[Any], Any]) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        body = json.loads(self.rfile.read(length) or b"null")
        try:
            reply, status = does(body), 200
        except Refused as problem:
            reply, status = {"error": str(problem)}, 400
        data = json.dumps(reply).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def do_GET(self) -> None:
        self.answer(listing)

    def do_POST(self) -> None:
        does: dict[str, Callable[[Any], Any]] = {"/connect": connect, "/invoke": invoke}
        self.answer(does[self.path])


server = ThreadingHTTPServer(("127.0.0.1", 0), Api)
connect()
print(f"at http://127.0.0.1:{server.server_address[1]} ", flush=True)
server.serve_forever()
