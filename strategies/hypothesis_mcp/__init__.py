"""Hypothesis strategies for the prompts of the Model Context Protocol.

Import what your tests need, and give it to ``@given``:

>>> from hypothesis import given
>>> from hypothesis_mcp import get_prompt_results
>>> @given(get_prompt_results(revision="2025-06-18"))
... def test_every_message_has_a_role(result):
...     assert all(message["role"] in {"user", "assistant"} for message in result["messages"])
>>> test_every_message_has_a_role()

Everything drawn is plain JSON data that the official schema of the revision accepts;
`hypothesis_mcp.sdk` has the same strategies for models of the installed MCP SDK. Nothing drawn can
make a client run or read anything, outside a fixed list of harmless canaries
(`hypothesis_mcp.canaries`).
"""

from hypothesis_mcp.revisions import KINDS, NEWEST, REVISIONS
from hypothesis_mcp.strategies import (
    cases,
    content_blocks,
    edits,
    get_prompt_results,
    listings,
    prompt_arguments,
    prompt_messages,
    prompts,
)

__all__ = [
    "KINDS",
    "NEWEST",
    "REVISIONS",
    "cases",
    "content_blocks",
    "edits",
    "get_prompt_results",
    "listings",
    "prompt_arguments",
    "prompt_messages",
    "prompts",
]
