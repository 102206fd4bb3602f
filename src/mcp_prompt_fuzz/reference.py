"""The reference renderer: what a complete rendering of a case holds."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any

from .case import Case, kind_of, materialise
from .transcript import Part, Transcript, Turn, text_part


def expected(case: Case) -> Transcript:
    """Every message of the case as a turn of its own, nothing left out, nothing added."""
    return tuple(
        Turn(role=message["role"], parts=(part_of(message["content"]),))
        for message in materialise(case)["messages"]
    )


def part_of(content: Mapping[str, Any]) -> Part:
    """A materialised content block in the form in which a model would get all of it.

    An embedded document is a `file`, whether it came as text (then UTF-8) or as a blob.
    """
    match kind_of(content):
        case "text":
            return text_part(content["text"])
        case "image":
            return Part("image", data=data_of(content), media_type=content["mimeType"])
        case "audio":
            return Part("audio", data=data_of(content), media_type=content["mimeType"])
        case "resource.text" | "resource.blob":
            document = content["resource"]
            return Part(
                "file",
                data=data_of(content),
                media_type=document.get("mimeType"),
                uri=document["uri"],
            )
        case "resource_link":
            return Part(
                "link",
                uri=content["uri"],
                name=content["name"],
                title=content.get("title"),
                description=content.get("description"),
                media_type=content.get("mimeType"),
                size=content.get("size"),
            )


def data_of(content: Mapping[str, Any]) -> bytes:
    """The bytes that a medium or document carries; empty where its base64 can't be read."""
    holder = content.get("resource", content)
    if "text" in holder:
        text: str = holder["text"]
        return text.encode("utf-8", "surrogatepass")
    try:
        return base64.b64decode(holder.get("data", holder.get("blob", "")), validate=False)
    except ValueError:  # binascii.Error, or what is no ASCII at all
        return b""
