"""A case's servers as a client meets them: what is asked is answered by `serving`, and kept."""

from __future__ import annotations

from typing import Literal

from mcp_prompt_fuzz.case import NEWEST_REVISION, Case
from mcp_prompt_fuzz.jsontypes import Json
from mcp_prompt_fuzz.rendering import Request
from mcp_prompt_fuzz.serving import RpcError, get_prompt, list_prompts

MAIN = "main"


class Wire:
    """Every server of one case. `asked` is what they were asked, in order."""

    def __init__(self, case: Case, revision: str = NEWEST_REVISION) -> None:
        self.case = case
        self.revision = revision
        self.asked: list[Request] = []
        self.phase: Literal["list", "invoke"] = "list"
        self._pages = case.pages

    @property
    def servers(self) -> dict[str, Json]:
        """The capabilities of each server, by its name."""
        declared = {MAIN: self.case.capabilities}
        for name, beside in self.case.beside.items():
            declared[name] = beside.get("capabilities", {"prompts": {}})
        return declared

    def change(self) -> bool:
        """Let the listing change, where the case says so; whether a change is announced."""
        if self.case.relist is None:
            return False
        self._pages = self.case.relist
        return True

    def list(self, server: str = MAIN, cursor: str | None = None) -> Json:
        """One page of a server's listing. Raises `RpcError`."""
        params: Json = {} if cursor is None else {"cursor": cursor}
        return self._ask("prompts/list", params, server)

    def get(self, name: str, arguments: Json, server: str = MAIN) -> Json:
        """A prompt's result, after an input round where the server wants one. Raises `RpcError`."""
        params: Json = {"name": name, "arguments": arguments}
        result = self._ask("prompts/get", params, server)
        if result.get("resultType") == "input_required":
            answered: Json = {"requestState": result.get("requestState"), "inputResponses": {}}
            result = self._ask("prompts/get", {**params, **answered}, server)
        return result

    def _ask(self, method: str, params: Json, server: str) -> Json:
        try:
            result = self._answer(method, params, server)
        except RpcError as error:
            self.asked.append(Request(method, params, server, self.phase, error.code))
            raise
        self.asked.append(Request(method, params, server, self.phase))
        return result

    def _answer(self, method: str, params: Json, server: str) -> Json:
        case, pages = self.case, self._pages
        if server != MAIN:
            beside = case.beside[server]
            pages = tuple(beside.get("pages", ({"prompts": []},)))
            # No prompt of another server is the case's own.
            case = Case("", case.revision, {"name": "\0"}, (), pages=pages)
        if method == "prompts/list":
            return list_prompts(case, params, revision=self.revision, pages=pages)
        return get_prompt(case, params, revision=self.revision)
