"""The headline of a bug report: what goes wrong, in the words of whoever has to mend it."""

from __future__ import annotations

from typing import Final

from ..finding import Finding

_KINDS: Final = {
    "text": "a text",
    "image": "an image",
    "audio": "a sound",
    "resource.text": "an embedded text document",
    "resource.blob": "an embedded binary document",
    "resource_link": "a resource link",
    "any": "any part",
}

_FATES: Final = {
    "lost": "{part} of an MCP prompt never reaches the model",
    "altered": "{part} of an MCP prompt reaches the model changed",
    "announced": "{part} of an MCP prompt is replaced by a placeholder",
    "refused": "an MCP prompt that holds {part} is refused",
}

_RULES: Final = {
    "metadata": "what an MCP prompt says about {part} never reaches the model",
    "provider": "an MCP prompt becomes a request that the model's provider rejects",
    "order": "the order of an MCP prompt is lost",
    "roles": "who says what in an MCP prompt is lost",
    "distinct": "MCP prompts that differ in meaning reach the model as the same thing",
    "inert": "text of an MCP prompt is expanded as if the user had typed it",
    "audience": "a part of an MCP prompt that is meant for the assistant never reaches it",
    "arguments.named": "a prompt argument reaches the server under another name",
    "arguments.verbatim": "a prompt argument reaches the server changed, or not at all",
    "arguments.omitted": "prompt arguments that are left out, and empty ones, are confused",
    "arguments.subsets": "a prompt argument can't be given without an optional one before it",
    "arguments.required": "a missing required prompt argument goes unnoticed",
    "arguments.order": "the order in which prompt arguments are declared changes the outcome",
    "list.gated": "prompts are asked of a server that declares none",
    "list.complete": "not every page of a server's prompts is listed",
    "list.reachable": "a listed prompt can't be had",
    "list.described": "the listing of prompts leaves out what a server says of them",
    "list.fresh": "a changed listing of prompts is not picked up",
    "errors": "a server's error on a prompt is not shown",
    "isolated": "one prompt leaves something behind in the next",
    "robust": "a valid MCP prompt breaks the client",
}

_UNKNOWN: Final = "{part} of an MCP prompt does not reach the model as it should"

_RAN: Final = {
    "shell": "text of an MCP prompt is run by a shell",
    "mention": "text of an MCP prompt makes the client read a file",
}


def title_of(finding: Finding) -> str:
    """One line without the client's name; the aspect stands in brackets where there is one."""
    fault = finding.fault
    if finding.unsafe and fault.aspect in _RAN:
        return _RAN[fault.aspect]
    aspect = f" ({fault.aspect})" if fault.aspect else ""
    template = _RULES.get(fault.rule) or _FATES.get(fault.level or "", _UNKNOWN)
    return template.format(part=_KINDS.get(fault.part or "", "a part")) + aspect
