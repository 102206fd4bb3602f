"""Answers a prompt that says "escape" with what clears a terminal and renames its window."""

import sys
from typing import Any

from .wire import faithful, say, serve, texts


def answer(request: dict[str, Any]) -> None:
    if "escape" in texts(request):
        sys.stdout.write("\x1b[2J\x1b]0;title\x07\n")
    say(faithful(request))


serve(answer)
