"""Faulty fakes of whole clients: listings, names, and arguments that are required."""

from __future__ import annotations

import re
from collections.abc import Hashable
from typing import Final

from mcp_prompt_fuzz.case import Case, required_names
from mcp_prompt_fuzz.jsontypes import Json, without
from mcp_prompt_fuzz.rendering import Rendering
from mcp_prompt_fuzz.serving import RpcError

from . import shapes_dialects as dialects
from . import shapes_messages as messages
from . import shapes_strings as strings
from .blocks import blocks_of
from .clients import Client, ClientWithACommandLine, ClientWithoutAListing, Offer
from .faulty import FaultyFake, asking, case, said
from .renderers import Refused, decoded
from .wire import Wire


class _AsksEveryServer(Client):
    def asks(self, capabilities: Json) -> bool:
        return True


class _InvokesOnAnyServer(ClientWithoutAListing):
    def asks(self, capabilities: Json) -> bool:
        return True


class _ReadsOnePage(Client):
    def goes_on(self, page: Json, prompts: list[Json]) -> bool:
        return False


class _StopsAtAnEmptyPage(Client):
    def goes_on(self, page: Json, prompts: list[Json]) -> bool:
        return bool(page["prompts"]) and super().goes_on(page, prompts)


class _TakesAnEmptyCursorForTheEnd(Client):
    def goes_on(self, page: Json, prompts: list[Json]) -> bool:
        return bool(page.get("nextCursor"))


class _CleansNames(Client):
    def key(self, offer: Offer) -> Hashable:
        return (offer.server, re.sub(r"\W", "_", offer.prompt["name"]))


class _KeepsTheFirstOfCleanNames(_CleansNames):
    def read_pages(self, wire: Wire, server: str) -> list[Json]:
        return super().read_pages(wire, server)[::-1]


class _KnowsNamesOnly(Client):
    def key(self, offer: Offer) -> Hashable:
        return str(offer.prompt["name"])


class _LowercasesNames(Client):
    def name_sent(self, offer: Offer) -> str:
        return super().name_sent(offer).lower()


class _SendsTheFirstWordOfNames(ClientWithACommandLine):
    def name_sent(self, offer: Offer) -> str:
        name = super().name_sent(offer)
        return name.split(" ")[0]


class _HidesDescriptions(Client):
    def shown(self, offer: Offer) -> Json:
        return without(super().shown(offer), "description")


class _HidesWhatIsRequired(Client):
    def shown(self, offer: Offer) -> Json:
        entry = super().shown(offer)
        arguments = [without(a, "required") for a in entry.get("arguments") or ()]
        return {**entry, "arguments": arguments}


class _NeverReadsAgain(Client):
    def read_changed(self, wire: Wire, offers: dict[Hashable, Offer]) -> None:
        """Nothing is done."""


class _ForgetsOnChange(ClientWithACommandLine):
    def read_changed(self, wire: Wire, offers: dict[Hashable, Offer]) -> None:
        offers.clear()


class _FillsInWhatIsRequired(Client):
    def complete(self, offer: Offer, given: Json) -> Json:
        return {**dict.fromkeys(sorted(required_names(offer.prompt) - set(given)), ""), **given}


class _TellsTheModelWhatIsMissing(Client):
    def invoke(self, wire: Wire, case: Case, offers: dict[Hashable, Offer]) -> Rendering:
        try:
            return super().invoke(wire, case, offers)
        except Refused as refusal:
            if "please give" not in str(refusal):
                raise
            return decoded(self.shape(blocks_of({"messages": [said(str(refusal))]})))


class _SwapsTwoValues(Client):
    def complete(self, offer: Offer, given: Json) -> Json:
        names, values = list(super().complete(offer, given)), list(given.values())
        values[:2] = reversed(values[:2])
        return dict(zip(names, values, strict=True))


class _SwallowsErrors(Client):
    def failed(self, error: RpcError) -> Rendering:
        return Rendering()


def _other(name: str) -> Json:
    return {"prompt": {"name": name}, "messages": []}


_TWO_PAGES: Final = ({"prompts": [], "cursor": "c"}, {"prompts": ["@"]})

GATED: Final[dict[str, FaultyFake]] = {
    "asks_every_server": FaultyFake(
        _AsksEveryServer(messages.merged_neighbours), "list.gated", case(capabilities={})
    ),
    "invokes_on_any_server": FaultyFake(
        _InvokesOnAnyServer(strings.tagged_roles), "list.gated", case(capabilities={})
    ),
}
"""Each asks a server that declared no prompts."""

PAGES: Final[dict[str, FaultyFake]] = {
    "reads_one_page": FaultyFake(
        _ReadsOnePage(messages.merged_neighbours), "list.complete", case(pages=_TWO_PAGES)
    ),
    "stops_at_an_empty_page": FaultyFake(
        _StopsAtAnEmptyPage(dialects.openai_chat), "list.complete", case(pages=_TWO_PAGES)
    ),
    "takes_an_empty_cursor_for_the_end": FaultyFake(
        _TakesAnEmptyCursorForTheEnd(messages.one_part_a_message),
        "list.complete",
        case(pages=({"prompts": [], "cursor": ""}, {"prompts": ["@"]})),
        ("empty cursor",),
    ),
}
"""Each misses pages."""

NAMES: Final[dict[str, FaultyFake]] = {
    "cleans_names_into_one": FaultyFake(
        _CleansNames(messages.merged_neighbours),
        "list.reachable",
        case(prompt={"name": "a-b"}, pages=({"prompts": ["@", _other("a_b")]},)),
    ),
    "cleans_names_and_keeps_the_first": FaultyFake(
        _KeepsTheFirstOfCleanNames(strings.tagged_roles),
        "list.reachable",
        case(prompt={"name": "a-b"}, pages=({"prompts": [_other("a_b"), "@"]},)),
    ),
    "knows_names_only": FaultyFake(
        _KnowsNamesOnly(dialects.openai_chat),
        "list.reachable",
        case(beside={"b": {"pages": [{"prompts": [_other("p")]}]}}),
    ),
    "lowercases_names": FaultyFake(
        _LowercasesNames(strings.tagged_roles), "list.reachable", case(prompt={"name": "A"})
    ),
    "sends_the_first_word_of_names": FaultyFake(
        _SendsTheFirstWordOfNames(messages.one_part_a_message),
        "list.reachable",
        case(prompt={"name": "a b"}),
    ),
}
"""Each can't invoke some prompts."""

SHOWN: Final[dict[str, FaultyFake]] = {
    "hides_descriptions": FaultyFake(
        _HidesDescriptions(messages.merged_neighbours),
        "list.described",
        case(prompt={"name": "p", "description": "A"}),
        ("description",),
    ),
    "hides_what_is_required": FaultyFake(
        _HidesWhatIsRequired(strings.tagged_roles),
        "list.described",
        case(prompt={"name": "p", "arguments": [{"name": "a", "required": True}]}),
        ("required",),
    ),
    "never_reads_again": FaultyFake(
        _NeverReadsAgain(messages.merged_neighbours),
        "list.fresh",
        case(relist=({"prompts": ["@"]},)),
    ),
    "forgets_on_change": FaultyFake(
        _ForgetsOnChange(messages.one_part_a_message),
        "list.fresh",
        case(relist=({"prompts": ["@"]},)),
    ),
}
"""Each shows its user too little, or what is out of date."""

REQUIRED: Final[dict[str, FaultyFake]] = {
    "fills_in_what_is_required": FaultyFake(
        _FillsInWhatIsRequired(messages.merged_neighbours),
        "arguments.required",
        asking("a", required=["a"], messages=[said("a")]),
    ),
    "tells_the_model_what_is_missing": FaultyFake(
        _TellsTheModelWhatIsMissing(dialects.openai_chat),
        "arguments.required",
        asking("a", required=["a"]),
    ),
    "swaps_two_values": FaultyFake(
        _SwapsTwoValues(messages.merged_neighbours),
        "arguments.named",
        asking("a", "b", given={"a": "x", "b": "y"}),
    ),
    "swallows_errors": FaultyFake(
        _SwallowsErrors(messages.merged_neighbours),
        "errors",
        case(error={"on": "prompts/get", "code": 0, "message": "e"}),
        ("silent",),
    ),
}
"""Each goes wrong between the prompt's definition and its result."""

FAULTS: Final = {**GATED, **PAGES, **NAMES, **SHOWN, **REQUIRED}
