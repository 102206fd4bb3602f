"""Sends a prompt's name to the model endpoint that it is handed; can't list."""

import json
import urllib.request
from typing import Any

from .wire import HELLO, say, serve


def answer(request: dict[str, Any]) -> None:
    if request["op"] == "list":
        say({"id": request["id"], "unsupported": "lists nothing"})
        return
    name = request["invoke"]["name"]
    if name != "silent":
        body = {"model": "m", "messages": [{"role": "user", "content": name}]}
        urllib.request.urlopen(
            urllib.request.Request(
                request["model"]["url"] + "/v1/chat/completions",
                json.dumps(body).encode(),
                {"content-type": "application/json"},
            )
        ).read()
    say({"id": request["id"], "captured": True})


serve(answer, HELLO | {"accepts": "server", "rules": ["text.*"], "revisions": ["2025-06-18"]})
