"""Fakes of whole clients: they list, let their user choose, invoke and render.

A faulty one overrides the one step in which it goes wrong.
"""

from __future__ import annotations

import shlex
from collections.abc import Hashable
from dataclasses import dataclass, replace

from mcp_prompt_fuzz.case import Case, required_names
from mcp_prompt_fuzz.jsontypes import Json
from mcp_prompt_fuzz.renderer import Renderer
from mcp_prompt_fuzz.rendering import Rendering
from mcp_prompt_fuzz.serving import RpcError

from .blocks import Shape, blocks_of
from .renderers import FakeRenderer, Refused, decoded
from .wire import MAIN, Wire


@dataclass(frozen=True)
class Offer:
    """A prompt that a client offers its user, and the server it is from."""

    server: str
    prompt: Json


class Client:
    """Asks each server that has prompts for all of them, and invokes by server and name."""

    def __init__(self, shape: Shape) -> None:
        self.shape = shape

    def __call__(self) -> Renderer:
        return FakeRenderer("server", self.answer)

    def answer(self, case: Case) -> Rendering:
        """What becomes of listing and invoking."""
        wire = Wire(case)
        offers: dict[Hashable, Offer] = {}
        try:
            self.read_listings(wire, offers)
            if wire.change():
                self.read_changed(wire, offers)
            wire.phase = "invoke"
            rendering = self.invoke(wire, case, offers)
        except RpcError as error:
            rendering = self.failed(error)
        except Refused as refusal:
            rendering = Rendering(error=str(refusal))
        listing = tuple(self.shown(offer) for offer in offers.values())
        return replace(rendering, requests=tuple(wire.asked), listing=listing)

    def read_listings(self, wire: Wire, offers: dict[Hashable, Offer]) -> None:
        """Fill `offers` with what the servers have."""
        for server, capabilities in wire.servers.items():
            if self.asks(capabilities):
                for prompt in self.read_pages(wire, server):
                    offer = Offer(server, prompt)
                    offers[self.key(offer)] = offer

    def read_changed(self, wire: Wire, offers: dict[Hashable, Offer]) -> None:
        """What is done once a server says that its listing has changed."""
        offers.clear()
        self.read_listings(wire, offers)

    def asks(self, capabilities: Json) -> bool:
        """Whether a server with those capabilities is asked for prompts."""
        return "prompts" in capabilities

    def read_pages(self, wire: Wire, server: str) -> list[Json]:
        """The prompts on every page."""
        page = wire.list(server)
        prompts: list[Json] = page["prompts"]
        while self.goes_on(page, prompts):
            page = wire.list(server, page["nextCursor"])
            prompts += page["prompts"]
        return prompts

    def goes_on(self, page: Json, prompts: list[Json]) -> bool:
        """Whether another page is asked for after this one."""
        return page.get("nextCursor") is not None

    def key(self, offer: Offer) -> Hashable:
        """By what the user chooses a prompt."""
        return (offer.server, offer.prompt["name"])

    def shown(self, offer: Offer) -> Json:
        """What the user sees of an offer."""
        return {"server": offer.server, **offer.prompt}

    def invoke(self, wire: Wire, case: Case, offers: dict[Hashable, Offer]) -> Rendering:
        """The user picks the case's prompt and gives its arguments."""
        offer = offers.get(self.key(Offer(MAIN, case.prompt)))
        if offer is None:
            raise Refused(f"there is no prompt {case.prompt['name']!r}")
        arguments = self.complete(offer, dict(case.arguments))
        result = wire.get(self.name_sent(offer), arguments, offer.server)
        return decoded(self.shape(blocks_of(result)))

    def complete(self, offer: Offer, given: Json) -> Json:
        """The arguments as they are sent. Raises `Refused` where one has yet to be given."""
        missing = sorted(required_names(offer.prompt) - set(given))
        if missing:
            raise Refused(f"please give a value for {missing[0]!r}")
        return given

    def name_sent(self, offer: Offer) -> str:
        """The name under which the server is asked."""
        name: str = offer.prompt["name"]
        return name

    def failed(self, error: RpcError) -> Rendering:
        """What becomes of an error that a server answers."""
        return Rendering(error=f"the server says: {error.message} ({error.code})")


class ClientWithACommandLine(Client):
    """Its user types a command, quoted as a shell wants it; the client takes it apart again."""

    def complete(self, offer: Offer, given: Json) -> Json:
        typed = " ".join(shlex.quote(word) for pair in given.items() for word in pair)
        words = shlex.split(typed)
        return super().complete(offer, dict(zip(words[::2], words[1::2], strict=True)))


class ClientWithoutAListing(Client):
    """Asks for the prompt that its user names, and for nothing else."""

    def answer(self, case: Case) -> Rendering:
        return replace(super().answer(case), listing=None)

    def read_listings(self, wire: Wire, offers: dict[Hashable, Offer]) -> None:
        if self.asks(wire.case.capabilities):
            own = Offer(MAIN, wire.case.prompt)
            offers[self.key(own)] = own

    def complete(self, offer: Offer, given: Json) -> Json:
        return given
