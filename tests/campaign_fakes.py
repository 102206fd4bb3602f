"""Renderers for campaigns, by spec, so that any process can open them."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any, Final

from mcp_prompt_fuzz.jsontypes import Json

MARK: Final = "MCP_PROMPT_FUZZ_TEST_MARK"
"""Names a file by which fakes in several processes know of each other."""


def keeps(result: Json) -> list[Json]:
    """Everything, as messages."""
    return [{"role": m["role"], "content": [_part(m["content"])]} for m in result["messages"]]


def _part(content: Json) -> Json:
    if content["type"] == "text":
        return content
    if content["type"] == "resource_link":
        return {**content, "type": "link"}
    if content["type"] != "resource":
        return {name: content[name] for name in ("type", "data", "mimeType")}
    held = content["resource"]
    if "text" in held:
        return {"type": "text", "text": f"{held['uri']} {held.get('mimeType')}\n{held['text']}"}
    guess = held.get("mimeType", "application/octet-stream")
    return {"type": "file", "data": held["blob"], "uri": held["uri"], "mimeType": guess}


def drops_images(result: Json) -> list[Json]:
    """Everything but images."""
    return [m for m in keeps(result) if m["content"][0]["type"] != "image"]


def trims(result: Json) -> list[Json]:
    """Texts without what is blank around them."""
    return _with_texts(keeps(result), str.strip)


def joins(result: Json) -> str:
    """One string: no roles, no boundaries, no media."""
    parts = [m["content"][0] for m in keeps(result)]
    return "".join(part.get("text", "") for part in parts)


def reverses_and_shouts(result: Json) -> list[Json]:
    """Two faults at once: the order of messages, and capitals in long texts."""
    turned = list(reversed(keeps(result)))
    return _with_texts(turned, lambda text: text.upper() if len(text) > 9 else text)


def counts(result: Json) -> list[Json]:
    """Faithful, with a number that is another one each time; loses sounds."""
    _calls.append(1)
    head = {"role": "user", "content": [{"type": "text", "text": f"call {len(_calls)}"}]}
    return [head, *(m for m in keeps(result) if m["content"][0]["type"] != "audio")]


def leaks(result: Json) -> list[Json]:
    """Puts the prompt before in front of the next."""
    before, _last[:] = list(_last), keeps(result)
    return [*before, *_last]


def keeps_nothing(result: Json) -> list[Json]:
    """Nothing at all."""
    return []


def slow(result: Json) -> list[Json]:
    """Drops images, and takes its time."""
    time.sleep(0.01)
    return drops_images(result)


def dies_once(result: Json) -> list[Json]:
    """Drops images; the first process that gets that far ends without a word."""
    _calls.append(1)
    mark = Path(os.environ[MARK])
    if len(_calls) > 30 and not mark.exists():
        mark.touch()
        os._exit(9)
    return drops_images(result)


def dies_of_sounds(result: Json) -> list[Json]:
    """Drops images; a sound between two texts is its process's end."""
    kinds = [m["content"]["type"] for m in result["messages"]]
    if kinds == ["text", "audio", "text"]:
        os._exit(9)
    return drops_images(result)


def _with_texts(messages: list[Json], change: Any) -> list[Json]:
    for message in messages:
        for part in message["content"]:
            if part["type"] == "text":
                part["text"] = change(part["text"])
    return messages


_calls: list[int] = []
_last: list[Json] = []
