"""Drivers with `accepts: server`: the lab's servers and model endpoint, and what these received."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Final

from ..case import Case
from ..clients.environments import cache_folder
from ..clients.lab_environment import lab_python
from ..formats import FormatError, check
from ..jsontypes import Json, canonical
from ..lab.host import LAB_FAILED, Address, Lab, LabError, Taken
from ..lab.sandbox import Sandbox, reap_leftovers
from ..lab.stage import MAIN
from ..renderer import Progress, RendererUnavailable
from ..rendering import Breakage, Rendering, Request
from .driver import READY, Connection
from .reply import decode_reply, garbage

_QUIET: Final = 0.05
"""Seconds without a request after which an announced change has been dealt with."""


def open_server_exchange(revision: str, timeout: float, progress: Progress) -> ServerExchange:
    """An exchange with a lab of its own, which runs where the driver does: outside.

    Raises `RendererUnavailable` where the lab can't run.
    """
    python = lab_python(progress)
    record = cache_folder() / "running"
    reap_leftovers(record)
    with ExitStack() as opened:
        sandbox = Sandbox(record)
        opened.callback(sandbox.close)
        try:
            lab = Lab(sandbox, isolate=False, python=python)
        except LabError as error:
            raise RendererUnavailable(
                f"the lab could not be started: {error}", LAB_FAILED
            ) from None
        opened.callback(lab.close)
        return ServerExchange(lab, revision, timeout, opened.pop_all())


@dataclass(frozen=True, slots=True)
class _Seen:
    """What came of listing: what the user would see, or is told, and what the servers saw."""

    listing: tuple[Json, ...] | None = None
    error: str = ""
    broke: Breakage | None = None
    requests: tuple[Request, ...] = ()


class ServerExchange:
    """Puts each case on the lab's stage and lets the driver connect to it.

    The stage is set anew only where the listing differs from the one before, so that a driver may
    keep its connections; what was seen of a listing belongs to every rendering under it.
    `owned` is what ends with the exchange.
    """

    def __init__(
        self, lab: Lab, revision: str, timeout: float, owned: ExitStack | None = None
    ) -> None:
        self._lab = lab
        self._revision = revision
        self._timeout = timeout
        self._owned = owned
        self._staged: str | None = None
        self._servers: dict[str, Json] = {}
        self._seen = _Seen()
        self._lists = True
        self._client: tuple[str, str] | None = None
        self._negotiated: str | None = None

    @property
    def client(self) -> tuple[str, str] | None:
        """How the driver's MCP client introduced itself, once it did."""
        return self._client

    @property
    def negotiated(self) -> str | None:
        """The revision that the driver's MCP client settled for, once it did."""
        return self._negotiated

    @property
    def lists(self) -> bool:
        """Whether the driver is asked to list: until it breaks when it is met."""
        return self._lists

    def meet(self, connection: Connection) -> Breakage | None:
        """Have the driver list and render a plain prompt; how it broke, if it did.

        It is known after that which revision is negotiated, and whether `list` is answered at all,
        which a driver need not do: one that breaks upon it now is never asked again.
        """
        self._lists = True
        broke = self.render(connection, READY, READY).broke
        if broke is None or self._seen.broke is None:
            return broke
        self._lists = False
        self.render(connection, READY, READY)
        return broke

    def render(self, connection: Connection, case: Case, listed: Case) -> Rendering:
        """The rendering of `case`, which may be an earlier case of `listed`.

        Raises `RendererUnavailable` once the lab is lost.
        """
        try:
            return self._render(connection, case, listed)
        except LabError as error:
            raise RendererUnavailable(f"the lab was lost: {error}", LAB_FAILED) from None

    def close(self) -> None:
        """End what is owned. May be called twice."""
        if self._owned is not None:
            self._owned.close()

    def _render(self, connection: Connection, case: Case, listed: Case) -> Rendering:
        staged = _listing_key(listed)
        if staged != self._staged or listed.relist is not None:
            self._seen = self._list(connection, listed)
            self._staged = staged
        seen = self._seen
        if seen.broke is not None:
            self._staged = None  # a driver that starts anew lists anew
            return Rendering(broke=seen.broke, requests=seen.requests)
        self._lab.serve(case, "invoke")
        name, given = case.prompt["name"], case.arguments
        reply = connection.exchange(
            "render",
            {
                "servers": self._servers,
                "invoke": {"server": MAIN, "name": name, "arguments": given},
                "model": {"url": self._lab.model_url},
            },
        )
        taken = self._take()
        if taken.flooded:
            reply = Breakage("flood", "it sends more than anybody would read")
        if isinstance(reply, Breakage):
            rendering = Rendering(broke=reply)
            self._staged = None
        else:
            rendering = decode_reply(reply, lambda: _captured(taken))
        return replace(
            rendering,
            shown="\n".join(filter(None, (seen.error, rendering.shown))),
            requests=seen.requests + taken.requests,
            listing=seen.listing,
        )

    def _list(self, connection: Connection, listed: Case) -> _Seen:
        """Set the stage and have the driver list."""
        addresses = self._lab.stage(listed, (), self._revision)
        self._servers = {name: _told(address) for name, address in addresses.items()}
        self._lab.serve(listed, "list")
        self._take()
        seen = self._shown(connection)
        if listed.relist is not None and seen.broke is None:
            self._lab.announce(listed.relist)
            self._lab.settle(_QUIET, self._timeout)
            seen = self._shown(connection)
        requests = self._take().requests
        # Only what a server did not want to list is an error of its; a driver without a listing
        # may say so in the same way.
        failed = any(request.error is not None for request in requests)
        return replace(seen, error=seen.error if failed else "", requests=requests)

    def _shown(self, connection: Connection) -> _Seen:
        """What the driver's user would see: nothing, where it shows no listing."""
        if not self._lists:
            return _Seen()
        reply = connection.exchange("list", {"servers": self._servers})
        if isinstance(reply, Breakage):
            return _Seen(broke=reply)
        if "prompts" not in reply:
            error = reply.get("error")
            return _Seen(error=error if isinstance(error, str) else "")
        try:
            check(reply, "line-listing")
        except FormatError as error:
            return _Seen(broke=Breakage("garbage", f"list: {error}"))
        return _Seen(listing=tuple(reply["prompts"]))

    def _take(self) -> Taken:
        taken = self._lab.take()
        self._client = taken.client or self._client
        self._negotiated = taken.negotiated or self._negotiated
        return taken


def _captured(taken: Taken) -> Rendering:
    """What the model endpoint received first in this invocation."""
    if not taken.models:
        return garbage("reply: $.captured: the model endpoint received nothing")
    first = taken.models[0]
    return decode_reply({"dialect": first["dialect"], "body": first["body"]})


def _told(address: Address) -> Json:
    return {"url": address.url, "command": list(address.command)}


def _listing_key(case: Case) -> str:
    """Equal for cases that one listing serves: content is fetched at each invocation."""
    error = case.error if case.error and case.error["on"] == "prompts/list" else None
    return canonical(
        [
            case.prompt,
            case.capabilities,
            list(case.pages),
            case.relist and list(case.relist),
            case.beside,
            error,
            [earlier.prompt for earlier in case.before],
        ]
    )
