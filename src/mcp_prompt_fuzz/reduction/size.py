"""How large a case is, and which of two a maintainer would rather read."""

from __future__ import annotations

from typing import Any, Final

from ..case import Case, fill, kind_of, template_text
from ..jsontypes import Json, canonical, without
from ..reference import data_of
from ..sweep import plain_content
from .plain import PLAIN_NAMES


def size_of(case: Case) -> int:
    """JSON nodes, plus characters of text, plus bytes of data."""
    plain = without(case.to_json(), "title", "format", "revision", "rule", "origin", "issue")
    return _nodes(plain) + sum(
        len(data_of(m["content"]))
        if (text := template_text(m["content"])) is None
        else len(fill(text, {}))
        for m in case.messages
    )


def _strangeness(case: Case) -> int:
    """Characters of texts, values and names that the plainest ones would not hold."""
    texts = [template_text(message["content"]) for message in case.messages]
    filled: tuple[str, ...] = (
        *(fill(text, {}) for text in texts if text is not None),
        *case.arguments.values(),
    )
    names: list[str] = [argument["name"] for argument in case.prompt.get("arguments", ())]
    if case.prompt["name"] not in PLAIN_NAMES:
        names.append(case.prompt["name"])
    return sum(len(text) - text.count("a") for text in filled) + sum(map(len, names))


def _nodes(value: Any) -> int:
    if isinstance(value, dict):
        return 1 + sum(_nodes(item) for item in value.values())
    if isinstance(value, list | tuple):
        return 1 + sum(_nodes(item) for item in value)
    return 1


def rank(case: Case) -> tuple[int, int, int, int, int, str]:
    """The order in which cases are preferred, smallest first."""
    odd = sum(_oddity(message) for message in case.messages)
    odd += (not case.prompt["name"]) + sum(not value for value in case.arguments.values())
    return (
        len(case.messages) + len(case.before),
        len(case.prompt.get("arguments", ())) + len(case.arguments),
        odd,
        size_of(case),
        _strangeness(case),
        canonical([case.prompt, list(case.messages), case.arguments]),
    )


def _oddity(message: Json) -> int:
    """How much there is to wonder about: another role than the user's, an odd or invalid medium.

    The plainest real file of a kind is preferred to a smaller one that no program can show.
    """
    content = message["content"]
    kind = kind_of(content)
    said = message["role"] != "user"
    if kind in ("image", "audio"):
        return int(said) + int(content["mimeType"] != _PLAIN_TYPES[kind])
    return int(said)


_PLAIN_TYPES: Final[dict[str, str]] = {
    "image": plain_content("image")["mimeType"],
    "audio": plain_content("audio")["mimeType"],
}
