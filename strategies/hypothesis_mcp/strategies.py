"""The public strategies: each draws plain JSON data under one protocol revision.

All take the revision by its date. Where the prose of the specification is stricter than its schema
(base64, media types, URIs), what they draw obeys the prose; ``strict=False`` adds what is valid by
schema alone. ``sandboxed=True`` adds canaries that make or name a marker file, which only a client
in a sandbox should be sent. What cannot be drawn raises ``hypothesis.errors.InvalidArgument`` when
the strategy is made. Strategies keep nothing between draws; what they draw may be changed at will.
"""

from collections.abc import Iterable
from typing import Any, get_args

from hypothesis import strategies as st
from hypothesis.errors import InvalidArgument

from hypothesis_mcp._blocks import Grammar, draw_message, draw_messages, grammar
from hypothesis_mcp._cases import Bounds, draw_case
from hypothesis_mcp._draws import Draw, choices, pick
from hypothesis_mcp._edits import EDIT_KINDS, edit_of_kind, edits_of
from hypothesis_mcp._listings import draw_pages
from hypothesis_mcp._parameters import (
    kinds_asked,
    number,
    one_of,
    revision_asked,
    shown_as,
    switch,
)
from hypothesis_mcp._prompts import (
    DESCRIPTIONS,
    Names,
    draw_argument,
    draw_prompt,
)
from hypothesis_mcp.extras import fresh, metas
from hypothesis_mcp.revisions import NEWEST
from hypothesis_mcp.wire import finish_get_result, list_prompts_results

__all__ = [
    "cases",
    "content_blocks",
    "edits",
    "get_prompt_results",
    "listings",
    "prompt_arguments",
    "prompt_messages",
    "prompts",
]

Json = dict[str, Any]
Strategy = st.SearchStrategy[Json]


def _grammar(revision: str, kinds: Iterable[str] | None, strict: bool, sandboxed: bool) -> Grammar:
    asked = kinds_asked(revision, kinds)
    return grammar(revision, asked, switch("strict", strict), switch("sandboxed", sandboxed))


def _sizes(fewest: int, most: int) -> tuple[int, int]:
    number("min_messages", fewest, 0)
    number("max_messages", most, 1)
    if fewest > most:
        raise InvalidArgument(f"min_messages={fewest} is more than max_messages={most}")
    return fewest, most


def _names(revision: str, names: Names) -> Names:
    one_of("names", names, get_args(Names))
    revision_asked(revision)
    return names


def content_blocks(
    revision: str = NEWEST,
    *,
    kinds: Iterable[str] | None = None,
    strict: bool = True,
    sandboxed: bool = False,
) -> Strategy:
    """Content blocks as a prompt message holds them.

    ``kinds`` is a subset of `hypothesis_mcp.KINDS`; without it, all that the revision has.

    >>> from hypothesis import find
    >>> find(content_blocks(kinds=["resource_link"]), lambda block: True)
    {'type': 'resource_link', 'uri': 'pfz://a', 'name': 'a'}

    A dict: ``type`` and the members of that type under ``revision``, media as real minimal files
    in base64. Shrinks toward the text ``"a"``, or toward the first of ``kinds`` in `KINDS`'s order.
    """
    rules = _grammar(revision, kinds, strict, sandboxed)

    @shown_as(
        content_blocks,
        revision=revision,
        kinds=kinds and list(rules.kinds),
        strict=strict,
        sandboxed=sandboxed,
    )
    def block(draw: Draw) -> Json:
        content: Json = draw_message(draw, rules)["content"]
        return content

    return block


def prompt_messages(
    revision: str = NEWEST,
    *,
    kinds: Iterable[str] | None = None,
    strict: bool = True,
    sandboxed: bool = False,
) -> Strategy:
    """Messages of a prompt: a role and one content block (see `content_blocks`).

    >>> from hypothesis import find
    >>> find(prompt_messages(), lambda message: message["role"] == "assistant")
    {'role': 'assistant', 'content': {'type': 'text', 'text': 'a'}}
    """
    rules = _grammar(revision, kinds, strict, sandboxed)

    @shown_as(
        prompt_messages,
        revision=revision,
        kinds=kinds and list(rules.kinds),
        strict=strict,
        sandboxed=sandboxed,
    )
    def message(draw: Draw) -> Json:
        return draw_message(draw, rules)

    return message


def get_prompt_results(
    revision: str = NEWEST,
    *,
    kinds: Iterable[str] | None = None,
    min_messages: int = 0,
    max_messages: int = 8,
    strict: bool = True,
    sandboxed: bool = False,
) -> Strategy:
    """Results of ``prompts/get``, shrinking toward one short text from the user.

    Between ``min_messages`` and ``max_messages`` messages, none being valid, but rare. Under
    2026-07-28 the result names its ``resultType``.

    >>> from hypothesis import find
    >>> find(get_prompt_results("2025-06-18"), lambda result: True)
    {'messages': [{'role': 'user', 'content': {'type': 'text', 'text': 'a'}}]}
    """
    rules = _grammar(revision, kinds, strict, sandboxed)
    sizes = _sizes(min_messages, max_messages)
    menu = ("description", "_meta")

    @shown_as(
        get_prompt_results,
        revision=revision,
        kinds=kinds and list(rules.kinds),
        min_messages=min_messages,
        max_messages=max_messages,
        strict=strict,
        sandboxed=sandboxed,
    )
    def result(draw: Draw) -> Json:
        messages, _ = draw_messages(draw, rules, sizes, [])
        drawn: Json = {"messages": messages}
        for change in choices(draw, menu, 2):
            drawn[change] = (
                fresh(pick(draw, metas())) if change == "_meta" else pick(draw, DESCRIPTIONS)
            )
        return finish_get_result(drawn, revision)

    return result


def prompt_arguments(revision: str = NEWEST, *, names: Names = "odd") -> Strategy:
    """Definitions of one argument: ``name``, and what ``revision`` has besides.

    ``names="odd"`` also draws names that clients trip over (empty, with spaces, ``__proto__``, of
    other scripts: `hypothesis_mcp.names`); ``names="plain"`` keeps to single letters.

    >>> from hypothesis import find
    >>> find(prompt_arguments(), lambda argument: argument.get("required") is True)
    {'name': 'a', 'required': True}
    """
    _names(revision, names)

    @shown_as(prompt_arguments, revision=revision, names=names)
    def argument(draw: Draw) -> Json:
        return draw_argument(draw, revision, names)

    return argument


def prompts(revision: str = NEWEST, *, names: Names = "odd", max_arguments: int = 12) -> Strategy:
    """Definitions of one prompt, as a listing shows them, with up to ``max_arguments`` arguments.

    Names of arguments are unique in a prompt. ``names`` is as in `prompt_arguments`, and speaks of
    the prompt's own name, too.

    >>> from hypothesis import find
    >>> find(prompts(), lambda prompt: len(prompt.get("arguments", [])) == 1)
    {'name': 'p', 'arguments': [{'name': 'a'}]}
    """
    _names(revision, names)
    number("max_arguments", max_arguments, 0)

    @shown_as(
        prompts,
        revision=revision,
        names=names,
        max_arguments=max_arguments,
    )
    def prompt(draw: Draw) -> Json:
        return draw_prompt(draw, revision, names, max_arguments).prompt

    return prompt


def listings(
    revision: str = NEWEST, *, names: Names = "odd", max_pages: int = 8
) -> st.SearchStrategy[list[Json]]:
    """Listings: the results of ``prompts/list``, page by page.

    Each page but the last has a ``nextCursor``, all different; names are unique in a listing. Pages
    may be empty, exactly full, or hold more than a hundred prompts.

    >>> from hypothesis import find
    >>> find(listings("2025-06-18"), lambda pages: len(pages) == 2)
    [{'prompts': [], 'nextCursor': '1'}, {'prompts': []}]
    """
    _names(revision, names)
    number("max_pages", max_pages, 1)

    @shown_as(
        listings,
        revision=revision,
        names=names,
        max_pages=max_pages,
    )
    def pages(draw: Draw) -> list[Json]:
        drawn = draw_pages(draw, revision, names, None, lambda p: {"prompt": p}, max_pages)
        return list_prompts_results({"revision": revision}, drawn)

    return pages


def cases(  # noqa: PLR0913 - one switch for each thing that a harness may have to leave out
    revision: str = NEWEST,
    *,
    kinds: Iterable[str] | None = None,
    min_messages: int = 0,
    max_messages: int = 8,
    max_arguments: int = 12,
    listings: bool = True,
    names: Names = "odd",
    strict: bool = True,
    sandboxed: bool = False,
) -> Strategy:
    """Cases of format ``mcp-prompt-case/1``: what a server offers, and what a user asks for.

    ``listings`` draws pages, other prompts and other servers; ``names="plain"`` keeps to names that
    any client takes. With ``strict=False`` a case that breaks the prose has ``strict`` false.
    ``before`` and ``edit`` are never drawn (see `edits` for the latter).

    >>> from hypothesis import find
    >>> case = find(cases(), lambda case: "image" in case["title"])
    >>> case["prompt"], [message["content"]["type"] for message in case["messages"]]
    ({'name': 'p'}, ['image'])
    """
    rules = _grammar(revision, kinds, strict, sandboxed)
    bounds = Bounds(
        names=_names(revision, names),
        listings=switch("listings", listings),
        messages=_sizes(min_messages, max_messages),
        arguments=number("max_arguments", max_arguments, 0),
    )

    @shown_as(
        cases,
        revision=revision,
        kinds=kinds and list(rules.kinds),
        min_messages=min_messages,
        max_messages=max_messages,
        max_arguments=max_arguments,
        listings=listings,
        names=names,
        strict=strict,
        sandboxed=sandboxed,
    )
    def case(draw: Draw) -> Json:
        return draw_case(draw, rules, bounds)

    return case


def edits(
    revision: str = NEWEST,
    *,
    kinds: Iterable[str] | None = None,
    min_messages: int = 1,
    max_messages: int = 8,
    max_arguments: int = 12,
    names: Names = "odd",
    sandboxed: bool = False,
) -> Strategy:
    """Cases with an ``edit``: one change, as a JSON Patch on the case, and what it means.

    Both halves of the pair get all the way to the model: no errors, no missing arguments.

    >>> from hypothesis import find
    >>> find(edits(), lambda case: case["edit"]["kind"] == "role")["edit"]["patch"]
    [{'op': 'replace', 'path': '/messages/0/role', 'value': 'assistant'}]
    """
    rules = _grammar(revision, kinds, True, sandboxed)
    bounds = Bounds(
        names=_names(revision, names),
        listings=False,
        messages=_sizes(min_messages, max_messages),
        arguments=number("max_arguments", max_arguments, 0),
        smooth=True,
    )

    @shown_as(
        edits,
        revision=revision,
        kinds=kinds and list(rules.kinds),
        min_messages=min_messages,
        max_messages=max_messages,
        max_arguments=max_arguments,
        names=names,
        sandboxed=sandboxed,
    )
    def pair(draw: Draw) -> Json:
        case = draw_case(draw, rules, bounds)
        for argument in case["prompt"].get("arguments", ()):
            if argument.get("required"):
                case.setdefault("arguments", {}).setdefault(argument["name"], "x")
        wanted = draw.number(len(EDIT_KINDS))
        case["edit"] = pick(draw, edit_of_kind(edits_of(case), wanted))
        return case

    return pair
