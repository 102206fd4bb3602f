"""The public strategies: each draws plain JSON data under one protocol revision.

All take the revision by its date. Where the prose of the specification is stricter than its schema
(base64, media types, URIs), what they draw obeys the prose; ``strict=False`` adds what is valid by
schema alone. ``sandboxed=True`` adds canaries that make or name a marker file, which only a client
in a sandbox should be sent.
"""

from collections.abc import Iterable
from typing import Any

from hypothesis import strategies as st

from hypothesis_mcp._blocks import Grammar, draw_block, draw_message, draw_messages, grammar
from hypothesis_mcp._cases import Bounds, draw_case
from hypothesis_mcp._draws import Draw, choices, pick
from hypothesis_mcp._edits import EDIT_KINDS, edit_of_kind, edits_of
from hypothesis_mcp._listings import draw_pages
from hypothesis_mcp._prompts import (
    DESCRIPTIONS,
    FORMS,
    Names,
    draw_argument,
    draw_arguments,
    draw_prompt,
)
from hypothesis_mcp.extras import fresh, metas
from hypothesis_mcp.revisions import NEWEST, check_revision
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
    return grammar(revision, None if kinds is None else frozenset(kinds), strict, sandboxed)


def _sizes(fewest: int, most: int) -> tuple[int, int]:
    if not 0 <= fewest <= most or most < 1:
        raise ValueError(f"no number of messages lies between {fewest} and {most}")
    return fewest, most


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

    Raises ``ValueError`` for an unknown revision, or a kind that it doesn't have.
    """
    rules = _grammar(revision, kinds, strict, sandboxed)

    @st.composite
    def block(hypothesis_draw: st.DrawFn) -> Json:
        draw = Draw(hypothesis_draw)
        kind, _ = pick(draw, rules.heads)
        return draw_block(draw, rules, kind, [])[0]

    return block()


def prompt_messages(
    revision: str = NEWEST,
    *,
    kinds: Iterable[str] | None = None,
    strict: bool = True,
    sandboxed: bool = False,
) -> Strategy:
    """Messages of a prompt: a role and one content block.

    >>> from hypothesis import find
    >>> find(prompt_messages(), lambda message: message["role"] == "assistant")
    {'role': 'assistant', 'content': {'type': 'text', 'text': 'a'}}
    """
    rules = _grammar(revision, kinds, strict, sandboxed)

    @st.composite
    def message(hypothesis_draw: st.DrawFn) -> Json:
        draw = Draw(hypothesis_draw)
        kind, role = pick(draw, rules.heads)
        return draw_message(draw, rules, kind, role, [])[0]

    return message()


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

    >>> from hypothesis import find
    >>> find(get_prompt_results("2025-06-18"), lambda result: True)
    {'messages': [{'role': 'user', 'content': {'type': 'text', 'text': 'a'}}]}
    """
    rules = _grammar(revision, kinds, strict, sandboxed)
    sizes = _sizes(min_messages, max_messages)
    menu = ("description", "_meta")

    @st.composite
    def result(hypothesis_draw: st.DrawFn) -> Json:
        draw = Draw(hypothesis_draw)
        messages, _ = draw_messages(draw, rules, sizes, [])
        drawn: Json = {"messages": messages}
        for change in choices(draw, menu, 2):
            drawn[change] = (
                fresh(pick(draw, metas())) if change == "_meta" else pick(draw, DESCRIPTIONS)
            )
        return finish_get_result(drawn, revision)

    return result()


def prompt_arguments(revision: str = NEWEST, *, names: Names = "odd") -> Strategy:
    """Definitions of one argument; ``names`` says whether its name may be an odd one.

    >>> from hypothesis import find
    >>> find(prompt_arguments(), lambda argument: argument.get("required") is True)
    {'name': 'a', 'required': True}
    """
    check_revision(revision)

    @st.composite
    def argument(hypothesis_draw: st.DrawFn) -> Json:
        draw = Draw(hypothesis_draw)
        return draw_argument(draw, revision, names, pick(draw, FORMS), [])[0]

    return argument()


def prompts(revision: str = NEWEST, *, names: Names = "odd", max_arguments: int = 12) -> Strategy:
    """Definitions of one prompt, as a listing shows them.

    >>> from hypothesis import find
    >>> find(prompts(), lambda prompt: len(prompt.get("arguments", [])) == 1)
    {'name': 'p', 'arguments': [{'name': 'a'}]}
    """
    check_revision(revision)

    @st.composite
    def prompt(hypothesis_draw: st.DrawFn) -> Json:
        draw = Draw(hypothesis_draw)
        asked = draw_arguments(draw, revision, names, max_arguments)
        return draw_prompt(draw, revision, names, asked.declared)

    return prompt()


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
    check_revision(revision)

    @st.composite
    def pages(hypothesis_draw: st.DrawFn) -> list[Json]:
        draw = Draw(hypothesis_draw)
        drawn = draw_pages(draw, revision, names, None, lambda p: {"prompt": p}, max_pages)
        return list_prompts_results({"revision": revision}, drawn)

    return pages()


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
    bounds = Bounds(names, listings, _sizes(min_messages, max_messages), max_arguments)

    @st.composite
    def case(hypothesis_draw: st.DrawFn) -> Json:
        draw = Draw(hypothesis_draw)
        return draw_case(draw, rules, bounds)

    return case()


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
    sizes = _sizes(min_messages, max_messages)
    bounds = Bounds(names, False, sizes, max_arguments, smooth=True)

    @st.composite
    def pair(hypothesis_draw: st.DrawFn) -> Json:
        draw = Draw(hypothesis_draw)
        case = draw_case(draw, rules, bounds)
        for argument in case["prompt"].get("arguments", ()):
            if argument.get("required"):
                case.setdefault("arguments", {}).setdefault(argument["name"], "x")
        wanted = draw.number(len(EDIT_KINDS))
        case["edit"] = pick(draw, edit_of_kind(edits_of(case), wanted))
        return case

    return pair()
