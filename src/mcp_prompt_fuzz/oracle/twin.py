"""The plain twin of a case: the same skeleton, with unique short content everywhere.

A faithful renderer commutes with renaming the content: whatever it makes of the twin, it must make
of the case, with the case's content in the same places. Kinds, roles, annotations, media types, URI
schemes, argument names and definitions stay; what is empty stays empty.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any, Final, Literal, TypeAlias

from hypothesis_mcp.media import file_of

from ..case import Case, Kind, fill, kind_of, slots, template_text, with_text
from ..jsontypes import Json, canonical
from ..reference import data_of
from .tokens import salt_of, token

Field: TypeAlias = Literal["text", "data", "uri", "name", "title", "description", "argument"]
LABELS: Final[tuple[Field, ...]] = ("uri", "name", "title", "description")


@dataclass(frozen=True, slots=True)
class Hole:
    """A place where content of the case stands in a rendering of its twin.

    `message` is the index of the message, -1 for a value of the user's arguments, whose name is
    `argument` then. `anchor` is the token by which a text or label is found, `""` for bytes.
    """

    message: int
    field: Field
    anchor: str = ""
    argument: str = ""


@dataclass(frozen=True)
class Twin:
    """A plain twin, with the case it belongs to and its holes, those of a message together."""

    of: Case
    case: Case
    holes: tuple[Hole, ...]

    @cached_property
    def by_anchor(self) -> dict[str, Hole]:
        return {hole.anchor: hole for hole in self.holes if hole.anchor}

    @cached_property
    def _by_message(self) -> dict[int, list[Hole]]:
        holes: dict[int, list[Hole]] = {}
        for hole in self.holes:
            holes.setdefault(hole.message, []).append(hole)
        return holes

    def holes_of(self, message: int) -> Sequence[Hole]:
        """The holes of that message."""
        return self._by_message.get(message, ())

    def main_hole(self, message: int) -> Hole | None:
        """The hole that holds the content of that message: its text, bytes, or a link's URI.

        None where the content is empty, and so never judged.
        """
        kind = kind_of(self.case.messages[message]["content"])
        field: Field = "uri" if kind == "resource_link" else _CONTENT_FIELD[kind]
        return next((hole for hole in self.holes_of(message) if hole.field == field), None)

    def label_holes(self, message: int) -> list[Hole]:
        """The holes of what stands beside the content of that message."""
        main = self.main_hole(message)
        return [h for h in self.holes_of(message) if h.field in LABELS and h != main]


_CONTENT_FIELD: Final[dict[Kind, Field]] = {
    "text": "text",
    "resource.text": "text",
    "image": "data",
    "audio": "data",
    "resource.blob": "data",
}

_SCHEME: Final = re.compile(r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*:/{0,3})")
_EXTENSION: Final = re.compile(r"\.[A-Za-z0-9]{1,5}\Z")
_BYTES_PER_TWIN: Final = 1024
"""Media of one twin differ in the low bits of their number, those of two twins in the high ones."""


_OTHER: Final = 0xAAA


def plain_uri(uri: str, word: str) -> str:
    """A URI of the same scheme and extension that says nothing but `word`."""
    scheme = _SCHEME.match(uri)
    extension = _EXTENSION.search(uri)
    return f"{scheme['scheme'] if scheme else ''}{word}{extension[0] if extension else ''}"


@lru_cache(maxsize=2048)
def encoded_file(media_type: str, number: int) -> str:
    """A small valid file of that type, unique by its number, in base64."""
    return base64.b64encode(file_of(media_type, number)).decode()


def plain_twin(case: Case, *, other: bool = False) -> Twin:
    """The plain twin of `case`, always the same one; or another one, none of whose content is."""
    salt = salt_of(_skeleton(case)) ^ (_OTHER if other else 0)
    holes: list[Hole] = []
    counter = iter(range(4096))

    def hole(message: int, field: Field, argument: str = "") -> str:
        word = token(salt, next(counter))
        holes.append(Hole(message, field, word, argument))
        return word

    arguments = {
        name: hole(-1, "argument", name) if value else "" for name, value in case.arguments.items()
    }
    messages: list[Json] = []
    for index, message in enumerate(case.messages):
        content = dict(message["content"])
        text = template_text(content)
        if text is not None:
            if fill(text, case.arguments):
                word = hole(index, "text")
                places = [{"argument": name} for name in slots(text)]
                content = with_text(content, [word, *places] if places else word)
        elif "resource" in content or "data" in content:
            number = salt * _BYTES_PER_TWIN + index % _BYTES_PER_TWIN
            content = _with_plain_data(content, index, number, holes)
        holder = content
        if "resource" in content:
            holder = content["resource"] = dict(content["resource"])
        if holder.get("uri"):
            holder["uri"] = plain_uri(holder["uri"], hole(index, "uri"))
        for label in ("name", "title", "description"):
            if content.get(label):
                content[label] = hole(index, label)
        messages.append({**message, "content": content})
    twin = replace(case, messages=tuple(messages), arguments=arguments)
    return Twin(of=case, case=twin, holes=tuple(holes))


def _skeleton(case: Case) -> str:
    """Equal for cases whose twins differ in nothing but their tokens.

    They share them, so that a case can be shortened without rendering its twin again.
    """
    shape = [
        [
            message["role"],
            kind_of(content := message["content"]),
            content.get("mimeType"),
            content.get("annotations"),
            sorted(content.get("resource", content)),
        ]
        for message in case.messages
    ]
    return canonical([case.prompt, case.result, list(case.arguments), shape])


def _with_plain_data(content: Json, index: int, number: int, holes: list[Hole]) -> Json:
    if not data_of(content):
        return content
    holes.append(Hole(index, "data"))
    if "resource" in content:
        document = content["resource"]
        encoded = encoded_file(document.get("mimeType") or "application/octet-stream", number)
        return {**content, "resource": {**document, "blob": encoded}}
    return {**content, "data": encoded_file(content["mimeType"], number)}


def hybrid(twin: Twin, real: Iterator[int] | set[int] | frozenset[int]) -> Case:
    """The twin with those of its messages real.

    The user's real values come with a message whose text has slots for them.
    """
    chosen = set(real)
    messages = tuple(
        twin.of.messages[index] if index in chosen else message
        for index, message in enumerate(twin.case.messages)
    )
    with_slots = any(
        any(slots(template_text(twin.of.messages[index]["content"]) or "")) for index in chosen
    )
    arguments = twin.of.arguments if with_slots else twin.case.arguments
    return replace(twin.case, messages=messages, arguments=arguments)


def contents(
    case: Case, hole: Hole, received: Mapping[str, str] | None
) -> tuple[str, ...] | bytes | None:
    """What stands for `hole` in `case`, which has the skeleton of the hole's twin.

    Bytes for a medium; else the texts that count as right: as the user meant it, and as the server
    sent it for the arguments that it `received`. None where it is empty.
    """
    if hole.message < 0:
        value = case.arguments.get(hole.argument)
        return (value,) if value else None
    content: Mapping[str, Any] = case.messages[hole.message]["content"]
    if hole.field == "data":
        return data_of(content) or None
    if hole.field == "text":
        text = template_text(content) or ""
        meant = fill(text, case.arguments)
        sent = meant if received is None or isinstance(text, str) else fill(text, received)
        return (meant,) if meant == sent else (meant, sent)
    holder = content.get("resource", content) if hole.field == "uri" else content
    label = holder.get(hole.field)
    return (label,) if label else None
