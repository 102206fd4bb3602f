"""Answers a prompt that says "hang" some seconds later."""

import time
from typing import Any

from .wire import faithful, say, serve, texts


def answer(request: dict[str, Any]) -> None:
    if "hang" in texts(request):
        time.sleep(5)
    say(faithful(request))


serve(answer)
