"""A case: what servers offer and what a user asks for (contract, `mcp-prompt-case/1`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any, Final, Literal, TypeAlias

from .jsontypes import Json, canonical

FORMAT: Final = "mcp-prompt-case/1"
REVISIONS: Final = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28")
NEWEST_REVISION: Final = REVISIONS[-1]

Kind: TypeAlias = Literal[
    "text", "image", "audio", "resource.text", "resource.blob", "resource_link"
]
KINDS: Final[tuple[Kind, ...]] = (
    "text",
    "image",
    "audio",
    "resource.text",
    "resource.blob",
    "resource_link",
)
TemplateText: TypeAlias = str | list[Any]
"""A string, or a list of strings and `{"argument": NAME}` slots."""


@dataclass(frozen=True)
class Case:
    """One case. Members and defaults are the contract's; `messages` is a template.

    The JSON values inside are shared, never changed: use `with_message` and `replace`.
    """

    title: str
    revision: str
    prompt: Json
    messages: tuple[Json, ...]
    arguments: Json = field(default_factory=dict)
    rule: str | None = None
    origin: str | None = None
    strict: bool = True
    result: Json = field(default_factory=dict)
    capabilities: Json = field(default_factory=lambda: {"prompts": {}})
    pages: tuple[Json, ...] = ({"prompts": ["@"]},)
    relist: tuple[Json, ...] | None = None
    beside: Json = field(default_factory=dict)
    error: Json | None = None
    before: tuple[Case, ...] = ()
    input: Json | None = None
    edit: Json | None = None
    issue: str | None = None

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Case:
        """Read a case that `formats.check_case` has accepted."""
        given = {f.name: data[f.name] for f in fields(cls) if f.name in data}
        for name in ("messages", "pages", "relist"):
            if name in given:
                given[name] = tuple(given[name])
        given["before"] = tuple(cls.from_json(earlier) for earlier in data.get("before", ()))
        return cls(**given)

    def to_json(self) -> Json:
        """The case as a JSON object, members at their default left out, in the contract's order."""
        plain: Json = {"format": FORMAT}
        bare = Case(self.title, self.revision, self.prompt, self.messages)
        required = ("title", "revision", "prompt", "messages")
        for name in _MEMBER_ORDER:
            value = getattr(self, name)
            if name in required or value != getattr(bare, name):
                plain[name] = list(value) if isinstance(value, tuple) else value
        if self.before:
            plain["before"] = [earlier.to_json() for earlier in self.before]
        return plain

    @cached_property
    def key(self) -> str:
        """Equal for cases that no renderer can tell apart (titles and labels do not count).

        The order of arguments counts: a renderer may bind them by position.
        """
        seen = replace(self, title="", rule=None, origin=None, edit=None, issue=None).to_json()
        return canonical([seen, list(self.arguments)])

    @cached_property
    def page_after(self) -> Mapping[str, int]:
        """Where each cursor of the listing leads, by the index of the page."""
        after: dict[str, int] = {}
        for index, page in enumerate(self.pages[:-1], 1):
            after.setdefault(page["cursor"], index)
        return after

    def with_message(self, index: int, message: Json) -> Case:
        """The same case with another message in that place."""
        return replace(
            self, messages=(*self.messages[:index], message, *self.messages[index + 1 :])
        )

    def without_message(self, index: int) -> Case:
        """The same case with that message left out."""
        return replace(self, messages=self.messages[:index] + self.messages[index + 1 :])


_MEMBER_ORDER: Final = (
    "title",
    "revision",
    "prompt",
    "arguments",
    "messages",
    "rule",
    "origin",
    "strict",
    "result",
    "capabilities",
    "pages",
    "relist",
    "beside",
    "error",
    "input",
    "edit",
    "issue",
)


def kind_of(content: Mapping[str, Any]) -> Kind:
    """The kind of a content block, which is also the id of the rule that guards it."""
    if content["type"] == "resource":
        return "resource.text" if "text" in content["resource"] else "resource.blob"
    kind: Kind = content["type"]
    return kind


def slots(text: TemplateText) -> Iterator[str]:
    """The names of the arguments that a template text holds, in order, repeats included."""
    if not isinstance(text, str):
        yield from (piece["argument"] for piece in text if not isinstance(piece, str))


def fill(text: TemplateText, arguments: Mapping[str, str]) -> str:
    """The template text with its slots filled; a slot whose argument was not given is empty."""
    if isinstance(text, str):
        return text
    return "".join(
        piece if isinstance(piece, str) else arguments.get(piece["argument"], "") for piece in text
    )


def template_text(content: Mapping[str, Any]) -> TemplateText | None:
    """The template text of a text part or text resource, None for the other kinds."""
    holder = content.get("resource", content)
    text: TemplateText | None = holder.get("text")
    return text


def with_text(content: Json, text: TemplateText) -> Json:
    """A copy of a text part or text resource that holds another text."""
    if "resource" in content:
        return {**content, "resource": {**content["resource"], "text": text}}
    return {**content, "text": text}


def fill_message(message: Json, arguments: Mapping[str, str]) -> Json:
    """The prompt message that a server sends for this template and these arguments."""
    text = template_text(message["content"])
    if text is None:
        return message
    return {**message, "content": with_text(message["content"], fill(text, arguments))}


def materialise(case: Case, arguments: Mapping[str, str] | None = None) -> Json:
    """The `prompts/get` result of the case, as plain JSON.

    `arguments` are those that the server received; by default, those that the user gives.
    """
    given = case.arguments if arguments is None else arguments
    return {**case.result, "messages": [fill_message(m, given) for m in case.messages]}


def declared_arguments(prompt: Mapping[str, Any]) -> Sequence[Json]:
    """The declared arguments of a prompt, in order of declaration."""
    declared: Sequence[Json] = prompt.get("arguments") or ()
    return declared


def required_names(prompt: Mapping[str, Any]) -> set[str]:
    """The names of the arguments that the prompt requires."""
    return {a["name"] for a in declared_arguments(prompt) if a.get("required")}
