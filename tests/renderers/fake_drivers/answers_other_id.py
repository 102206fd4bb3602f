"""Answers a prompt that says "other" under an id that nobody asked about."""

from typing import Any

from .wire import faithful, say, serve, texts


def answer(request: dict[str, Any]) -> None:
    say(faithful(request) | ({"id": 4711} if "other" in texts(request) else {}))


serve(answer)
