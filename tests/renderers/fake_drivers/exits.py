"""Exits on a prompt that says "exit", after a last word with a terminal escape in it."""

import sys
from typing import Any

from .wire import faithful, say, serve, texts


def answer(request: dict[str, Any]) -> None:
    if "exit" in texts(request):
        sys.stderr.write("\x1b[31mcan't go on\n")
        sys.exit(7)
    say(faithful(request))


serve(answer)
