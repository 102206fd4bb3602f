"""Requests to model providers, read back into transcripts. Pure: no I/O.

    decoded = decode("openai.chat", {"messages": [{"role": "user", "content": "hello"}]})
    decoded.turns, decoded.notes

System prompts are turns with role `system`. Data URIs become native media. What the provider
would reject is decoded as far as it goes and noted (rule `provider`). Members that a dialect does
not know are ignored.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from mcp_prompt_fuzz.jsontypes import Json

from . import anthropic_messages, gemini_contents, ollama_chat, openai_chat, openai_responses
from .decoded import Decoded, DialectError

__all__ = ["DIALECTS", "Decoded", "DialectError", "decode"]

DIALECTS: Final[Mapping[str, Callable[[Json], Decoded]]] = {
    "openai.chat": openai_chat.decode,
    "openai.responses": openai_responses.decode,
    "anthropic.messages": anthropic_messages.decode,
    "gemini.contents": gemini_contents.decode,
    "ollama.chat": ollama_chat.decode,
}
"""Each dialect's decoder by the name that the contract gives it."""


def decode(dialect: str, body: Any) -> Decoded:
    """The transcript that a provider request holds. Raises `DialectError`."""
    decoder = DIALECTS.get(dialect)
    if decoder is None:
        raise DialectError(f"unknown dialect {dialect!r}; known: {', '.join(DIALECTS)}")
    if not isinstance(body, dict):
        raise DialectError(f"{dialect}: the body is not a JSON object")
    try:
        return decoder(body)
    except DialectError as problem:
        raise DialectError(f"{dialect}: {problem}") from None
