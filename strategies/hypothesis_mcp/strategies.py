"""The public strategies. Each draws plain JSON data, and takes the revision to draw it under."""

from collections.abc import Iterable
from typing import Any

from hypothesis import strategies as st

from hypothesis_mcp._blocks import grammar
from hypothesis_mcp._cases import draw_case
from hypothesis_mcp._prompts import Names
from hypothesis_mcp.revisions import NEWEST

__all__ = ["cases"]

Json = dict[str, Any]


def cases(  # noqa: PLR0913 - one switch for each thing that a harness may have to leave out
    revision: str = NEWEST,
    *,
    kinds: Iterable[str] | None = None,
    max_messages: int = 8,
    max_arguments: int = 12,
    listings: bool = True,
    names: Names = "odd",
    strict: bool = True,
    sandboxed: bool = False,
) -> st.SearchStrategy[Json]:
    """Cases of format ``mcp-prompt-case/1``."""
    rules = grammar(revision, None if kinds is None else frozenset(kinds), strict, sandboxed)

    @st.composite
    def case(draw: st.DrawFn) -> Json:
        return draw_case(
            draw,
            rules,
            names=names,
            listings=listings,
            max_messages=max_messages,
            max_arguments=max_arguments,
        )

    return case()
