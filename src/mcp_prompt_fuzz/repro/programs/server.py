#!/usr/bin/env python3
"""An MCP server on standard input and output that offers exactly what `case.json` says.

`case.json` stands beside this file. Needs Python 3.9 or newer and nothing else. Speaks the
protocol as raw JSON-RPC, in both of its forms: with `initialize` (2024-11-05 to 2025-11-25) and
without (2026-07-28, `server/discover`). Each request is appended to `server.log`.

    python3 server.py            the case's own server
    python3 server.py NAME       the server NAME that the case puts beside it
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

Json = dict[str, Any]

HERE = Path(__file__).resolve().parent
LEGACY = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]
MODERN = "2026-07-28"
SPEAKS = "io.modelcontextprotocol/protocolVersion"
SERVER_INFO = "io.modelcontextprotocol/serverInfo"
SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId"
INFO = {"name": "mcp-prompt-repro", "version": "1"}


class RpcError(Exception):
    """An error to answer a request with."""

    def __init__(self, code: int, message: str, data: Json | None = None) -> None:
        super().__init__(message)
        self.error: Json = {"code": code, "message": message}
        if data is not None:
            self.error["data"] = data


class Server:
    """Answers requests about one case."""

    def __init__(self, case: Json, name: str = "main") -> None:
        self.own = name == "main"
        self.case: Json = case if self.own else {**case["beside"][name], "prompt": None}
        self.name = name
        self.pages: list[Json] = self.case.get("pages", [{"prompts": ["@"]}])
        self.relist: list[Json] | None = self.case.get("relist")
        self.history: list[Json] = list(self.case.get("before", ()))
        self.subscription: Any = None
        self.legacy = False

    def answer(self, message: Any) -> list[Json]:
        """What goes out for one incoming message: a response, and what follows it."""
        if not isinstance(message, dict):
            return [refusal(-32600, "no JSON-RPC message")]
        if "method" not in message or "id" not in message:
            return []
        method, params = message["method"], message.get("params") or {}
        log({"server": self.name, "method": method, "params": without_meta(params)})
        reply: Json = {"jsonrpc": "2.0", "id": message["id"]}
        try:
            result = self.result(method, params, message["id"])
        except RpcError as error:
            return [{**reply, "error": error.error}]
        if result is None:
            return [acknowledged(message["id"])]
        return [{**reply, "result": result}, *self.announcement(method, result)]

    def result(self, method: str, params: Json, request_id: Any) -> Json | None:
        """The result of one request; None where there is only a notification to answer with."""
        version = (params.get("_meta") or {}).get(SPEAKS)
        modern = version is not None
        if modern and version != MODERN:
            data = {"supported": [MODERN, *LEGACY], "requested": version}
            raise RpcError(-32022, "unsupported protocol version", data)
        if method == "initialize":
            return self.initialize(params)
        if method == "server/discover":
            found = {"supportedVersions": [MODERN, *LEGACY], "capabilities": self.capabilities()}
            return {**found, "_meta": {SERVER_INFO: INFO}, **cacheable(True)}
        if method == "ping" and not modern:
            return {}
        if method == "subscriptions/listen" and modern:
            self.subscription = request_id
            return None
        if method == "prompts/list" and "prompts" in self.capabilities():
            return self.list_prompts(params, modern)
        if method == "prompts/get" and "prompts" in self.capabilities():
            return self.get_prompt(params, modern)
        raise RpcError(-32601, f"method not found: {method}")

    def capabilities(self) -> Json:
        """What the server declares."""
        declared: Json = self.case.get("capabilities", {"prompts": {}})
        return declared

    def initialize(self, params: Json) -> Json:
        """The handshake of the older revisions: the client's version if we speak it."""
        self.legacy = True
        wanted = params.get("protocolVersion")
        agreed = wanted if wanted in LEGACY else LEGACY[-1]
        return {
            "protocolVersion": agreed,
            "capabilities": self.capabilities(),
            "serverInfo": INFO,
        }

    def offers(self, pages: list[Json]) -> list[Json]:
        """Every prompt of these pages, with its messages."""
        own = {"prompt": self.case["prompt"], "messages": self.case.get("messages")}
        return [own if offer == "@" else offer for page in pages for offer in page["prompts"]]

    def list_prompts(self, params: Json, modern: bool) -> Json:
        """One page of the listing."""
        self.fail("prompts/list")
        index = 0
        if "cursor" in params:
            cursors = [page["cursor"] for page in self.pages[:-1]]
            if params["cursor"] not in cursors:
                raise RpcError(-32602, "unknown cursor")
            index = cursors.index(params["cursor"]) + 1
        page = self.pages[index]
        prompts = [offer["prompt"] for offer in self.offers([page])]
        if index == 0:
            names = {prompt["name"] for prompt in prompts}
            own = self.case["prompt"]["name"] if self.own else None
            earlier = [e["prompt"] for e in self.history if e["prompt"]["name"] != own]
            prompts += [prompt for prompt in earlier if prompt["name"] not in names]
        result = {"prompts": prompts}
        if "cursor" in page:
            result["nextCursor"] = page["cursor"]
        return {**result, **cacheable(modern)}

    def get_prompt(self, params: Json, modern: bool) -> Json:
        """A prompt with its slots filled."""
        self.fail("prompts/get")
        name, given = params.get("name"), params.get("arguments") or {}
        pages = [*self.pages, *(self.relist or ())]
        known = [*self.offers(pages), *self.history]
        offer = next((offer for offer in known if offer["prompt"]["name"] == name), None)
        if offer is None:
            raise RpcError(-32602, f"unknown prompt: {name}")
        for argument in offer["prompt"].get("arguments", ()):
            if argument.get("required") and argument["name"] not in given:
                raise RpcError(-32602, f"missing required argument: {argument['name']}")
        own = self.own and name == self.case["prompt"]["name"]
        if own and modern and self.asks(params):
            return self.question()
        # The n-th invocation of one prompt is served the n-th content of the case's history.
        offer = self.earlier(offer) if own else offer
        messages = [filled(message, given) for message in offer["messages"]]
        described: Json = offer.get("result") or (self.case.get("result", {}) if own else {})
        kind = {"resultType": "complete"} if modern else {}
        return {**described, "messages": messages, **kind}

    def earlier(self, offer: Json) -> Json:
        """The content of an earlier invocation of the same prompt, where the case has one."""
        for index, before in enumerate(self.history):
            if before["prompt"]["name"] == offer["prompt"]["name"]:
                return self.history.pop(index)
        return offer

    def asks(self, params: Json) -> bool:
        """Whether the answer is a question first (2026-07-28)."""
        return "input" in self.case and not ({"inputResponses", "requestState"} & set(params))

    def question(self) -> Json:
        """The `input_required` result."""
        question: Json = {"resultType": "input_required"}
        if self.case["input"].get("requests") is not None:
            question["inputRequests"] = self.case["input"]["requests"]
        if self.case["input"].get("state") is not None:
            question["requestState"] = self.case["input"]["state"]
        return question

    def fail(self, method: str) -> None:
        """Answer the error that the case asks for, if it does."""
        error = self.case.get("error")
        if error is not None and error["on"] == method:
            raise RpcError(error["code"], error["message"])

    def announcement(self, method: str, result: Json) -> list[Json]:
        """The news that the listing has changed, after its last page went out the first time."""
        if method != "prompts/list" or self.relist is None or "nextCursor" in result:
            return []
        self.pages, self.relist = self.relist, None
        note: Json = {"jsonrpc": "2.0", "method": "notifications/prompts/list_changed"}
        if self.subscription is not None:
            return [{**note, "params": {"_meta": {SUBSCRIPTION: self.subscription}}}]
        return [note] if self.legacy else []


def refusal(code: int, message: str) -> Json:
    """The answer to what can't be told apart as a request."""
    return {"jsonrpc": "2.0", "id": None, "error": {"code": code, "message": message}}


def acknowledged(subscription: Any) -> Json:
    """The first thing said on a stream of changes."""
    return {
        "jsonrpc": "2.0",
        "method": "notifications/subscriptions/acknowledged",
        "params": {
            "notifications": {"promptsListChanged": True},
            "_meta": {SUBSCRIPTION: subscription},
        },
    }


def cacheable(modern: bool) -> Json:
    """What 2026-07-28 adds to a listing: it may be asked for again at once."""
    if not modern:
        return {}
    return {"resultType": "complete", "ttlMs": 0, "cacheScope": "private"}


def filled(message: Json, given: Json) -> Json:
    """The message with the given arguments in its text's slots."""
    content = message["content"]
    holder = content["resource"] if content["type"] == "resource" else content
    text = holder.get("text")
    if not isinstance(text, list):
        return message
    whole = "".join(
        piece if isinstance(piece, str) else given.get(piece["argument"], "") for piece in text
    )
    filled_in = {**holder, "text": whole}
    content = {**content, "resource": filled_in} if holder is not content else filled_in
    return {**message, "content": content}


def without_meta(params: Json) -> Json:
    """What was asked, without the protocol's own data."""
    return {key: value for key, value in params.items() if key != "_meta"}


def log(entry: Json) -> None:
    """Keep what was asked, where that can be kept: `model.py` shows it."""
    try:
        with (HERE / "server.log").open("a", encoding="ascii") as file:
            file.write(json.dumps(entry) + "\n")
    except OSError:
        pass


def main() -> None:
    """Serve until the client closes our standard input."""
    case = json.loads((HERE / "case.json").read_text(encoding="utf-8"))
    server = Server(case, *sys.argv[1:2])
    for line in sys.stdin.buffer:
        if not line.strip():
            continue
        try:
            message = json.loads(line)
        except ValueError:
            send(refusal(-32700, "no JSON"))
            continue
        if isinstance(message, list):
            send([reply for each in message for reply in server.answer(each)])
        else:
            for reply in server.answer(message):
                send(reply)


def send(message: Any) -> None:
    """Write one message on a line of its own, in ASCII, so that no encoding can spoil it."""
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
