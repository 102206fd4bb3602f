"""Aborts on a prompt that says "abort"."""

import os
from typing import Any

from .wire import faithful, say, serve, texts


def answer(request: dict[str, Any]) -> None:
    if "abort" in texts(request):
        os.abort()
    say(faithful(request))


serve(answer)
