"""Answers a prompt that says "garbage" with a log line where JSON belongs."""

import sys
from typing import Any

from .wire import faithful, say, serve, texts


def answer(request: dict[str, Any]) -> None:
    if "garbage" in texts(request):
        sys.stdout.write("INFO rendering ...\n")
    say(faithful(request))


serve(answer)
