"""What the cases of the sweep are made of."""

from __future__ import annotations

import base64
from collections.abc import Iterable
from typing import Any

from hypothesis_mcp.media import file_of
from hypothesis_mcp.revisions import kinds_of

from ..case import KINDS, Case, Kind
from ..jsontypes import Json


def swept(revision: str, title: str, messages: Iterable[Json], **members: Any) -> Case:
    """A case of the sweep: all those without arguments share one definition."""
    prompt = members.pop("prompt", {"name": "sweep"})
    return Case(title, revision, prompt, tuple(messages), **members)


def says(role: str, content: Json) -> Json:
    """A prompt message."""
    return {"role": role, "content": content}


def text_content(text: str | list[Any]) -> Json:
    """A text part; a list holds slots."""
    return {"type": "text", "text": text}


def data_of_type(media_type: str, number: int = 0) -> str:
    """A small valid file of that type, in base64; another number, another file."""
    return base64.b64encode(file_of(media_type, number)).decode("ascii")


def kinds_under(revision: str) -> list[Kind]:
    """The kinds that the revision knows, text first."""
    return [kind for kind in KINDS if kind in kinds_of(revision)]


def plain_content(kind: Kind, number: int = 0) -> Json:
    """The plainest content of a kind; another number, another content."""
    uri = f"file:///{'abcdefgh'[number % 8]}"
    match kind:
        case "text":
            return text_content("abcdefgh"[number % 8])
        case "image":
            return {
                "type": "image",
                "data": data_of_type("image/png", number),
                "mimeType": "image/png",
            }
        case "audio":
            return {
                "type": "audio",
                "data": data_of_type("audio/wav", number),
                "mimeType": "audio/wav",
            }
        case "resource.text":
            document = {"uri": uri, "text": "abcdefgh"[number % 8], "mimeType": "text/plain"}
            return {"type": "resource", "resource": document}
        case "resource.blob":
            media_type = "application/octet-stream"
            document = {
                "uri": uri,
                "blob": data_of_type(media_type, number),
                "mimeType": media_type,
            }
            return {"type": "resource", "resource": document}
        case "resource_link":
            return {"type": "resource_link", "uri": uri, "name": "abcdefgh"[number % 8]}
