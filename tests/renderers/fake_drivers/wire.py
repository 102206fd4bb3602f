"""The line protocol's part that every fake driver shares."""

import json
import sys
from collections.abc import Callable
from typing import Any

HELLO = {"protocol": 1, "name": "fake", "version": "1.0", "accepts": "result"}


def say(reply: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(reply) + "\n")
    sys.stdout.flush()


def parts(content: dict[str, Any]) -> list[dict[str, Any]]:
    """A content block as the parts of a faithful reply."""
    match content["type"]:
        case "text":
            return [{"type": "text", "text": content["text"]}]
        case "resource":
            document = content["resource"]
            if "text" in document:
                return [{"type": "text", "text": f"[{document['uri']}] {document['text']}"}]
            told = {"mimeType": "application/octet-stream", **document, "data": document["blob"]}
            return [{"type": "file", **told}]
        case "resource_link":
            return [{**content, "type": "link"}]
        case _:
            return [content]


def faithful(request: dict[str, Any]) -> dict[str, Any]:
    """A complete rendering of the request."""
    messages = [
        {"role": m["role"], "content": parts(m["content"])} for m in request["result"]["messages"]
    ]
    return {"id": request["id"], "messages": messages}


def texts(request: dict[str, Any]) -> list[str]:
    """The texts of the request's text parts."""
    contents = [m["content"] for m in request["result"]["messages"]]
    return [c["text"] for c in contents if c["type"] == "text"]


def serve(answer: Callable[[dict[str, Any]], None], hello: dict[str, Any] = HELLO) -> None:
    """Greet, then hand each render request to `answer`, until goodbye."""
    for line in sys.stdin:
        request = json.loads(line)
        if request["op"] == "bye":
            return
        if request["op"] == "hello":
            say(hello)
        else:
            answer(request)
