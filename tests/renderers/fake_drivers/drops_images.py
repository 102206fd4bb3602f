"""Renders everything but images, which leave nothing behind."""

from typing import Any

from .wire import faithful, say, serve


def answer(request: dict[str, Any]) -> None:
    reply = faithful(request)
    for message in reply["messages"]:
        message["content"] = [p for p in message["content"] if p["type"] != "image"]
    say(reply)


serve(answer)
