"""HTTP as the tests need it: a status, headers in lower case, a text."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.error import HTTPError
from urllib.request import ProxyHandler, Request, build_opener

_OPENER = build_opener(ProxyHandler({}))


class Reply(NamedTuple):
    status: int
    headers: dict[str, str]
    text: str

    def json(self) -> Any:
        return json.loads(self.text)


def http(url: str, body: object = None, headers: Mapping[str, str] | None = None) -> Reply:
    """GET, or POST of a JSON body (bytes are sent as they are)."""
    data = body if isinstance(body, bytes | None) else json.dumps(body).encode()
    request = Request(url, data, {"Content-Type": "application/json", **(headers or {})})
    try:
        reply = _OPENER.open(request, timeout=10)
    except HTTPError as refusal:
        reply = refusal
    with reply:
        told = {name.lower(): value for name, value in reply.headers.items()}
        return Reply(reply.status, told, reply.read().decode())
