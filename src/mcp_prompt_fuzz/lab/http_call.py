"""One call to a client's local API, with nothing but the standard library and no proxy."""

from __future__ import annotations

import json
from http.client import HTTPException
from typing import Any, Final
from urllib.error import HTTPError, URLError
from urllib.request import ProxyHandler, Request, build_opener

from mcp_prompt_fuzz.jsontypes import Json

MOST_BYTES: Final = 8 * 1024 * 1024
"""How much a client's local API may answer."""

_OPENER: Final = build_opener(ProxyHandler({}))


def call(told: Json) -> dict[str, Any]:
    """Call `method` on `url` with the JSON body `json`, if any; each wait lasts `timeout` seconds.

    Returns `{"status", "text"}`, or one of `{"timeout": True}`, `{"flooded": True}` and
    `{"unreachable": WHY}`.
    """
    body = told.get("json")
    data = None if body is None else json.dumps(body).encode()
    headers = {} if data is None else {"Content-Type": "application/json"}
    request = Request(told["url"], data, headers, method=told["method"])
    try:
        try:
            reply = _OPENER.open(request, timeout=told["timeout"])
        except HTTPError as refusal:
            reply = refusal
        with reply:
            read = reply.read(MOST_BYTES + 1)
            status = reply.status
            missing = reply.length
    except TimeoutError:
        return {"timeout": True}
    except (OSError, HTTPException) as problem:
        if isinstance(problem, URLError) and isinstance(problem.reason, TimeoutError):
            return {"timeout": True}
        return {"unreachable": f"{type(problem).__name__}: {problem}"}
    if len(read) > MOST_BYTES:
        return {"flooded": True}
    if missing:
        return {"unreachable": f"the answer ends {missing} bytes too early"}
    return {"status": status, "text": read.decode("utf-8", "replace")}
