"""The plainest definitions of a prompt: few, and the same in every reduction."""

from __future__ import annotations

from typing import Final

from ..case import Case
from ..jsontypes import Json

BARE: Final[Json] = {"name": "p"}
"""The plainest prompt of all."""


def _plain_prompt(names: str, required: str) -> Json:
    """A plain definition: its name says how many arguments there are, and which is required."""
    declared = [{"name": n, **({"required": True} if n in required else {})} for n in names]
    return {"name": f"p{len(names)}{'r' * len(required)}", "arguments": declared}


WITH_ARGUMENTS: Final = tuple(
    _plain_prompt(names, required) for names in ("a", "ab", "abc") for required in ("", names[-1])
)

PLAIN_NAMES: Final = frozenset(prompt["name"] for prompt in (BARE, *WITH_ARGUMENTS))


def plain_prompts() -> list[Case]:
    """The plain definitions that every reduction tries, each in a case that says nothing."""
    return [Case("", "", prompt, ()) for prompt in (BARE, *WITH_ARGUMENTS)]
