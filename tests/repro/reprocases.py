"""Cases that show each thing that a repro's server can do."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from mcp_prompt_fuzz.case import Case

PNG = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGD4DwABBAEAX+XDSwAAAABJRU5E"
    "rkJggg=="
)


def said(text: Any, role: str = "user") -> dict[str, Any]:
    """A message that is one text."""
    return {"role": role, "content": {"type": "text", "text": text}}


def pictured(role: str = "user") -> dict[str, Any]:
    """A message that is one image."""
    return {"role": role, "content": {"type": "image", "data": PNG, "mimeType": "image/png"}}


PLAIN = Case("Plain", "2025-06-18", {"name": "look"}, (said("hello"), pictured()))

SLOTS = Case(
    "Slots",
    "2025-06-18",
    {
        "name": "look",
        "arguments": [{"name": "topic", "required": True}, {"name": "style"}],
    },
    (
        said(["about ", {"argument": "topic"}, "\u2028", {"argument": "style"}]),
        {
            "role": "assistant",
            "content": {
                "type": "resource",
                "resource": {"uri": "x:y", "text": [{"argument": "topic"}]},
            },
        },
    ),
    arguments={"topic": 'tea & $1 "q"'},
)

OTHER = {"prompt": {"name": "other"}, "messages": [said("another")]}

PAGED = replace(
    PLAIN,
    title="Paged",
    pages=(
        {"prompts": [OTHER], "cursor": "two"},
        {"prompts": [], "cursor": "three"},
        {"prompts": ["@"]},
    ),
)

GATED = replace(PLAIN, title="Gated", capabilities={})

FAILS = replace(
    PLAIN, title="Fails", error={"on": "prompts/get", "code": -32603, "message": "no luck"}
)

RELISTED = replace(
    PLAIN,
    title="Relisted",
    capabilities={"prompts": {"listChanged": True}},
    pages=({"prompts": [OTHER]},),
    relist=({"prompts": ["@"]},),
)

BESIDE = replace(
    PLAIN,
    title="Beside",
    beside={"second": {"capabilities": {"prompts": {}}, "pages": [{"prompts": [OTHER]}]}},
)

AFTER = replace(
    PLAIN,
    title="After",
    before=(Case("Earlier", "2025-06-18", {"name": "look"}, (said("earlier"),)),),
)

ALL = {case.title: case for case in (PLAIN, SLOTS, PAGED, GATED, FAILS, RELISTED, BESIDE, AFTER)}
