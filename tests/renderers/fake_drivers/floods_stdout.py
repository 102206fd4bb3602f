"""Answers a prompt that says "flood" with hundreds of megabytes, without an end of line."""

import sys
from typing import Any

from .wire import faithful, say, serve, texts


def answer(request: dict[str, Any]) -> None:
    if "flood" in texts(request):
        for _ in range(300):
            sys.stdout.write("x" * 1_000_000)
    say(faithful(request))


serve(answer)
