"""What came of a case: the transcript, what the user was shown, what the server saw."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from .jsontypes import Json
from .transcript import Transcript

BreakageKind: TypeAlias = Literal["exit", "hang", "garbage", "flood", "protocol", "exception"]


@dataclass(frozen=True, slots=True)
class Breakage:
    """The renderer failed as a program: it gave no rendering and no error for its user."""

    kind: BreakageKind
    detail: str


@dataclass(frozen=True, slots=True)
class Request:
    """One request that a server received.

    `phase` is `list` for what the renderer asked while it listed, `invoke` for what belongs to
    the user's invocation. `error` is the JSON-RPC error code that was answered, if any.
    """

    method: str
    params: Json
    server: str = "main"
    phase: Literal["list", "invoke"] = "invoke"
    error: int | None = None


@dataclass(frozen=True, slots=True)
class Rendering:
    """A renderer's answer to one case.

    At most one of `error` (shown to the user, nothing sent), `unsupported` (the invocation can't
    be expressed, and why) and `broke` is set, and `turns` is empty then. `requests` and `listing`
    are None where the lane can't see them. `ran` names the canaries whose effect was seen outside
    the transcript (a marker file, say). `dialect` is that of the provider request it was read from,
    if it was, and `provider_notes` are what that provider would reject.
    """

    turns: Transcript = ()
    shown: str = ""
    error: str | None = None
    unsupported: str | None = None
    broke: Breakage | None = None
    requests: tuple[Request, ...] | None = None
    listing: tuple[Json, ...] | None = None
    ran: tuple[str, ...] = ()
    dialect: str | None = field(default=None, compare=False)
    provider_notes: tuple[str, ...] = field(default=(), compare=False)

    @property
    def sent(self) -> bool:
        """Whether anything was meant for the model."""
        return self.error is None and self.unsupported is None and self.broke is None
