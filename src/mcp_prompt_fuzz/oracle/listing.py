"""`list.*` and `errors`: what a client asks of the server besides the prompt itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..case import declared_arguments
from ..finding import Fault
from ..jsontypes import Json
from ..rendering import Request
from ..rules import EMPTY_CURSOR, basis_of
from ..serving import MODERN
from .found import Found
from .sight import Sight


def declares_prompts(sight: Sight) -> bool:
    """Whether the case's server says that it has prompts."""
    return "prompts" in sight.case.capabilities


def check_gated(sight: Sight) -> Iterator[Found]:
    """A prompts request to a server that declared none."""
    silent = {name for name, beside in sight.case.beside.items() if _declares_none(beside)}
    if not declares_prompts(sight):
        silent.add("main")
    for request in sight.rendering.requests or ():
        if request.server in silent and request.method.startswith("prompts/"):
            note = f"{request.method} is sent to a server that did not declare prompts"
            yield Found(Fault("list.gated"), note, grade=_grade(sight, "list.gated"))
            return


def _grade(sight: Sight, rule: str, aspect: str | None = None) -> str:
    """A broken MUST is worse than a broken SHOULD."""
    return "must" if basis_of(rule, aspect, sight.conditions.revision).kind == "must" else ""


def _declares_none(beside: Json) -> bool:
    return "prompts" not in beside.get("capabilities", {"prompts": {}})


def list_requests(sight: Sight, server: str = "main") -> list[Request]:
    """What the case's server was asked of its listing."""
    return [
        request
        for request in sight.rendering.requests or ()
        if request.method == "prompts/list" and request.server == server
    ]


def check_complete(sight: Sight) -> Iterator[Found]:
    """A page whose cursor was handed out and never asked for."""
    if sight.case.error is None or sight.case.error["on"] != "prompts/list":
        yield from _unfetched(sight, sight.case.pages, "main")
    for name, beside in sight.case.beside.items():
        yield from _unfetched(sight, beside.get("pages", ()), name)


def _unfetched(sight: Sight, pages: Sequence[Json], server: str) -> Iterator[Found]:
    asked = {request.params.get("cursor") for request in list_requests(sight, server)}
    if not asked:
        return
    for number, page in enumerate(pages[:-1], start=2):
        cursor = page["cursor"]
        if cursor == "" and sight.conditions.revision < MODERN:
            return  # whether an empty cursor ends the listing was not ruled before 2026-07-28
        if cursor not in asked:
            aspect = EMPTY_CURSOR if cursor == "" else None
            note = f"page {number} of the listing is never fetched"
            grade = _grade(sight, "list.complete", aspect)
            yield Found(Fault("list.complete", aspect=aspect), note, grade=grade)
            return


def is_listed(sight: Sight) -> bool:
    """Whether some page of the case's server lists the case's prompt."""
    pages = (*sight.case.pages, *(sight.case.relist or ()))
    return any("@" in page["prompts"] for page in pages)


def invoked(sight: Sight) -> bool:
    """Whether the case's own server was asked for the case's own prompt in the invocation."""
    return any(
        request.method == "prompts/get"
        and request.phase == "invoke"
        and request.server == "main"
        and request.params.get("name") == sight.case.prompt["name"]
        for request in sight.rendering.requests or ()
    )


def check_reachable(sight: Sight) -> Iterator[Found]:
    """A listed prompt that is invoked, and for which its server is never asked."""
    if not invoked(sight):
        name = sight.case.prompt["name"]
        asked = [
            f"{request.server}: {request.params.get('name')!r}"
            for request in sight.rendering.requests or ()
            if request.method == "prompts/get" and request.phase == "invoke"
        ]
        told = f"; instead: {', '.join(asked)}" if asked else ""
        yield Found(
            Fault("list.reachable"), f"the prompt {name!r} is listed and can't be had{told}"
        )


def check_described(sight: Sight) -> Iterator[Found]:
    """What a listing holds for its reader and does not show."""
    listing = sight.rendering.listing
    if listing is None:
        return
    prompt = sight.case.prompt
    shown = [
        entry
        for entry in listing
        if entry.get("name") == prompt["name"] and entry.get("server", "main") == "main"
    ]
    if not shown:
        return
    entry = shown[0]
    for member in ("title", "description"):
        if prompt.get(member) and not entry.get(member):
            note = f"the {member} of a prompt is not shown in the listing"
            yield Found(Fault("list.described", aspect=member), note)
    told = {a.get("name"): bool(a.get("required")) for a in entry.get("arguments") or ()}
    for argument in declared_arguments(prompt):
        if argument["name"] not in told:
            note = "the name of an argument is not shown in the listing"
            yield Found(Fault("list.described", aspect="arguments"), note)
            return
        if told[argument["name"]] != bool(argument.get("required")):
            note = "which arguments are required is not shown in the listing"
            yield Found(Fault("list.described", aspect="required"), note)
            return


def check_fresh(sight: Sight) -> Iterator[Found]:
    """A change was announced after the first listing, and the listing was not read again."""
    first_pages = [r for r in list_requests(sight) if r.params.get("cursor") is None]
    if len(first_pages) < 2 and all(request.phase == "list" for request in first_pages):
        yield Found(Fault("list.fresh"), "the listing is not read again once it has changed")


def error_was_answered(sight: Sight) -> bool:
    """Whether the case's server has an error to answer, and was asked for what it answers it to."""
    error = sight.case.error
    return error is not None and any(
        request.method == error["on"] and request.error == error["code"]
        for request in sight.rendering.requests or ()
    )


def check_errors(sight: Sight) -> Iterator[Found]:
    """The server answers an error, and the model is asked, or the user not told."""
    rendering = sight.rendering
    if rendering.sent and rendering.turns:
        note = "the server answers an error, and the model is asked as if all were well"
        yield Found(Fault("errors", aspect="sent"), note)
    elif rendering.error is None and not rendering.shown:
        note = "the server answers an error, and its user is shown nothing"
        yield Found(Fault("errors", aspect="silent"), note)
