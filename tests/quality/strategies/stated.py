"""Predicates over cases, and for each the smallest case that fulfils it, stated by hand.

Size is what a maintainer reads: JSON nodes, plus characters of text, plus bytes of media. A media
type, a URI or a cursor is a word of the protocol, a node like a number. Texts and names that a
predicate says nothing about have one readable character, since a blank one would be smaller and
tell nobody anything. Format, revision and title are the same for all.
"""

import unicodedata
from base64 import b64decode
from binascii import Error as Base64Error
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from hypothesis_mcp.media import base64_file_of

Json = dict[str, Any]

_LABELS: Final = ("format", "title", "revision")
_WORDS: Final = frozenset(
    {"type", "role", "mimeType", "uri", "cursor", "lastModified", "on", "src"}
)


def _size(value: Any, key: str) -> int:
    if isinstance(value, dict):
        return 1 + sum(_size(inner, name) for name, inner in value.items())
    if isinstance(value, list):
        return 1 + sum(_size(inner, key) for inner in value)
    if isinstance(value, str):
        if key in {"data", "blob"}:
            try:
                return 1 + len(b64decode(value, validate=True))
            except Base64Error:
                return 1 + len(value)
        if key in _WORDS:
            return 1
        return 1 + len(value)
    return 1


def size_of(case: Json) -> int:
    """Nodes, characters of text and bytes of media of ``case``, its labels aside."""
    return sum(_size(value, key) for key, value in case.items() if key not in _LABELS)


@dataclass(frozen=True)
class Optimum:
    """A predicate, the smallest case that fulfils it, and how to draw cases for it."""

    name: str
    holds: Callable[[Json], bool]
    case: Json
    parameters: Json = field(default_factory=dict)


def text(text: Any = "a") -> Json:
    return {"type": "text", "text": text}


def image(mime_type: str = "image/png", n: int = 0) -> Json:
    return {"type": "image", "data": base64_file_of(mime_type, n), "mimeType": mime_type}


def audio() -> Json:
    return {"type": "audio", "data": base64_file_of("audio/wav", 0), "mimeType": "audio/wav"}


def document(text: Any = "a", uri: str = "pfz://a", mime_type: str = "text/plain") -> Json:
    return {"type": "resource", "resource": {"uri": uri, "mimeType": mime_type, "text": text}}


def blob(mime_type: str = "application/octet-stream", uri: str = "pfz://a") -> Json:
    inner = {"uri": uri, "mimeType": mime_type, "blob": base64_file_of(mime_type, 0)}
    return {"type": "resource", "resource": inner}


def link(**more: Any) -> Json:
    return {"type": "resource_link", "uri": "pfz://a", "name": "a", **more}


def user(block: Json) -> Json:
    return {"role": "user", "content": block}


def assistant(block: Json) -> Json:
    return {"role": "assistant", "content": block}


def case(*messages: Json, prompt: Json | None = None, **more: Any) -> Json:
    return {
        "prompt": prompt or {"name": "p"},
        "messages": list(messages) or [user(text())],
        **more,
    }


def blocks(case: Json, kind: str) -> list[Json]:
    found = []
    for message in case["messages"]:
        block = message["content"]
        name = block["type"]
        if name == "resource":
            name = "resource.text" if "text" in block["resource"] else "resource.blob"
        if name == kind:
            found.append(block)
    return found


def essence(block: Json) -> str:
    return str(block["mimeType"]).lower().partition(";")[0]


def shape(case: Json) -> list[tuple[str, str]]:
    return [(message["role"], message["content"]["type"]) for message in case["messages"]]


def texts(case: Json) -> list[str]:
    """The texts that the server writes itself; one with a slot is also its user's."""
    return [block["text"] for block in blocks(case, "text") if isinstance(block["text"], str)]


def arguments(case: Json) -> list[Json]:
    declared: list[Json] = case["prompt"].get("arguments", [])
    return declared


def given(case: Json) -> dict[str, str]:
    given: dict[str, str] = case.get("arguments", {})
    return given


def slots(case: Json) -> int:
    texts = [block["text"] for block in blocks(case, "text")]
    return sum(
        isinstance(piece, dict) for text in texts if isinstance(text, list) for piece in text
    )


def own_page(case: Json) -> int:
    pages = case.get("pages", [])
    return next((i for i, page in enumerate(pages) if "@" in page["prompts"]), -1)


def third_without_second(case: Json) -> bool:
    names = [argument["name"] for argument in arguments(case)]
    return len(names) > 2 and names[2] in given(case) and names[1] not in given(case)


def changes(form: str, text: str) -> bool:
    return unicodedata.normalize(form, text) != text  # type: ignore[arg-type]


def two_arguments(given: Json) -> Json:
    return case(prompt={"name": "p", "arguments": [{"name": "a"}, {"name": "b"}]}, arguments=given)


def one_argument(value: str | None = None, **more: Any) -> Json:
    prompt = {"name": "p", "arguments": [{"name": "a", **more}]}
    return case(prompt=prompt, **({} if value is None else {"arguments": {"a": value}}))


EMPTY_PAGE: Final = {"prompts": [], "cursor": "1"}
