"""The search for a smaller case: what was tried, and the best so far."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from ..case import Case
from .size import rank


class Search:
    """Keeps the smallest case that `shows` the fault, which `best` must do from the start.

    No case is tried twice, and none that a maintainer would not rather read; after so many `calls`
    no more is tried at all.
    """

    def __init__(self, best: Case, shows: Callable[[Case], bool], calls: int) -> None:
        self.best = best
        self._shows = shows
        self._calls = calls
        self._tried = {best.key}

    @property
    def goes_on(self) -> bool:
        """Whether anything may still be tried."""
        return self._calls > 0

    def takes(self, candidate: Case) -> bool:
        """Whether the candidate shows the fault and is smaller: it is the best one then."""
        if not self.goes_on or not self._is_new(candidate):
            return False
        self._tried.add(candidate.key)
        self._calls -= 1
        if not self._shows(candidate):
            return False
        self.best = candidate
        return True

    def exhaust(
        self,
        candidates: Callable[[Case], Iterator[Case]],
        coming: Callable[[list[Case]], None] | None = None,
    ) -> None:
        """Take what can be taken of the best case's candidates, then of the new best one's.

        `coming` is told of them before they are tried; of those with another name, since two
        definitions of one name can't stand beside each other.
        """
        while True:
            tried: Iterable[Case] = candidates(self.best)
            if coming is not None:
                tried = list(filter(self._is_new, tried))
                name = self.best.prompt["name"]
                coming([candidate for candidate in tried if candidate.prompt["name"] != name])
            if not any(map(self.takes, tried)):
                break

    def _is_new(self, candidate: Case) -> bool:
        return (
            candidate.key not in self._tried
            and _is_listed(candidate)
            and rank(candidate) < rank(self.best)
        )


def _is_listed(case: Case) -> bool:
    """Whether some page lists the case's prompt, as every case must."""
    return any("@" in page["prompts"] for page in (*case.pages, *(case.relist or ())))
