"""What a server that offers a case answers, as data: the one place that every lane shares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from .case import Case, materialise, required_names
from .jsontypes import Json

INVALID_PARAMS: Final = -32602
METHOD_NOT_FOUND: Final = -32601
MODERN: Final = "2026-07-28"

_CLIENT_CAPABILITIES: Final = "io.modelcontextprotocol/clientCapabilities"


@dataclass(frozen=True, slots=True)
class RpcError(Exception):
    """A JSON-RPC error that the server answers."""

    code: int
    message: str


def _offers(case: Case, pages: Sequence[Json]) -> list[Json]:
    """Every `{"prompt", "messages"}` of a listing, the case's own included."""
    own = {"prompt": case.prompt, "messages": list(case.messages)}
    return [own if offer == "@" else offer for page in pages for offer in page["prompts"]]


def list_prompts(
    case: Case,
    params: Mapping[str, Any],
    *,
    revision: str,
    pages: Sequence[Json] | None = None,
    extra: Sequence[Json] = (),
) -> Json:
    """The `prompts/list` result for the cursor in `params`.

    `pages` are `case.pages` unless told (those of `relist`, say); `extra` are prompt definitions
    that the harness publishes beside it on the first page. Raises `RpcError`: the case's own
    error, or -32602 for a cursor that was never handed out (the pagination page of every
    revision: SHOULD).
    """
    if case.error is not None and case.error["on"] == "prompts/list":
        raise RpcError(case.error["code"], case.error["message"])
    listed = case if pages is None or pages is case.pages else replace(case, pages=tuple(pages))
    cursor = params.get("cursor")
    index = 0
    if cursor is not None:
        found = listed.page_after.get(cursor) if isinstance(cursor, str) else None
        if found is None:
            raise RpcError(INVALID_PARAMS, f"unknown cursor {cursor!r}")
        index = found
    page = listed.pages[index]
    result: Json = {"prompts": [offer["prompt"] for offer in _offers(case, [page])]}
    if index == 0:
        own = {prompt["name"] for prompt in result["prompts"]}
        earlier = [e.prompt for e in case.before if e.prompt["name"] != case.prompt["name"]]
        result["prompts"] += [p for p in (*earlier, *extra) if p["name"] not in own]
    if "cursor" in page:
        result["nextCursor"] = page["cursor"]
    if revision >= MODERN:
        result |= {"resultType": "complete", "ttlMs": 0, "cacheScope": "private"}
    return result


def get_prompt(case: Case, params: Mapping[str, Any], *, revision: str) -> Json:
    """The `prompts/get` result for the name and arguments in `params`.

    Raises `RpcError`: the case's own error, or -32602 for an unknown name or a missing required
    argument (section "Error Handling" of the prompts page, every revision: SHOULD).
    """
    if case.error is not None and case.error["on"] == "prompts/get":
        raise RpcError(case.error["code"], case.error["message"])
    name = params.get("name")
    given: Mapping[str, str] = params.get("arguments") or {}
    pages = (*case.pages, *(case.relist or ()))
    for offer in _offers(case, pages):
        if offer["prompt"]["name"] != name:
            continue
        missing = sorted(required_names(offer["prompt"]) - set(given))
        if missing:
            raise RpcError(INVALID_PARAMS, f"missing required argument {missing[0]!r}")
        if offer["prompt"] is case.prompt:
            round_ = _input_round(case, params) if revision >= MODERN else None
            if round_ is not None:
                return round_
            result = materialise(case, given)
        else:
            other = Case("", case.revision, offer["prompt"], tuple(offer["messages"]))
            result = materialise(other, given)
        return result | ({"resultType": "complete"} if revision >= MODERN else {})
    raise RpcError(INVALID_PARAMS, f"unknown prompt {name!r}")


def _input_round(case: Case, params: Mapping[str, Any]) -> Json | None:
    """The `input_required` result that comes before the prompt's own, None once it was had.

    Section "Multi Round-Trip Requests" of 2026-07-28: the server MUST NOT ask for what the client
    did not declare, the client MUST echo the state exactly. Raises `RpcError`.
    """
    if case.input is None:
        return None
    state = case.input.get("state")
    if "requestState" in params or "inputResponses" in params:
        if params.get("requestState") != state:
            raise RpcError(INVALID_PARAMS, "requestState is not the one that was handed out")
        return None
    declared = (params.get("_meta") or {}).get(_CLIENT_CAPABILITIES) or {}
    # "elicitation/create" wants the capability "elicitation", and so on.
    requests = {
        key: request
        for key, request in case.input.get("requests", {}).items()
        if request["method"].partition("/")[0] in declared
    }
    if not requests and state is None:
        return None
    result: Json = {"resultType": "input_required"}
    result |= {"inputRequests": requests} if requests else {}
    return result | ({} if state is None else {"requestState": state})
