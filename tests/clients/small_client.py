"""A small, faithful client program with a local API: what real clients are stood in for by.

`python small_client.py SERVERS_FILE MODEL_URL` prints its own URL. Standard library only.
`POST /connect`, `GET /list`, `POST /invoke {"server", "name", "arguments"}`. A text in a prompt
makes it misbehave: one of `MISBEHAVIOURS`, or `garbage`, `refuse`.
"""

# ruff: noqa: T201 - it tells its URL

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from http.client import HTTPException
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


def hang() -> None:
    time.sleep(600)


def refuse_to_end() -> None:
    # Handlers can be set in the main thread alone, which serves: a new program that sets them.
    ignoring = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)"
    os.execv(sys.executable, [sys.executable, "-S", "-c", ignoring])


def exit_now() -> None:
    print("going away", file=sys.stderr, flush=True)
    os._exit(3)


def flood() -> None:
    block = b"x" * 65536
    for _ in range(300 * 16):
        os.write(1, block)


def post(url: str, body: bytes) -> None:
    request = urllib.request.Request(url, body, {"Content-Type": "application/json"})
    with suppress(OSError, HTTPException), urllib.request.urlopen(request) as reply:
        reply.read()


def flood_model() -> None:
    body = b'{"messages": ["' + b"x" * 100_000_000 + b'"]}'
    for _ in range(3):
        post(f"{MODEL_URL}/v1/chat/completions", body)


def flood_server() -> None:
    for _ in range(300):
        post(CONNECTIONS["main"].url, b"x" * 1_000_000)


def nest() -> None:
    """Something as deep as a parser goes, and something deeper."""
    for depth in (400, 900, 990, 100_000):
        body = b'{"messages": ' + b"[" * depth + b"]" * depth + b"}"
        post(f"{MODEL_URL}/v1/chat/completions", body)


def leave_children() -> None:
    """One in the group, and one that was twice forked out of it, session, pipes and all."""
    inside = os.fork()
    if inside == 0:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        hang()
    if os.fork() == 0:
        os.setsid()
        os.closerange(0, 3)
        if os.fork() == 0:
            hang()
        os._exit(0)
    os._exit(4)


def half_an_answer() -> None:
    """The connection ends in the middle of it."""
    raise HalfAnAnswer


def close_outputs() -> None:
    os.close(1)
    os.close(2)


def ask_a_model_later() -> None:
    """The answer first, the request to the model when nobody waits for it any more."""
    body = {"messages": [{"role": "user", "content": "much too late"}]}
    later = (f"{MODEL_URL}/v1/chat/completions", json.dumps(body).encode())
    threading.Timer(0.3, post, later).start()


def make_marker() -> None:
    Path(MARKER).touch()


class HalfAnAnswer(Exception):
    pass


MISBEHAVIOURS: dict[str, Callable[[], None]] = {
    "hang": hang,
    "ignore": refuse_to_end,
    "exit": exit_now,
    "abort": os.abort,
    "flood": flood,
    "flood the model": flood_model,
    "flood the server": flood_server,
    "nest": nest,
    "fork": leave_children,
    "half": half_an_answer,
    "close": close_outputs,
    "late": ask_a_model_later,
    "touch": make_marker,
}


def invoke(asked: Any) -> Any:
    params = {"name": asked["name"], "arguments": asked["arguments"]}
    result = CONNECTIONS[asked["server"]].ask("prompts/get", params)
    messages = [{"role": m["role"], "content": [part_of(m["content"])]} for m in result["messages"]]
    said = {part.get("text") for m in messages for part in m["content"]} | {asked.get("act")}
    for word in said & set(MISBEHAVIOURS):
        MISBEHAVIOURS[word]()
    if "endless" in said:
        return {"said": "x" * 40_000_000}
    if "escapes" in said:
        print("\x1b]0;title\x07\x1b[2Jred", flush=True)
        return {"said": "\x1b[2Jdone"}
    if "refuse" in said:
        raise Refused("not with me")
    system = {"role": "system", "content": f"It is {time.time()}."}
    body: Any = {"messages": [system, *messages], "model": "m"}
    if "garbage" in said:
        body = {"nothing": 1}
    headers = {"Content-Type": "application/json", "Authorization": "Bearer secret"}
    url = f"{MODEL_URL}/v1/chat/completions"
    request = urllib.request.Request(url, json.dumps(body).encode(), headers)
    for _ in range(2 if "twice" in said else 1):
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
        except HalfAnAnswer:
            self.send_response(200)
            self.send_header("Content-Length", "1000")
            self.end_headers()
            self.wfile.write(b'{"said": "do')
            return
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
