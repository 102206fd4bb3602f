"""The short canned answer of the model server, in each dialect, streaming and not. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

from mcp_prompt_fuzz.jsontypes import Json

REPLY: Final = "Noted."
"""What every model here says, to everybody."""

_CREATED: Final = 1_700_000_000


def sse(*events: Json | str, named: bool = False) -> bytes:
    """Server-sent events; with `named`, each under its `type`."""
    lines = []
    for event in events:
        data = event if isinstance(event, str) else json.dumps(event)
        head = f"event: {event['type']}\n" if named and isinstance(event, dict) else ""
        lines.append(f"{head}data: {data}\n\n")
    return "".join(lines).encode()


def _ndjson(*objects: Json) -> bytes:
    return b"".join(json.dumps(item).encode() + b"\n" for item in objects)


def reply(dialect: str, body: Json, *, stream: bool) -> tuple[bytes, str]:
    """The answer to a request of that dialect, and its content type."""
    model = str(body.get("model") or "lab-model")
    answer = _ANSWERS[dialect](model, stream)
    if not stream:
        return json.dumps(answer).encode(), "application/json"
    kind = "application/x-ndjson" if dialect == "ollama.chat" else "text/event-stream"
    return answer, kind


def _openai_chat(model: str, stream: bool) -> Any:
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    base: Json = {"id": "chatcmpl-lab", "created": _CREATED, "model": model}
    if not stream:
        message = {"role": "assistant", "content": REPLY}
        choice: Json = {"index": 0, "message": message, "finish_reason": "stop"}
        return {**base, "object": "chat.completion", "choices": [choice], "usage": usage}

    def chunk(delta: Json, finish: str | None = None) -> Json:
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        return {**base, "object": "chat.completion.chunk", "choices": [choice]}

    last = {**base, "object": "chat.completion.chunk", "choices": [], "usage": usage}
    first = chunk({"role": "assistant", "content": REPLY})
    return sse(first, chunk({}, "stop"), last, "[DONE]")


def _openai_responses(model: str, stream: bool) -> Any:
    part = {"type": "output_text", "text": REPLY, "annotations": []}
    item = {
        "type": "message",
        "id": "msg_lab",
        "status": "completed",
        "role": "assistant",
        "content": [part],
    }
    response: Json = {
        "id": "resp_lab",
        "object": "response",
        "created_at": _CREATED,
        "status": "completed",
        "model": model,
        "output": [item],
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "usage": {
            "input_tokens": 1,
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens": 1,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": 2,
        },
    }
    if not stream:
        return response
    begun = {**response, "status": "in_progress", "output": [], "usage": None}
    place: Json = {"item_id": "msg_lab", "output_index": 0, "content_index": 0}
    events: list[Json] = [
        {"type": "response.created", "response": begun},
        {"type": "response.in_progress", "response": begun},
        {
            "type": "response.output_item.added",
            "output_index": 0,
            "item": {**item, "status": "in_progress", "content": []},
        },
        {"type": "response.content_part.added", **place, "part": {**part, "text": ""}},
        {"type": "response.output_text.delta", **place, "delta": REPLY, "logprobs": []},
        {"type": "response.output_text.done", **place, "text": REPLY, "logprobs": []},
        {"type": "response.content_part.done", **place, "part": part},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": response},
    ]
    return sse(*({**e, "sequence_number": n} for n, e in enumerate(events)), named=True)


def _anthropic_messages(model: str, stream: bool) -> Any:
    block = {"type": "text", "text": REPLY}
    message: Json = {
        "id": "msg_lab",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": [block],
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 1},
    }
    if not stream:
        return message
    begun = {**message, "content": [], "stop_reason": None}
    stop = {"stop_reason": "end_turn", "stop_sequence": None}
    return sse(
        {"type": "message_start", "message": begun},
        {"type": "content_block_start", "index": 0, "content_block": {**block, "text": ""}},
        {
            "type": "content_block_delta",
            "index": 0,
            "delta": {"type": "text_delta", "text": REPLY},
        },
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": stop, "usage": {"output_tokens": 1}},
        {"type": "message_stop"},
        named=True,
    )


def _gemini_contents(model: str, stream: bool) -> Any:
    answer: Json = {
        "candidates": [
            {
                "content": {"role": "model", "parts": [{"text": REPLY}]},
                "finishReason": "STOP",
                "index": 0,
            }
        ],
        "usageMetadata": {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2},
        "modelVersion": model,
    }
    return sse(answer) if stream else answer


def _ollama_chat(model: str, stream: bool) -> Any:
    base = {"model": model, "created_at": "2023-11-14T22:13:20Z"}
    done = {
        "done": True,
        "done_reason": "stop",
        "total_duration": 1,
        "load_duration": 1,
        "prompt_eval_count": 1,
        "prompt_eval_duration": 1,
        "eval_count": 1,
        "eval_duration": 1,
    }
    message = {"role": "assistant", "content": REPLY}
    if not stream:
        return {**base, "message": message, **done}
    return _ndjson(*_ollama_chunks(base, message, done))


def _ollama_chunks(base: Json, message: Json, done: Json) -> Iterator[Json]:
    yield {**base, "message": message, "done": False}
    yield {**base, "message": {**message, "content": ""}, **done}


_ANSWERS: Final = {
    "openai.chat": _openai_chat,
    "openai.responses": _openai_responses,
    "anthropic.messages": _anthropic_messages,
    "gemini.contents": _gemini_contents,
    "ollama.chat": _ollama_chat,
}
