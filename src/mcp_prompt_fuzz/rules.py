"""The rules: what a rendering must keep, on what basis, and who can see it (contract, "Rules")."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Final, Literal, TypeAlias

from .case import NEWEST_REVISION

Severity: TypeAlias = Literal["notice", "distortion", "loss", "violation", "unsafe"]
SEVERITIES: Final[tuple[Severity, ...]] = ("notice", "distortion", "loss", "violation", "unsafe")
"""From the mildest to the worst."""

BasisKind: TypeAlias = Literal["must", "should", "schema", "fidelity"]
Verdict: TypeAlias = Literal["kept", "broken", "not_observable", "not_applicable", "unchecked"]
View: TypeAlias = Literal["result", "session", "server"]


@dataclass(frozen=True, slots=True)
class Basis:
    """Why a rule may be asked for: how strong, and where the specification says so.

    `section` is None for `fidelity`, which follows from nothing but the sender's meaning.
    """

    kind: BasisKind
    section: str | None = None
    revision: str | None = None


@dataclass(frozen=True, slots=True)
class Rule:
    """One thing that a rendering must keep.

    `keeps` is one sentence for a maintainer. `severities` says how bad each level is, under `""`
    where the rule knows no levels. `bases` is in order of revisions: the entry with the newest
    revision that isn't newer than the one in use counts. `seen_by` are the views that can show it.
    """

    id: str
    keeps: str
    severities: dict[str, Severity]
    bases: tuple[Basis, ...]
    seen_by: tuple[View, ...]

    def basis(self, revision: str = NEWEST_REVISION) -> Basis:
        """The basis under `revision`, with that revision filled in."""
        fitting = [b for b in self.bases if b.revision is None or b.revision <= revision]
        chosen = fitting[-1]
        return Basis(chosen.kind, chosen.section, revision if chosen.section else None)

    def severity(self, level: str | None = None) -> Severity:
        """How bad it is when the rule is broken at that level."""
        return self.severities.get(level or "", self.severities.get("", "loss"))


_ALL: Final[tuple[View, ...]] = ("result", "session", "server")
_SESSION: Final[tuple[View, ...]] = ("session", "server")
_SERVER: Final[tuple[View, ...]] = ("server",)

_FIDELITY: Final = (Basis("fidelity"),)
_TEXT: Final[dict[str, Severity]] = {
    "lost": "loss",
    "refused": "loss",
    "announced": "loss",
    "altered": "distortion",
}
_CONTENT: Final[dict[str, Severity]] = {**_TEXT, "announced": "notice"}


def _same(severity: Severity) -> dict[str, Severity]:
    return {"": severity}


RULES: Final[dict[str, Rule]] = {
    rule.id: rule
    for rule in (
        Rule(
            "text.verbatim",
            "Each text of the prompt arrives, character for character.",
            _TEXT,
            _FIDELITY,
            _ALL,
        ),
        Rule("image", "The bytes of each image reach the model.", _CONTENT, _FIDELITY, _ALL),
        Rule("audio", "The bytes of each sound reach the model.", _CONTENT, _FIDELITY, _ALL),
        Rule(
            "resource.text",
            "The text of each embedded text document reaches the model.",
            _CONTENT,
            _FIDELITY,
            _ALL,
        ),
        Rule(
            "resource.blob",
            "The bytes of each embedded binary document reach the model.",
            _CONTENT,
            _FIDELITY,
            _ALL,
        ),
        Rule(
            "resource_link",
            "The URI of each linked document, or the document itself, reaches the model.",
            _CONTENT,
            _FIDELITY,
            _ALL,
        ),
        Rule(
            "metadata",
            "Media type, URI, name, title, description and size stay known where the part is.",
            {"lost": "notice", "altered": "distortion"},
            _FIDELITY,
            _ALL,
        ),
        Rule(
            "provider",
            "What is sent is what the model's provider accepts.",
            _same("notice"),
            _FIDELITY,
            _ALL,
        ),
        Rule("order", "Messages and parts keep their order.", _same("distortion"), _FIDELITY, _ALL),
        Rule(
            "roles",
            "Who says what can still be told.",
            _same("loss"),
            (Basis("schema", "PromptMessage.role (speaker of the message)"),),
            _ALL,
        ),
        Rule(
            "distinct",
            "Prompts that differ in meaning never reach the model as the same thing.",
            _same("loss"),
            _FIDELITY,
            _ALL,
        ),
        Rule(
            "inert",
            "Prompt text is data: it is neither run nor expanded, and names no file to read.",
            {"": "distortion", "ran": "unsafe", "read": "unsafe"},
            _FIDELITY,
            _ALL,
        ),
        Rule(
            "audience",
            "A part for the assistant reaches the model, whatever its annotations.",
            _same("loss"),
            (Basis("fidelity"),),
            _ALL,
        ),
        Rule(
            "arguments.named",
            "The server receives each value under the name that it declared.",
            _same("loss"),
            (Basis("schema", "GetPromptRequestParams.arguments (a map from name to value)"),),
            _SESSION,
        ),
        Rule(
            "arguments.verbatim",
            "The server receives each value as the user gave it.",
            {"lost": "loss", "altered": "distortion"},
            (Basis("schema", "GetPromptRequestParams.arguments (values are plain strings)"),),
            _SESSION,
        ),
        Rule(
            "arguments.omitted",
            "An argument that the user leaves out is absent, and an empty one stays empty.",
            _same("distortion"),
            (Basis("schema", "GetPromptRequestParams.arguments (an empty value isn't absent)"),),
            _SESSION,
        ),
        Rule(
            "arguments.subsets",
            "Any set of arguments that holds the required ones can be given.",
            _same("loss"),
            (Basis("schema", "PromptArgument.required"),),
            _SESSION,
        ),
        Rule(
            "arguments.required",
            "A missing required argument is asked for, or its error is shown.",
            _same("loss"),
            (Basis("schema", "PromptArgument.required (must be provided)"),),
            _SERVER,
        ),
        Rule(
            "arguments.order",
            "The order in which arguments are declared changes nothing.",
            _same("distortion"),
            (Basis("schema", "GetPromptRequestParams.arguments (a map, bound by name)"),),
            _SESSION,
        ),
        Rule(
            "list.gated",
            "A server that did not declare prompts is not asked for them.",
            {"": "loss", "must": "violation"},
            (
                Basis("should", "Lifecycle, Operation", "2024-11-05"),
                Basis("must", "Lifecycle, Operation", "2025-06-18"),
                Basis("should", "Prompts, Implementation Considerations", "2026-07-28"),
            ),
            _SERVER,
        ),
        Rule(
            "list.complete",
            "Every page of the listing is fetched.",
            {"": "loss", "must": "violation"},
            (Basis("should", "Prompts, Implementation Considerations"),),
            _SERVER,
        ),
        Rule(
            "list.reachable",
            "Every listed prompt can be invoked and yields its own content.",
            _same("loss"),
            (Basis("schema", "GetPromptRequestParams.name"),),
            _SERVER,
        ),
        Rule(
            "list.described",
            "A listing shows title, description, argument names and what is required.",
            _same("notice"),
            (Basis("schema", "Prompt and PromptArgument"),),
            _SERVER,
        ),
        Rule(
            "list.fresh",
            "A changed listing is picked up once the server has announced the change.",
            _same("notice"),
            _FIDELITY,
            _SERVER,
        ),
        Rule(
            "errors",
            "An error from the server reaches the user, and no empty prompt reaches the model.",
            _same("loss"),
            _FIDELITY,
            _SESSION,
        ),
        Rule(
            "isolated",
            "One invocation leaves nothing behind in the next.",
            _same("distortion"),
            _FIDELITY,
            _ALL,
        ),
        Rule(
            "robust",
            "A valid prompt causes no crash, hang, garbage or protocol error.",
            _same("loss"),
            _FIDELITY,
            _ALL,
        ),
    )
}
"""Every rule by its id, in the order in which reports show them."""

EMPTY_CURSOR: Final = "empty cursor"
"""The aspect of a listing that is read no further than a cursor of no characters."""

_EMPTY_CURSOR_BASIS: Final = Basis("must", "Pagination, Implementation Guidelines", "2026-07-28")
"""Only there is an empty cursor ruled not to be the end of the listing."""


def basis_of(rule: str, aspect: str | None, revision: str) -> Basis:
    """Why a fault counts under that revision: its rule's basis, or one that its aspect has."""
    if rule == "list.complete" and aspect == EMPTY_CURSOR:
        return _EMPTY_CURSOR_BASIS
    return RULES[rule].basis(revision)


def matching(rules: Iterable[str], globs: Iterable[str]) -> list[str]:
    """Those of `rules` that at least one of the globs names, in their own order."""
    wanted = tuple(globs)
    return [rule for rule in rules if any(fnmatchcase(rule, glob) for glob in wanted)]


def observable(rule: str, view: View, shown: Iterable[str] = ("*",)) -> bool:
    """Whether a renderer with that view, which says it can show `shown`, can show the rule."""
    return view in RULES[rule].seen_by and bool(matching([rule], shown))


def at_least(severity: Severity, threshold: Severity) -> bool:
    """Whether `severity` is as bad as `threshold` or worse."""
    return SEVERITIES.index(severity) >= SEVERITIES.index(threshold)
