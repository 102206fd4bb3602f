"""Ends in the middle of its answer to a prompt that says "half"."""

import os
from typing import Any

from .wire import faithful, say, serve, texts


def answer(request: dict[str, Any]) -> None:
    if "half" in texts(request):
        os.write(1, b'{"id": 1, "mess')
        os._exit(0)
    say(faithful(request))


serve(answer)
