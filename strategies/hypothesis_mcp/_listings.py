"""Listings: prompts cut into pages, with the cursors that clients stumble over.

Clients "SHOULD handle pagination" (all revisions) and "MUST treat cursors as opaque tokens"
(server/utilities/pagination); 2026-07-28 adds that ``""`` is a cursor and not the end.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

from hypothesis_mcp._draws import Draw, Menu, choices, pick
from hypothesis_mcp._prompts import Names, draw_prompt
from hypothesis_mcp.names import PLAIN_PROMPTS, PROMPT_NAMES
from hypothesis_mcp.revisions import supports

__all__ = ["CURSORS", "SELF", "draw_other", "draw_pages"]

Json = dict[str, Any]
Entry = str | Json

SELF: Final = "@"
"""Stands in a case's pages for the case's own prompt."""

CURSORS: Final = (
    *("1", "0", "next", "null", "false", " ", "a b/c+d=?&#"),
    *("\u540d", "c" * 400, '{"a": 1}', "=?base64?cA==?="),
)
"""Cursors; each is used once in a listing."""

_MENU: Final[Menu] = (
    *("page", "page", "page", "page", "full", "many", "empty_cursor"),
    *("other", "other", "here"),
)
_MAX_ITEMS: Final = 8
_FULL: Final = 5
_MANY: Final = 120


@lru_cache(maxsize=8)
def _menu(revision: str, case: bool) -> Menu:
    return tuple(
        item
        for item in _MENU
        if (item != "empty_cursor" or supports(revision, "empty_cursor"))
        and (item != "here" or case)
    )


def draw_other(draw: Draw, revision: str, names: Names, taken: set[str]) -> Json:
    """Another prompt's definition, under a name that isn't ``taken``; adds it there."""
    prompt = draw_prompt(draw, revision, names, 2).prompt
    if prompt["name"] in taken:
        prompt["name"] = next(
            name
            for name in (*PLAIN_PROMPTS, *(f"p{i}" for i in range(len(taken) + 1)))
            if name not in taken
        )
    taken.add(prompt["name"])
    return prompt


def _others(names: Names, taken: set[str], count: int) -> list[Json]:
    """``count`` prompts without arguments; where odd names are wanted, as many as are left."""
    odd = PROMPT_NAMES.values() if names == "odd" else ()
    numbered = (f"other{len(taken) + i}" for i in range(count))
    found = [name for name in (*odd, *numbered) if name not in taken][:count]
    taken.update(found)
    return [{"name": name} for name in found]


def draw_pages(
    draw: Draw,
    revision: str,
    names: Names,
    own: str | None,
    wrap: Callable[[Json], Entry],
    max_pages: int = 8,
) -> list[Json]:
    """Pages ``{"prompts": [...], "cursor"?}``, each but the last with a cursor.

    ``own`` is the name of the case's prompt, which then stands as ``"@"``, by default on the last
    page; ``None`` makes a listing without one. ``wrap`` turns another prompt's definition into an
    entry.
    """
    taken = set() if own is None else {own}
    pages: list[Json] = [{"prompts": []}]
    here: list[Entry] | None = None
    full: list[Entry] | None = None
    used: set[str] = set()

    def turn(cursor: str) -> None:
        if len(pages) == max_pages:
            return
        while cursor in used:
            cursor += "1"
        used.add(cursor)
        pages[-1]["cursor"] = cursor
        pages.append({"prompts": []})

    for item in choices(draw, _menu(revision, own is not None), _MAX_ITEMS):
        if item == "other":
            pages[-1]["prompts"].append(wrap(draw_other(draw, revision, names, taken)))
            continue
        # One draw for each of the rest, so that all shrink to a plain turn of the page.
        cursor = pick(draw, CURSORS)
        if item == "page":
            turn(cursor)
        elif item == "empty_cursor":
            turn("" if "" not in used else cursor)
        elif item == "here" and here is None:
            here = pages[-1]["prompts"]
            here.append(SELF)
        elif item == "full":
            # Two pages exactly full: a client that stops at a short page asks for one more.
            pages[-1]["prompts"] += map(wrap, _others(names, taken, _FULL))
            turn(cursor)
            full = pages[-1]["prompts"]
            full.extend(map(wrap, _others(names, taken, _FULL)))
        elif item == "many":
            pages[-1]["prompts"] += map(wrap, _others(names, taken, _MANY))
            turn(cursor)
    if own is not None and here is None:
        if full is not None and full is pages[-1]["prompts"]:
            full.pop()  # stays exactly full
        pages[-1]["prompts"].append(SELF)
    return pages
