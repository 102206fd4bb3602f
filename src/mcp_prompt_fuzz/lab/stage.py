"""What the lab's servers offer at this moment, and what they were asked. Pure: no I/O.

The harness sets the stage between invocations. What a prompt name serves never depends on the
history of a connection, so a case and its plain twin share one definition and one listing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from mcp_prompt_fuzz.case import Case
from mcp_prompt_fuzz.jsontypes import Json, without
from mcp_prompt_fuzz.serving import (
    INVALID_PARAMS,
    METHOD_NOT_FOUND,
    MODERN,
    RpcError,
    get_prompt,
    list_prompts,
)

MAIN: Final = "main"
"""The name of the case's own server; the others are those of `beside`."""

FILLER: Final = "This prompt stands in the listing only."
"""What a listed prompt serves while no case of its own is invoked."""


@dataclass(slots=True)
class Stage:
    """The servers' state. `listing` decides what is declared and listed, `current` what is served.

    `extra` are definitions published beside the case's own, so that later cases need no new
    listing. `pages` replace those of the case once a change was announced. Connections negotiate
    at most `revision`. `asked` counts every request that was ever received.
    """

    revision: str
    listing: Case | None = None
    extra: Sequence[Json] = ()
    current: Case | None = None
    pages: Sequence[Json] | None = None
    phase: Literal["list", "invoke"] = "list"
    record: list[Json] = field(default_factory=list)
    asked: int = 0
    client: Json = field(default_factory=dict)
    negotiated: str | None = None

    def capabilities(self, server: str) -> Json:
        """What the server declares. A server that isn't on stage declares nothing."""
        on_stage = self._on_stage(server)
        return self._case_of(server, self.listing).capabilities if on_stage else {}

    def answer(self, server: str, method: str, params: Mapping[str, Any], revision: str) -> Json:
        """The result of a prompts request. Raises `RpcError`."""
        if "prompts" not in self.capabilities(server):
            raise RpcError(METHOD_NOT_FOUND, "Method not found")
        main = server == MAIN
        if method == "prompts/list":
            return list_prompts(
                self._case_of(server, self.listing),
                params,
                revision=revision,
                pages=self.pages if main else None,
                extra=self.extra if main else (),
            )
        if main and self._is_filler(params.get("name")):
            content = {"type": "text", "text": FILLER}
            modern = {"resultType": "complete"} if revision >= MODERN else {}
            return {"messages": [{"role": "user", "content": content}], **modern}
        served = self._case_of(server, self.current or self.listing)
        return get_prompt(served, params, revision=revision)

    def complete(self, server: str, params: Mapping[str, Any], revision: str) -> Json:
        """The `completion/complete` result: the case's own value, where it is being typed.

        Raises `RpcError` where the server declares no completions.
        """
        if "completions" not in self.capabilities(server):
            raise RpcError(METHOD_NOT_FOUND, "Method not found")
        case = self._case_of(server, self.current or self.listing)
        argument = params.get("argument") or {}
        known = case.arguments.get(argument.get("name", ""))
        fits = known is not None and known.startswith(argument.get("value", ""))
        completion = {"values": [known] if fits else [], "hasMore": False}
        modern = {"resultType": "complete"} if revision >= MODERN else {}
        return {"completion": completion, **modern}

    def note(
        self, server: str, method: str, params: Mapping[str, Any], error: int | None = None
    ) -> None:
        """Record a request, without the protocol's own envelope (`_meta`)."""
        self.asked += 1
        self.record.append(
            {
                "server": server,
                "method": method,
                "params": without(params, "_meta"),
                "phase": self.phase,
                "error": error,
            }
        )

    def take(self) -> list[Json]:
        """The requests recorded since the last call."""
        taken, self.record = self.record, []
        return taken

    def _on_stage(self, server: str) -> bool:
        return self.listing is not None and (server == MAIN or server in self.listing.beside)

    def _case_of(self, server: str, case: Case | None) -> Case:
        """What a server offers in that case; another server's are the prompts of `beside`."""
        if case is None:
            raise RpcError(INVALID_PARAMS, "nothing is on stage")
        if server == MAIN:
            return case
        beside = case.beside.get(server) or {}
        return Case(
            title=server,
            revision=case.revision,
            prompt={"name": f"{server} offers none of its own"},
            messages=(),
            capabilities=beside.get("capabilities", {"prompts": {}}),
            pages=tuple(beside.get("pages", ({"prompts": []},))),
        )

    def _is_filler(self, name: object) -> bool:
        """Whether a name is listed, but none of what is invoked now."""
        case = self.current
        if case is not None:
            if case.error is not None and case.error["on"] == "prompts/get":
                return False
            offers = [o for page in (*case.pages, *(case.relist or ())) for o in page["prompts"]]
            if name in [case.prompt["name"] if o == "@" else o["prompt"]["name"] for o in offers]:
                return False
        listed = [*self.extra, *([self.listing.prompt] if self.listing else ())]
        return any(prompt["name"] == name for prompt in listed)
