"""Answers a prompt that says "twice" twice, the second time a little later."""

import time
from typing import Any

from .wire import faithful, say, serve, texts


def answer(request: dict[str, Any]) -> None:
    say(faithful(request))
    if "twice" in texts(request):
        time.sleep(0.002)
        say(faithful(request))


serve(answer)
