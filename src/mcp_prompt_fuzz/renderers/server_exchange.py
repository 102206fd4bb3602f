"""Drivers with `accepts: server`: the lab's servers and model endpoint, and what these received."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from ..case import Case
from ..clients.environments import cache_folder
from ..formats import FormatError, check
from ..jsontypes import Json, canonical
from ..lab.host import Address, Lab, LabError, Taken
from ..lab.sandbox import Sandbox, reap_leftovers
from ..lab.stage import MAIN
from ..renderer import RendererUnavailable
from ..rendering import Breakage, Rendering, Request
from .driver import Connection
from .reply import decode_reply, garbage

_QUIET: Final = 0.05
"""Seconds without a request after which an announced change has been dealt with."""


class ServerExchange:
    """Puts each case on the lab's stage and lets the driver connect to it.

    The stage is set anew only where the listing differs from the one before, so that a driver may
    keep its connections. Raises `RendererUnavailable` where the lab can't run.
    """

    def __init__(self, revision: str, timeout: float) -> None:
        record = cache_folder() / "running"
        reap_leftovers(record)
        self._revision = revision
        self._timeout = timeout
        self._sandbox = Sandbox(record)
        self._staged: str | None = None
        self._servers: dict[str, Json] = {}
        self._listing: tuple[Json, ...] | None = None
        self._lists = True
        self._client: tuple[str, str] | None = None
        try:
            # The driver runs outside of any namespace, and so must what it connects to.
            self._lab = Lab(self._sandbox, isolate=False)
        except LabError as error:
            self._sandbox.close()
            raise RendererUnavailable(f"the lab could not be started: {error}") from None
        except BaseException:
            self._sandbox.close()
            raise

    @property
    def client(self) -> tuple[str, str] | None:
        return self._client

    def render(self, connection: Connection, case: Case, listed: Case) -> Rendering:
        try:
            return self._render(connection, case, listed)
        except LabError as error:
            raise RendererUnavailable(f"the lab was lost: {error}") from None

    def close(self) -> None:
        self._lab.close()
        self._sandbox.close()

    def _render(self, connection: Connection, case: Case, listed: Case) -> Rendering:
        asked: tuple[Request, ...] = ()
        staged = _listing_key(listed)
        if staged != self._staged or listed.relist is not None:
            asked = self._list(connection, listed)
            self._staged = staged
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
        if isinstance(reply, Breakage):
            rendering = Rendering(broke=reply)
            self._staged = None  # a driver that starts anew lists anew
        else:
            rendering = decode_reply(reply, lambda: _captured(taken))
        listing = self._listing if asked else None
        return replace(rendering, requests=asked + taken.requests, listing=listing)

    def _list(self, connection: Connection, listed: Case) -> tuple[Request, ...]:
        """Set the stage and have the driver list; what the servers were asked meanwhile."""
        addresses = self._lab.stage(listed, (), self._revision)
        self._servers = {name: _told(address) for name, address in addresses.items()}
        self._lab.serve(listed, "list")
        self._take()
        self._listing = self._shown(connection)
        if listed.relist is not None:
            self._lab.announce(listed.relist)
            self._lab.settle(_QUIET, self._timeout)
            self._listing = self._shown(connection)
        return self._take().requests

    def _shown(self, connection: Connection) -> tuple[Json, ...] | None:
        """What the driver's user would see; None from a driver that shows no listing.

        That a driver may answer `list` is all that the contract says: the first one that does not
        answer it is asked no more, whatever it does instead.
        """
        if not self._lists:
            return None
        reply = connection.exchange("list", {"servers": self._servers})
        if isinstance(reply, Breakage):
            self._lists = False
            return None
        try:
            check(reply, "line-listing")
        except FormatError:
            self._lists = False
            return None
        return tuple(reply["prompts"])

    def _take(self) -> Taken:
        taken = self._lab.take()
        self._client = taken.client or self._client
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
            case.beside,
            error,
            [earlier.prompt for earlier in case.before],
        ]
    )
