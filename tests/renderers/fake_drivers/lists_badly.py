"""Never connects, and lists as the servers' names say. Given a word, it can't list at all."""

import os
import sys
from typing import Any

from .wire import HELLO, say, serve


def answer(request: dict[str, Any]) -> None:
    servers = request["servers"]
    if request["op"] == "render":
        say({"id": request["id"], "text": str(os.getpid())})
    elif "exits" in servers or sys.argv[1:]:
        sys.exit(3)
    elif "no server's error" in servers:
        say({"id": request["id"], "error": "what is list?"})
    else:
        say({"id": request["id"], "prompts": [{}] if "garbled" in servers else []})


serve(answer, HELLO | {"accepts": "server"})
