"""The built-in renderers: `text-only`, a deliberately lossy sample; `reference`, the control."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final

from .. import reference
from ..case import Case
from ..renderer import Identity
from ..rendering import Rendering, Request
from ..serving import RpcError, get_prompt

if TYPE_CHECKING:
    from mcp import ClientSession

TEXT_ONLY: Final = "text-only"
REFERENCE: Final = "reference"
VERSION: Final = "1"


async def text_only(session: ClientSession, name: str, arguments: dict[str, str]) -> str:
    """Joins a prompt's texts with newlines, and drops the rest as many clients do.

    Every other part becomes an empty string, and the i-th value goes to the i-th declared name.
    """
    declared = await _declared(session, name)
    given = dict(zip(declared, arguments.values(), strict=False))
    result = await session.get_prompt(name, given)
    return "\n".join(
        message.content.text if message.content.type == "text" else ""
        for message in result.messages
    )


async def _declared(session: ClientSession, name: str) -> list[str]:
    """The argument names that the server declares for the prompt, from whichever page lists it."""
    from mcp.types import PaginatedRequestParams  # noqa: PLC0415 - loaded only by those who use it

    cursor: str | None = None
    while True:
        params = None if cursor is None else PaginatedRequestParams(cursor=cursor)
        page: Any = await session.list_prompts(params=params)
        for prompt in page.prompts:
            if prompt.name == name:
                return [argument.name for argument in prompt.arguments or ()]
        # SDK 1.x spells it as the wire does, 2.x as Python does.
        cursor = page.nextCursor if hasattr(page, "nextCursor") else page.next_cursor
        if cursor is None:
            return []


class ReferenceRenderer:
    """Renders everything, and asks the server as a perfect client would."""

    def __init__(self, *, revision: str) -> None:
        self._revision = revision

    @property
    def identity(self) -> Identity:
        return Identity(REFERENCE, REFERENCE, VERSION, lane="function", view="session")

    def prepare(self, cases: Iterable[Case]) -> None:
        """Nothing to do."""

    def render(self, case: Case) -> Rendering:
        params = {"name": case.prompt["name"], "arguments": dict(case.arguments)}
        try:
            get_prompt(case, params, revision=self._revision)
        except RpcError as error:
            asked = Request("prompts/get", params, error=error.code)
            return Rendering(error=error.message, requests=(asked,))
        return Rendering(turns=reference.expected(case), requests=(Request("prompts/get", params),))

    def close(self) -> None:
        """Nothing to do."""
