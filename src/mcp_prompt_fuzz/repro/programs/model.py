#!/usr/bin/env python3
"""Stands in for the language model on this machine, and prints what it is sent.

Needs Python 3.9 or newer and nothing else. No API key: any is taken, none is kept. Understands
the requests of OpenAI (chat completions and responses), Anthropic, Gemini and Ollama, and answers
each with one short sentence. Beside what the model is sent it prints what `server.py` was asked.

    python3 model.py [PORT]      PORT is 8765 unless told
"""

from __future__ import annotations

import base64
import contextlib
import json
import sys
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

Json = dict[str, Any]

HERE = Path(__file__).resolve().parent
ANSWER = "This is the stand-in for the model."
LONG = 2000
PRINTING = threading.Lock()


def visible(text: str) -> str:
    """The text with what can't be seen spelled out, line feeds kept as lines."""
    return "".join(
        char if char.isprintable() or char == "\n" else char.encode("unicode_escape").decode()
        for char in text
    )


def say(*lines: str) -> None:
    """Print lines together: requests may arrive at once."""
    with PRINTING:
        text = "".join(f"{visible(line)}\n" for line in lines)
        sys.stdout.write(text.encode(sys.stdout.encoding or "ascii", "backslashreplace").decode())
        sys.stdout.flush()


# What a request holds, as (role, parts): the dialects differ in their names only.


def turns(body: Json) -> Iterator[tuple[str, list[Any]]]:
    """The conversation in a request of any of the dialects."""
    system = body.get("system") or body.get("instructions") or body.get("systemInstruction")
    if system:
        parts = system.get("parts", [system]) if isinstance(system, dict) else listed(system)
        yield "system", parts
    turns_of = body.get("messages") or body.get("input") or body.get("contents") or []
    if isinstance(turns_of, str):
        turns_of = [{"role": "user", "content": turns_of}]
    for turn in turns_of:
        parts = listed(turn.get("content", turn.get("parts", [])))
        # Ollama keeps pictures beside the text.
        parts = parts + [{"type": "image", "data": picture} for picture in turn.get("images", ())]
        yield str(turn.get("role", turn.get("type", "?"))), parts


def listed(content: Any) -> list[Any]:
    """Content as a list of parts."""
    if content is None:
        return []
    return content if isinstance(content, list) else [content]


def part_line(part: Any) -> str:
    """One part as it can be read by a person."""
    if isinstance(part, str):
        return text_line(part)
    text = part.get("text")
    if isinstance(text, str):
        return text_line(text)
    told = json.dumps(shortened(part), ensure_ascii=True)
    return f"[{told}]"


def text_line(text: str) -> str:
    """A text between quotes, its line feeds spelled out."""
    if len(text) > LONG:
        return f'"{text[:LONG]}" ... ({len(text)} characters)'
    return json.dumps(text, ensure_ascii=False)


def shortened(value: Any) -> Any:
    """The same data with long encoded content told by its size."""
    if isinstance(value, dict):
        return {key: shortened(item) for key, item in value.items()}
    if isinstance(value, list):
        return [shortened(item) for item in value]
    if isinstance(value, str) and len(value) > 200:
        head, _, encoded = value.rpartition(",")
        try:
            size = len(base64.b64decode(encoded, validate=True))
        except ValueError:
            return f"{value[:200]}... ({len(value)} characters)"
        return f"{head}{',' if head else ''}<{size} bytes>"
    return value


def report(path: str, body: Json) -> None:
    """Print one request."""
    lines = ["", f"--- the model is sent ({path}) ---"]
    for role, parts in turns(body):
        if role in ("system", "developer"):
            size = sum(len(part_line(part)) for part in parts)
            lines.append(f"{role}: ... the client's own instructions, {size} characters ...")
            continue
        lines += [f"{role}: {part_line(part)}" for part in parts] or [f"{role}: (empty)"]
    if all(line.startswith(("system: ...", "developer: ...")) for line in lines[2:]):
        lines.append("and nothing else")
    say(*lines)


def watch_server() -> None:
    """Print what the server is asked, as it is asked."""
    log = HERE / "server.log"
    seen = len(log.read_text("ascii").splitlines()) if log.exists() else 0
    while True:
        time.sleep(0.1)
        lines = log.read_text("ascii").splitlines() if log.exists() else []
        for line in lines[seen:]:
            try:
                entry = json.loads(line)
            except ValueError:
                break  # half a line: its rest comes in a moment
            if entry["method"].startswith("prompts/"):
                params = json.dumps(entry["params"], ensure_ascii=True)
                say(f"server {entry['server']} is asked: {entry['method']} {params}")
            seen += 1


# The answers.


def chat_chunks(body: Json) -> Iterator[Json]:
    """OpenAI chat completions, streamed."""
    base = {"id": "c1", "object": "chat.completion.chunk", "created": 0, "model": model_of(body)}
    delta = {"role": "assistant", "content": ANSWER}
    yield {**base, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
    yield {**base, "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    yield {**base, "choices": [], "usage": usage}


def chat_whole(body: Json) -> Json:
    """OpenAI chat completions, in one."""
    message = {"role": "assistant", "content": ANSWER}
    return {
        "id": "c1",
        "object": "chat.completion",
        "created": 0,
        "model": model_of(body),
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
    }


def responses_whole(body: Json) -> Json:
    """OpenAI responses, in one."""
    part = {"type": "output_text", "text": ANSWER, "annotations": []}
    item = {"type": "message", "id": "m1", "status": "completed", "role": "assistant"}
    return {
        "id": "r1",
        "object": "response",
        "created_at": 0,
        "status": "completed",
        "model": model_of(body),
        "output": [{**item, "content": [part]}],
        "usage": {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2},
    }


def responses_events(body: Json) -> Iterator[Json]:
    """OpenAI responses, streamed."""
    whole = responses_whole(body)
    item = whole["output"][0]
    part = item["content"][0]
    begun = {**whole, "status": "in_progress", "output": []}
    place = {"item_id": "m1", "output_index": 0, "content_index": 0}
    yield {"type": "response.created", "response": begun}
    added = {**item, "status": "in_progress", "content": []}
    yield {"type": "response.output_item.added", "output_index": 0, "item": added}
    yield {"type": "response.content_part.added", **place, "part": {**part, "text": ""}}
    yield {"type": "response.output_text.delta", **place, "delta": ANSWER}
    yield {"type": "response.output_text.done", **place, "text": ANSWER}
    yield {"type": "response.content_part.done", **place, "part": part}
    yield {"type": "response.output_item.done", "output_index": 0, "item": item}
    yield {"type": "response.completed", "response": whole}


def anthropic_whole(body: Json) -> Json:
    """Anthropic messages, in one."""
    return {
        "id": "m1",
        "type": "message",
        "role": "assistant",
        "model": model_of(body),
        "content": [{"type": "text", "text": ANSWER}],
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 1},
    }


def anthropic_events(body: Json) -> Iterator[Json]:
    """Anthropic messages, streamed."""
    begun = {**anthropic_whole(body), "content": [], "stop_reason": None}
    yield {"type": "message_start", "message": begun}
    empty = {"type": "text", "text": ""}
    yield {"type": "content_block_start", "index": 0, "content_block": empty}
    delta = {"type": "text_delta", "text": ANSWER}
    yield {"type": "content_block_delta", "index": 0, "delta": delta}
    yield {"type": "content_block_stop", "index": 0}
    stop = {"stop_reason": "end_turn", "stop_sequence": None}
    yield {"type": "message_delta", "delta": stop, "usage": {"output_tokens": 1}}
    yield {"type": "message_stop"}


def gemini_whole() -> Json:
    """Gemini, in one or as a stream of one."""
    content = {"role": "model", "parts": [{"text": ANSWER}]}
    return {
        "candidates": [{"index": 0, "content": content, "finishReason": "STOP"}],
        "usageMetadata": {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2},
    }


def ollama_whole(body: Json) -> Json:
    """Ollama chat or generate, in one or as a stream of one."""
    base = {"model": model_of(body), "created_at": "2026-01-01T00:00:00Z", "done": True}
    message = {"role": "assistant", "content": ANSWER}
    return {**base, "message": message, "response": ANSWER, "done_reason": "stop"}


def model_of(body: Json) -> str:
    """The model that was asked for."""
    return str(body.get("model", "model"))


MODELS = {
    "object": "list",
    "data": [{"id": "model", "object": "model", "created": 0, "owned_by": "repro"}],
    "models": [{"name": "model", "model": "model", "displayName": "model"}],
}


class Handler(BaseHTTPRequestHandler):
    """Every dialect on one port, told apart by path."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        """Listings of models, and signs of life."""
        self.whole(MODELS)

    def do_POST(self) -> None:
        """A request to the model."""
        body = json.loads(self.content() or b"{}")
        path = self.path.partition("?")[0]
        streamed = bool(body.get("stream"))
        if path.endswith(("count_tokens", ":countTokens")):
            self.whole({"input_tokens": 1, "totalTokens": 1})
            return
        if path.endswith("/api/show"):
            self.whole({"capabilities": ["completion", "vision"], "model_info": {}, "details": {}})
            return
        report(path, body)
        if path.endswith("/chat/completions"):
            self.events(chat_chunks(body), "[DONE]") if streamed else self.whole(chat_whole(body))
        elif path.endswith("/responses"):
            self.events(responses_events(body)) if streamed else self.whole(responses_whole(body))
        elif path.endswith("/messages"):
            self.events(anthropic_events(body)) if streamed else self.whole(anthropic_whole(body))
        elif path.endswith(":streamGenerateContent"):
            self.events(iter([gemini_whole()]))
        elif path.endswith(":generateContent"):
            self.whole(gemini_whole())
        else:
            self.whole(ollama_whole(body))

    def content(self) -> bytes:
        """The request's body, sent in one or in chunks."""
        if self.headers.get("Transfer-Encoding", "").lower() != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))
        whole = b""
        while True:
            size = int(self.rfile.readline().partition(b";")[0], 16)
            chunk = self.rfile.read(size)
            self.rfile.readline()
            if not size:
                return whole
            whole += chunk

    def whole(self, answer: Json) -> None:
        """Answer with one JSON object."""
        self.reply("application/json", json.dumps(answer).encode() + b"\n")

    def events(self, events: Iterator[Json], last: str = "") -> None:
        """Answer with server-sent events."""
        text = ""
        for event in events:
            name = f"event: {event['type']}\n" if "type" in event else ""
            text += f"{name}data: {json.dumps(event)}\n\n"
        self.reply("text/event-stream", (text + (f"data: {last}\n\n" if last else "")).encode())

    def reply(self, kind: str, content: bytes) -> None:
        """Send the answer."""
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *arguments: Any) -> None:  # noqa: A002 (the base's name)
        """Keep quiet: what is worth printing is printed elsewhere."""


def main() -> None:
    """Listen on this machine alone until interrupted."""
    port = int(sys.argv[1]) if len(sys.argv) > 1 else 8765
    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    server.daemon_threads = True
    threading.Thread(target=watch_server, daemon=True).start()
    say(f"The stand-in for the model listens on http://127.0.0.1:{server.server_port}/v1")
    with contextlib.suppress(KeyboardInterrupt):
        server.serve_forever()


if __name__ == "__main__":
    main()
