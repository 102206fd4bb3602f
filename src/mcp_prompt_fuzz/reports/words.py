"""Cases, messages and findings in a few words, for tables and reports.

Everything here takes the plain JSON of `run.json`, so that a report can be rebuilt from it alone.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from ..case import kind_of
from ..jsontypes import Json
from .escape import one_line, visible

OF_THE_CLIENT: Final = ("system", "developer")
"""The roles under which a client gives the model its own instructions."""

_REDACTED: Final = "(private: see the folder private/)"


def template_words(text: str | Sequence[Any], limit: int = 60) -> str:
    """A template text as a quoted string; a slot shows as `{name}`."""
    if isinstance(text, str):
        return f'"{one_line(text, limit)}"'
    pieces = (p if isinstance(p, str) else "{" + str(p["argument"]) + "}" for p in text)
    return f'"{one_line("".join(pieces), limit)}"'


def _weight(encoded: str) -> str:
    return f"{len(encoded) * 3 // 4 - encoded[-2:].count('=')} bytes" if encoded else "empty"


def content_words(content: Mapping[str, Any], limit: int = 60) -> str:
    """One content block of a prompt message in a few words."""
    kind = kind_of(content)
    if kind == "text":
        return template_words(content["text"], limit)
    if kind == "resource_link":
        return f"link to {one_line(str(content.get('uri', '')), limit)}"
    if kind in {"image", "audio"}:
        kind_of_file = one_line(str(content.get("mimeType", "")), limit)
        return f"{kind} {kind_of_file} ({_weight(str(content.get('data', '')))})"
    resource = content["resource"]
    where = one_line(str(resource.get("uri", "")), limit)
    if kind == "resource.text":
        return f"document {where} {template_words(resource['text'], limit)}"
    return f"binary document {where} ({_weight(str(resource.get('blob', '')))})"


def message_words(message: Mapping[str, Any], limit: int = 60) -> str:
    """One prompt message in a few words: who says it, and what."""
    return f"{visible(str(message['role']))}: {content_words(message['content'], limit)}"


def invocation_words(case: Mapping[str, Any], limit: int = 60) -> str:
    """What the user asks for: the prompt's name and the arguments given."""
    name = one_line(str(case["prompt"]["name"]), limit)
    return f"{name or 'the prompt without a name'}({given_words(case, limit)})"


def argument_words(case: Mapping[str, Any], limit: int = 60) -> str:
    """Which arguments are declared (`!` marks a required one), and which values are given."""
    declared = (
        one_line(argument["name"], limit) + ("!" if argument.get("required") else "")
        for argument in case["prompt"].get("arguments", ())
    )
    given = given_words(case, limit)
    return f"declares {', '.join(declared) or 'nothing'}; given {given or 'nothing'}"


def given_words(case: Mapping[str, Any], limit: int = 60) -> str:
    """The values that the user gives, each with its name, in order."""
    return ", ".join(
        f"{one_line(name, limit)}={json.dumps(one_line(str(value), limit), ensure_ascii=False)}"
        for name, value in case.get("arguments", {}).items()
    )


def case_line(case: Mapping[str, Any] | None, limit: int = 100) -> str:
    """A whole case on one line; what is redacted says where it is."""
    if not case or "messages" not in case:
        return _REDACTED
    said = [message_words(message, 40) for message in case["messages"]] or ["no messages"]
    pieces = [*said]
    if case.get("arguments") or case["prompt"].get("arguments"):
        pieces.insert(0, argument_words(case, 30))
    pages = len(case.get("pages", ()))
    if pages > 1:
        pieces.append(f"listing of {pages} pages")
    if "error" in case:
        pieces.append(f"server answers error {case['error']['code']}")
    if "relist" in case:
        pieces.append("listing changes")
    if case.get("beside"):
        pieces.append(f"{len(case['beside'])} more server(s)")
    if case.get("before"):
        pieces.append(f"after {len(case['before'])} earlier invocation(s)")
    line = " | ".join(pieces)
    return line if len(line) <= limit else line[: limit - 1] + "…"


def part_words(part: Mapping[str, Any], limit: int = 200) -> str:
    """One part of what a model was sent, in a few words."""
    kind = part.get("type")
    if kind == "text":
        return f'"{one_line(str(part.get("text", "")), limit)}"'
    told = [str(part[m]) for m in ("mimeType", "name", "uri") if m in part]
    if "data" in part:
        told.append(f"({_weight(part['data'])})")
    return one_line(f"{kind} {' '.join(told)}", limit)


def turn_words(turn: Mapping[str, Any], limit: int = 200) -> list[str]:
    """One turn of what a model was sent: a line for each part."""
    content = turn.get("content", ())
    parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
    role = visible(str(turn.get("role") or "(no role)"))
    if role in OF_THE_CLIENT:
        return [f"{role}: {_own_words(part)}" for part in parts]
    return [f"{role}: {part_words(part, limit)}" for part in parts] or [f"{role}: (empty)"]


def _own_words(part: Mapping[str, Any]) -> str:
    """A client's own instructions, which are long and seldom the point."""
    size = len(str(part.get("text", "")))
    return part_words(part, 100) + (f" ({size} characters)" if size > 100 else "")


def observed_words(observed: Mapping[str, Any] | None, limit: int = 200) -> list[str]:
    """What came of a case: the turns that reached the model, or what stands in their place."""
    if observed is None or "redacted" in observed:
        return [_REDACTED]
    if observed.get("error"):
        return [f"nothing sent; the user sees: {one_line(str(observed['error']), limit)}"]
    lines = [line for turn in observed.get("messages", ()) for line in turn_words(turn, limit)]
    return lines or ["nothing reaches the model"]


def basis_words(basis: Mapping[str, Any]) -> str:
    """Why the rule may be asked for, in words that claim no more than is so."""
    section = visible(str(basis.get("section") or "the schema"))
    where = f"{section}, {basis['revision']}" if basis.get("revision") else section
    return {
        "must": f"the specification says MUST ({where})",
        "should": f"the specification says SHOULD ({where})",
        "schema": f"follows from the types of the schema ({where})",
    }.get(
        basis["kind"],
        "follows from what the server's author meant; the specification leaves rendering to the"
        " client, so this is no violation of it",
    )


def fault_words(finding: Mapping[str, Any]) -> Json:
    """The columns by which a finding is told: rule, part, level and aspect, `-` for none."""
    return {name: str(finding.get(name) or "-") for name in ("rule", "part", "level", "aspect")}
