"""Plainer surroundings of the messages: the prompt, the listing, other servers, the history."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from ..case import Case
from ..jsontypes import Json, without
from .arguments import without_slots
from .parts import OPTIONAL, fewer_messages, plainer_parts
from .size import rank
from .texts import shorter


def bare(case: Case) -> Iterator[Case]:
    """The defaults in the place of optional members, all at once and one by one."""
    plain = Case(case.title, case.revision, case.prompt, case.messages)
    kept: dict[str, Any] = {"strict": case.strict, "rule": case.rule, "before": case.before}
    undressed = tuple(_undressed(message) for message in case.messages)
    yield replace(
        plain,
        **kept,
        prompt={"name": "p"},
        messages=tuple(without_slots(message) for message in undressed),
    )
    yield replace(plain, **kept, arguments=case.arguments, messages=undressed)
    for name in ("result", "pages", "relist", "beside", "capabilities", "error", "input", "edit"):
        default = getattr(plain, name)
        if getattr(case, name) != default:
            yield replace(case, **{name: default})
    for member in case.result:
        yield replace(case, result=without(case.result, member))
    for index in range(len(case.before)):
        yield replace(case, before=case.before[:index] + case.before[index + 1 :])
    for index, earlier in enumerate(case.before):
        for smaller in (*fewer_messages(earlier), *plainer_parts(earlier)):
            if rank(smaller) < rank(earlier):
                history = (*case.before[:index], smaller, *case.before[index + 1 :])
                yield replace(case, before=history)


def _undressed(message: Json) -> Json:
    content = without(message["content"], *(m for m in OPTIONAL if m != "mimeType"))
    return {**message, "content": content}


def plainer_prompt(case: Case) -> Iterator[Case]:
    for member in ("title", "description", "icons", "_meta"):
        if member in case.prompt:
            yield replace(case, prompt=without(case.prompt, member))
    if case.prompt.get("arguments") == []:
        yield replace(case, prompt=without(case.prompt, "arguments"))
    for name in shorter(case.prompt["name"], plain="p"):
        if name:
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
    for names in ({own: "p"}, {}):
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
