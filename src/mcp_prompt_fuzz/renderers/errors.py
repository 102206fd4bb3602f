"""What can be wrong with the renderer that a user named, and how its own words are shown."""

from __future__ import annotations

from ..formats import shortened


class UsageError(ValueError):
    """The renderer was named in a way that nothing answers to (exit status 2).

    `next_step` tells the user what to say instead.
    """

    def __init__(self, problem: str, next_step: str) -> None:
        super().__init__(problem)
        self.problem = problem
        self.next_step = next_step


def last_words(output: bytes, length: int = 400) -> str:
    """The end of what a program printed, safe for a terminal; empty if it printed nothing."""
    text = output.decode("utf-8", "replace").strip()
    return shortened(text[-length:] if len(text) > length else text, length * 2)
