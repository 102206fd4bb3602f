"""Exit statuses, and what ends a command early (contract, "Command line")."""

from __future__ import annotations

from typing import Final

OK: Final = 0
FINDINGS: Final = 1
BAD_INPUT: Final = 2
NOT_RUN: Final = 3
INTERRUPTED: Final = 130


class CommandError(Exception):
    """Ends a command: one line that says what is wrong, and one that says what to do next."""

    def __init__(self, problem: str, next_step: str, status: int = BAD_INPUT) -> None:
        super().__init__(problem)
        self.problem = problem
        self.next_step = next_step
        self.status = status


def exit_status(
    *, interrupted: bool = False, not_run: bool = False, found: bool = False, bad: bool = False
) -> int:
    """The exit status: the first that holds of 130, 3, 1, 2, or 0."""
    if interrupted:
        return INTERRUPTED
    if not_run:
        return NOT_RUN
    if found:
        return FINDINGS
    return BAD_INPUT if bad else OK
