"""Cases of the same kind from ``random`` alone: no engine, no shrinking, nothing to steer it."""

from random import Random
from typing import Any

from hypothesis_mcp._texts import TEXTS
from hypothesis_mcp.media import AUDIO_TYPES, BLOB_TYPES, IMAGE_TYPES, TEXT_TYPES, base64_file_of
from hypothesis_mcp.uris import URIS
from hypothesis_mcp.values import VALUES

__all__ = ["random_case"]

_VALUES = tuple(VALUES.values())


def _block(random: Random) -> dict[str, Any]:
    kind = random.randrange(6)
    if kind == 0:
        return {"type": "text", "text": random.choice(TEXTS)}
    if kind in {1, 2}:
        mime_type = random.choice(IMAGE_TYPES if kind == 1 else AUDIO_TYPES)
        name = "image" if kind == 1 else "audio"
        return {"type": name, "data": base64_file_of(mime_type, 0), "mimeType": mime_type}
    if kind == 3:
        return {"type": "resource_link", "uri": random.choice(URIS), "name": "a"}
    inner = {"uri": random.choice(URIS)}
    if kind == 4:
        inner |= {"mimeType": random.choice(TEXT_TYPES), "text": random.choice(TEXTS)}
    else:
        mime_type = random.choice(BLOB_TYPES)
        inner |= {"mimeType": mime_type, "blob": base64_file_of(mime_type, 0)}
    return {"type": "resource", "resource": inner}


def random_case(random: Random) -> dict[str, Any]:
    """One case: arguments, values, and up to eight messages."""
    names = "abcd"[: random.randrange(5)]
    return {
        "format": "mcp-prompt-case/1",
        "title": "random",
        "revision": "2026-07-28",
        "prompt": {"name": "p", "arguments": [{"name": name} for name in names]},
        "arguments": {name: random.choice(_VALUES) for name in names},
        "messages": [
            {"role": random.choice(("user", "assistant")), "content": _block(random)}
            for _ in range(random.randrange(9))
        ],
    }
