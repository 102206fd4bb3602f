"""The strategies, drawing models of the installed MCP SDK (``mcp`` 1.x or 2.x).

Same names and parameters as in `hypothesis_mcp`; the data goes through the SDK's own validation,
so attributes are named as the installed version names them (``mimeType`` in 1.x, ``mime_type`` in
2.x). Importing this module needs the SDK; nothing else in the package does.

>>> from hypothesis import given
>>> from hypothesis_mcp import sdk
>>> @given(sdk.get_prompt_results(kinds=["text"], max_messages=2))
... def test_texts_alone(result):
...     assert all(message.content.type == "text" for message in result.messages)
>>> test_texts_alone()
"""

from collections.abc import Iterable
from typing import Any, Final

import mcp.types as t
from hypothesis import strategies as st
from pydantic import TypeAdapter

from hypothesis_mcp import strategies as plain
from hypothesis_mcp._prompts import Names
from hypothesis_mcp.revisions import REVISIONS

__all__ = [
    "SDK_REVISION",
    "content_blocks",
    "get_prompt_results",
    "listings",
    "prompt_arguments",
    "prompt_messages",
    "prompts",
]

SDK_REVISION: Final = max(
    (revision for revision in REVISIONS if revision <= t.LATEST_PROTOCOL_VERSION),
    default=REVISIONS[0],
)
"""The newest revision that the installed SDK speaks: the default of everything here."""

_BLOCKS: Final[TypeAdapter[Any]] = TypeAdapter(t.ContentBlock)


def content_blocks(
    revision: str = SDK_REVISION,
    *,
    kinds: Iterable[str] | None = None,
    strict: bool = True,
    sandboxed: bool = False,
) -> st.SearchStrategy[t.ContentBlock]:
    """Content blocks, as the SDK's classes for each kind; see `hypothesis_mcp.content_blocks`."""
    blocks = plain.content_blocks(revision, kinds=kinds, strict=strict, sandboxed=sandboxed)
    return blocks.map(_BLOCKS.validate_python)


def prompt_messages(
    revision: str = SDK_REVISION,
    *,
    kinds: Iterable[str] | None = None,
    strict: bool = True,
    sandboxed: bool = False,
) -> st.SearchStrategy[t.PromptMessage]:
    """``PromptMessage``; see `hypothesis_mcp.prompt_messages`."""
    messages = plain.prompt_messages(revision, kinds=kinds, strict=strict, sandboxed=sandboxed)
    return messages.map(t.PromptMessage.model_validate)


def get_prompt_results(
    revision: str = SDK_REVISION,
    *,
    kinds: Iterable[str] | None = None,
    min_messages: int = 0,
    max_messages: int = 8,
    strict: bool = True,
    sandboxed: bool = False,
) -> st.SearchStrategy[t.GetPromptResult]:
    """``GetPromptResult``; see `hypothesis_mcp.get_prompt_results`."""
    results = plain.get_prompt_results(
        revision,
        kinds=kinds,
        min_messages=min_messages,
        max_messages=max_messages,
        strict=strict,
        sandboxed=sandboxed,
    )
    return results.map(t.GetPromptResult.model_validate)


def prompt_arguments(
    revision: str = SDK_REVISION, *, names: Names = "odd"
) -> st.SearchStrategy[t.PromptArgument]:
    """``PromptArgument``; see `hypothesis_mcp.prompt_arguments`."""
    arguments = plain.prompt_arguments(revision, names=names)
    return arguments.map(t.PromptArgument.model_validate)


def prompts(
    revision: str = SDK_REVISION, *, names: Names = "odd", max_arguments: int = 12
) -> st.SearchStrategy[t.Prompt]:
    """``Prompt``; see `hypothesis_mcp.prompts`."""
    definitions = plain.prompts(revision, names=names, max_arguments=max_arguments)
    return definitions.map(t.Prompt.model_validate)


def _results(pages: list[dict[str, Any]]) -> list[t.ListPromptsResult]:
    return [t.ListPromptsResult.model_validate(page) for page in pages]


def listings(
    revision: str = SDK_REVISION, *, names: Names = "odd", max_pages: int = 8
) -> st.SearchStrategy[list[t.ListPromptsResult]]:
    """Pages of ``ListPromptsResult``; see `hypothesis_mcp.listings`."""
    return plain.listings(revision, names=names, max_pages=max_pages).map(_results)
