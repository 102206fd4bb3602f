"""Never answers a prompt that says "hang"."""

import time
from typing import Any

from .wire import faithful, say, serve, texts


def answer(request: dict[str, Any]) -> None:
    if "hang" in texts(request):
        time.sleep(3600)
    say(faithful(request))


serve(answer)
