"""Plainer surroundings of the messages: the prompt, the listing, other servers, the history."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, Final

from ..case import Case
from ..jsontypes import Json, without
from .arguments import without_slots
from .parts import OPTIONAL, fewer_messages, plainer_parts
from .plain import BARE, PLAIN_NAMES
from .size import rank
from .texts import shorter

_OF_THE_LISTING: Final = ("pages", "relist", "beside", "capabilities")
_OF_THE_RESULT: Final = ("result", "error", "input", "edit")


def bare(case: Case) -> Iterator[Case]:
    """The plainest prompt and the defaults in the place of all optional members at once."""
    undressed = _undressed(case)
    messages = tuple(without_slots(message) for message in undressed.messages)
    yield replace(undressed, prompt=BARE, arguments={}, messages=messages)


def _undressed(case: Case) -> Case:
    plain = Case(case.title, case.revision, case.prompt, case.messages)
    return replace(
        plain,
        strict=case.strict,
        rule=case.rule,
        before=case.before,
        arguments=case.arguments,
        messages=tuple(_undressed_message(message) for message in case.messages),
    )


def plainer_surroundings(case: Case) -> Iterator[Case]:
    """The defaults in the place of optional members, and of those that make the listing."""
    yield _undressed(case)
    yield from _with_defaults(case, _OF_THE_LISTING)


def _with_defaults(case: Case, members: Iterable[str]) -> Iterator[Case]:
    plain = Case(case.title, case.revision, case.prompt, case.messages)
    for name in members:
        default = getattr(plain, name)
        if getattr(case, name) != default:
            yield replace(case, **{name: default})


def plainer_result(case: Case) -> Iterator[Case]:
    """The defaults in the place of what a result holds beside its messages; a plainer history."""
    yield replace(case, messages=tuple(_undressed_message(message) for message in case.messages))
    yield from _with_defaults(case, _OF_THE_RESULT)
    for member in case.result:
        yield replace(case, result=without(case.result, member))
    for index in range(len(case.before)):
        yield replace(case, before=case.before[:index] + case.before[index + 1 :])
    for index, earlier in enumerate(case.before):
        for smaller in (*fewer_messages(earlier), *plainer_parts(earlier)):
            if rank(smaller) < rank(earlier):
                history = (*case.before[:index], smaller, *case.before[index + 1 :])
                yield replace(case, before=history)


def _undressed_message(message: Json) -> Json:
    content = without(message["content"], *(m for m in OPTIONAL if m != "mimeType"))
    return {**message, "content": content}


def plainer_prompt(case: Case) -> Iterator[Case]:
    for member in ("title", "description", "icons", "_meta"):
        if member in case.prompt:
            yield replace(case, prompt=without(case.prompt, member))
    if case.prompt.get("arguments") == []:
        yield replace(case, prompt=without(case.prompt, "arguments"))
    for name in shorter(case.prompt["name"], plain="p"):
        if name and case.prompt["name"] not in PLAIN_NAMES:  # another one costs a new listing
            yield replace(case, prompt={**case.prompt, "name": name})
    for pages in _fewer_offers(case.pages):
        yield replace(case, pages=pages)
    for pages in _fewer_offers(case.relist or ()):
        yield replace(case, relist=pages)


def _fewer_offers(pages: tuple[Json, ...]) -> Iterator[tuple[Json, ...]]:
    """Without a page (the last one has no cursor, and stays), without one of the other prompts."""
    for index in range(len(pages) - 1):
        yield pages[:index] + pages[index + 1 :]
    for index, page in enumerate(pages):
        for offer in page["prompts"]:
            if offer != "@":
                fewer = {**page, "prompts": [o for o in page["prompts"] if o != offer]}
                yield (*pages[:index], fewer, *pages[index + 1 :])


def plainer_offers(case: Case) -> Iterator[Case]:
    """The other prompts of the listings without content, and names that are equal kept so."""

    def plainer(pages: Iterable[Json], names: dict[str, str]) -> tuple[Json, ...]:
        return tuple(
            {**page, "prompts": [_bare_offer(offer, names) for offer in page["prompts"]]}
            for page in pages
        )

    own = case.prompt["name"]
    for names in ({},) if own in PLAIN_NAMES else ({own: "p"}, {}):
        beside = {
            name: {**server, "pages": list(plainer(server.get("pages", ()), names))}
            for name, server in case.beside.items()
        }
        yield replace(
            case,
            prompt={**case.prompt, "name": names.get(own, own)},
            pages=plainer(case.pages, names),
            relist=None if case.relist is None else plainer(case.relist, names),
            beside=beside,
        )
    for name in case.beside:
        yield replace(case, beside=without(case.beside, name))
        if name != "b":
            yield replace(case, beside={"b": case.beside[name]})
        fewer = without(case.beside[name], "capabilities")
        yield replace(case, beside={**case.beside, name: fewer})


def _bare_offer(offer: Any, names: dict[str, str]) -> Any:
    if offer == "@":
        return offer
    name = offer["prompt"]["name"]
    return {"prompt": {"name": names.get(name, name)}, "messages": []}
