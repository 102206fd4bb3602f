"""The thing under test, as the harness sees it: whatever turns a case into a rendering."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias, runtime_checkable

from .case import Case
from .rendering import Rendering

Lane: TypeAlias = Literal["function", "driver", "client"]
"""How the renderer is reached: in process, by the line protocol, or as a real program."""

View: TypeAlias = Literal["result", "session", "server"]
"""What the renderer is handed, and so which rules can be observed (contract, "Rules")."""

Progress: TypeAlias = Callable[[str], None]
"""Told, in a few words, what is being done while the user waits."""


def quiet(_: str) -> None:
    """Nobody is told."""


@dataclass(frozen=True, slots=True)
class Identity:
    """Who was tested, for the run's record.

    `spec` is what the user named (without `@VERSION`); `client` is how the program introduced
    itself to the server, where it did. `revisions` is None where nothing is negotiated. `rules`
    are globs of the rules that the renderer can show. `isolation` says how a client process is
    kept from the network, None where there is no process of ours.
    """

    spec: str
    name: str
    version: str
    lane: Lane
    view: View
    client: tuple[str, str] | None = None
    revisions: tuple[str, ...] | None = None
    rules: tuple[str, ...] = ("*",)
    isolation: str | None = None
    sandboxed: bool = False


class RendererUnavailable(Exception):
    """The renderer could not be installed, started or reached (exit status 3).

    `next_step` tells the user what to do about it.
    """

    def __init__(self, problem: str, next_step: str) -> None:
        super().__init__(problem)
        self.problem = problem
        self.next_step = next_step


@runtime_checkable
class Renderer(Protocol):
    """What the campaign needs of a renderer. Never raises for what the renderer under test did:
    that is a `Rendering`. Raises `RendererUnavailable` once it is lost for good."""

    @property
    def identity(self) -> Identity: ...

    def prepare(self, cases: Iterable[Case]) -> None:
        """Learn which cases come next, so that their definitions can be published at once."""

    def render(self, case: Case) -> Rendering:
        """Render the case afresh: nothing is remembered here."""
        ...

    def close(self) -> None:
        """End every process and free every folder. May be called twice."""
