"""Cases: everything a server offers and a user asks for, as ``mcp-prompt-case/1``."""

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from hypothesis_mcp._blocks import Grammar, draw_messages
from hypothesis_mcp._draws import STOP, Draw, Menu, choices, leave_room, pick
from hypothesis_mcp._listings import SELF, draw_other, draw_pages
from hypothesis_mcp._prompts import DESCRIPTIONS, Names, draw_prompt
from hypothesis_mcp.extras import fresh, metas
from hypothesis_mcp.revisions import supports

__all__ = ["CASE_FORMAT", "Bounds", "draw_case", "title_of"]

Json = dict[str, Any]

CASE_FORMAT: Final = "mcp-prompt-case/1"

ERRORS: Final = (
    (-32603, "e"),
    (-32603, "pfz internal error"),
    (-32602, "pfz invalid params"),
    (-32601, "pfz method not found"),
    (-32000, ""),
    (0, "pfz code zero"),
    (-32603, "pfz <b>first</b>\nsecond"),
    (-32603, "\u540d"),
)
"""Codes and messages of server errors."""

INPUTS: Final[tuple[Json, ...]] = (
    {"state": "s"},
    {"state": ""},
    {
        "requests": {
            "a": {
                "method": "elicitation/create",
                "params": {
                    "mode": "form",
                    "message": "Which?",
                    "requestedSchema": {"type": "object", "properties": {"a": {"type": "string"}}},
                },
            }
        },
        "responses": {"a": {"action": "accept", "content": {"a": "b"}}},
    },
    {
        "requests": {
            "\u540d": {
                "method": "elicitation/create",
                "params": {
                    "message": "a\nb",
                    "requestedSchema": {
                        "type": "object",
                        "properties": {"n": {"type": "integer", "minimum": 0}},
                        "required": ["n"],
                    },
                },
            }
        },
        "state": '{"a": "\u2028"}',
        "responses": {"\u540d": {"action": "decline"}},
    },
)
"""``input_required`` rounds (2026-07-28, basic/patterns/mrtr): requests, state, or both."""

_MAX_TURNS: Final = 3


@dataclass(frozen=True)
class Bounds:
    """The switches of `hypothesis_mcp.cases` that aren't about content.

    ``smooth`` leaves out whatever keeps the prompt's content from the user (errors and the like).
    """

    names: Names
    listings: bool
    messages: tuple[int, int]
    arguments: int
    smooth: bool = False


@lru_cache(maxsize=64)
def _menu(revision: str, listings: bool, smooth: bool) -> Menu:
    turns: Menu = ("description", "_meta", "reversed", "list_changed")
    if not smooth:
        turns += ("get_error", "list_error", "gated")
        if supports(revision, "input_required"):
            turns += ("input",)
    if listings:
        turns += ("pages",) * 4 + ("relist", "beside")
    # Most cases should get as far as a model: further stops.
    return turns + (STOP,) * 14


def title_of(case: Json) -> str:
    """A line that tells what ``case`` holds, worked out from it alone.

    >>> title_of({"messages": [{"role": "user", "content": {"type": "image"}}]})
    'image'
    """
    parts = []
    for message in case["messages"]:
        kind = message["content"]["type"]
        parts.append(kind if message["role"] == "user" else f"{kind} from the assistant")
    counted = Counter(parts)
    words = [name if count == 1 else f"{count} {name}" for name, count in counted.items()]
    for member in ("error", "input", "pages", "relist", "beside", "arguments"):
        if member in case:
            words.append(member)
    return ", ".join(words) or "no messages"


def _entry(definition: Json) -> Json:
    # The name is in the content, so that one prompt's content is never taken for another's.
    text = f"Content of {definition['name'][:20]}."
    return {
        "prompt": definition,
        "messages": [{"role": "user", "content": {"type": "text", "text": text}}],
    }


def _error(draw: Draw, method: str) -> Json:
    code, message = pick(draw, ERRORS)
    return {"on": method, "code": code, "message": message}


def _relist(draw: Draw, case: Json, names: Names) -> None:
    # A listing that lacks the prompt until it changes, so that a stale one can be told.
    other = draw_other(draw, case["revision"], names, {case["prompt"]["name"]})
    case["pages"] = [{"prompts": [_entry(other)]}]
    case["relist"] = [{"prompts": [SELF]}]
    case["capabilities"] = {"prompts": {"listChanged": True}}


def _beside(draw: Draw, case: Json, names: Names) -> None:
    # One name on two servers is legitimate, and the commonest cause of a mix-up.
    own = case["prompt"]["name"]
    other = draw_other(draw, case["revision"], names, set())
    if pick(draw, (False, True)):
        other["name"] = own
    case["beside"] = {
        "other": {"capabilities": {"prompts": {}}, "pages": [{"prompts": [_entry(other)]}]}
    }


def draw_case(draw: Draw, rules: Grammar, bounds: Bounds) -> Json:
    """One case. The definition comes first, since texts may have slots for its arguments.

    Messages come last: they are what most predicates are about, and the fewer draws follow, the
    fewer combinations are tried in shrinking.
    """
    asked = draw_prompt(draw, rules.revision, bounds.names, bounds.arguments)
    case: Json = {
        "format": CASE_FORMAT,
        "title": "",
        "revision": rules.revision,
        "prompt": asked.prompt,
    }
    if asked.given:
        case["arguments"] = asked.given
    for turn in choices(draw, _menu(rules.revision, bounds.listings, bounds.smooth), _MAX_TURNS):
        _take(draw, turn, case, bounds.names)
    case["messages"], strict = draw_messages(draw, rules, bounds.messages, asked.names)
    if not strict:
        case["strict"] = False
    leave_room(draw)
    case["title"] = title_of(case)
    return case


def _take(draw: Draw, turn: str, case: Json, names: Names) -> None:  # noqa: PLR0912
    if turn == "description":
        case.setdefault("result", {})["description"] = pick(draw, DESCRIPTIONS)
    elif turn == "_meta":
        case.setdefault("result", {})["_meta"] = fresh(pick(draw, metas()))
    elif turn == "reversed":
        if "arguments" in case:
            case["arguments"] = dict(reversed(case["arguments"].items()))
    elif turn == "list_changed":
        case["capabilities"] = {"prompts": {"listChanged": True}}
    elif turn == "get_error":
        case["error"] = _error(draw, "prompts/get")
        case.pop("input", None)
    elif turn == "list_error":
        case["error"] = _error(draw, "prompts/list")
        case.pop("input", None)
    elif turn == "gated":
        if "relist" not in case:
            case["capabilities"] = {}
    elif turn == "pages":
        if "relist" not in case:
            case["pages"] = draw_pages(
                draw, case["revision"], names, case["prompt"]["name"], _entry
            )
    elif turn == "relist":
        _relist(draw, case, names)
    elif turn == "beside":
        _beside(draw, case, names)
    elif turn == "input" and "error" not in case:
        case["input"] = fresh(pick(draw, INPUTS))
