"""Two thousand cases hold every member, kind, place and table entry, on each of three seeds.

What is missing fails by name.
"""

from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import Any

import pytest

from hypothesis_mcp import KINDS, cases
from hypothesis_mcp._cases import ERRORS, INPUTS
from hypothesis_mcp._listings import CURSORS
from hypothesis_mcp._prompts import DESCRIPTIONS
from hypothesis_mcp.canaries import CANARIES
from hypothesis_mcp.extras import extras_for, icon_sets, metas
from hypothesis_mcp.hard_strings import HARD_STRINGS
from hypothesis_mcp.media import AUDIO_TYPES, BLOB_TYPES, IMAGE_TYPES, TEXT_TYPES
from hypothesis_mcp.names import ARGUMENT_NAMES, PROMPT_NAMES
from hypothesis_mcp.revisions import NEWEST
from hypothesis_mcp.uris import LINK_NAMES, URIS
from hypothesis_mcp.values import VALUES

from .budget import FULL, walk

SEEDS = (1, 2, 3) if FULL else (1,)
ROLES = ("user", "assistant")

# Optional members of each type under the newest revision; "loose" ones are absent only in cases
# that break the prose.
MEMBERS = {
    "case": "arguments capabilities pages relist beside error input result strict",
    "result": "description _meta",
    "prompt": "title description arguments icons _meta",
    "argument": "title description required",
    "page": "cursor",
    "annotations": "audience priority lastModified",
    "icon": "mimeType sizes theme",
    "input": "requests state responses",
    "text": "annotations _meta",
    "image": "annotations _meta",
    "audio": "annotations _meta",
    "resource.text": "annotations _meta",
    "resource.blob": "annotations _meta",
    "resource.text contents": "mimeType _meta",
    "resource.blob contents": "mimeType _meta",
    "resource_link": "annotations _meta title description mimeType size icons",
}


def _presence(kind: str, data: Any) -> Iterator[str]:
    for member in MEMBERS[kind].split():
        yield f"{kind}: {member} {'present' if member in data else 'absent'}"


def kind_of(block: Any) -> str:
    if block["type"] != "resource":
        return str(block["type"])
    return "resource.blob" if "blob" in block["resource"] else "resource.text"


def _of_block(block: Any) -> Iterator[str]:
    kind = kind_of(block)
    yield from _presence(kind, block)
    inner = block.get("resource", block)
    if "resource" in block:
        yield from _presence(f"{kind} contents", inner)
    if "annotations" in block:
        yield from _presence("annotations", block["annotations"])
    for icon in block.get("icons", ()):
        yield from _presence("icon", icon)
    for extra in extras_for(NEWEST, kind):
        target = block.get(extra.where, {}) if extra.where else block
        if extra.key in target and target[extra.key] == extra.value:
            yield f"extra {extra.name}"
    if "mimeType" in inner:
        yield f"type of {kind}: {inner['mimeType']}"
    if kind == "resource_link":
        yield f"link name {inner['name']!r}"
    if "uri" in inner:
        yield f"uri {inner['uri']}"
    if inner.get("data") == "" or inner.get("blob") == "":
        yield f"{kind} without bytes"
    yield from _of_text(inner.get("text", ()))


def _of_text(template: Any) -> Iterator[str]:
    if isinstance(template, str):
        yield f"text {template!r}"
    for piece in [template] if isinstance(template, str) else template:
        if isinstance(piece, dict):
            yield "slot"
            continue
        for canary in CANARIES:
            if canary.text in piece:
                yield f"canary {canary.name}"


def _of_messages(messages: list[Any]) -> Iterator[str]:
    kinds = [kind_of(message["content"]) for message in messages]
    yield f"{len(messages)} messages"
    for i, message in enumerate(messages):
        place = "first" if i == 0 else "last" if i == len(messages) - 1 else "middle"
        yield f"{kinds[i]} {place}"
        yield f"{kinds[i]} from the {message['role']}"
        yield from _of_block(message["content"])
    for one, other in pairwise(kinds):
        yield f"{one} beside {other}"


def _of_prompt(prompt: Any) -> Iterator[str]:
    yield from _presence("prompt", prompt)
    yield f"prompt name {prompt['name']!r}"
    if "_meta" in prompt:
        yield f"prompt meta {prompt['_meta']}"
    if "icons" in prompt:
        yield f"prompt icons {prompt['icons']}"
    for member in ("title", "description"):
        if member in prompt:
            yield f"{member} {prompt[member]!r}"
    arguments = prompt.get("arguments", ())
    required = [argument.get("required", False) for argument in arguments]
    if "arguments" in prompt:
        yield f"{len(arguments)} arguments"
    if arguments and not any(required):
        yield "all optional"
    if any(b and not a for a, b in pairwise(required)):
        yield "required after optional"
    for argument in arguments:
        yield from _presence("argument", argument)
        yield f"argument name {argument['name']!r}"


def _of_pages(pages: list[Any]) -> Iterator[str]:
    sizes = [len(page["prompts"]) for page in pages]
    yield "one page" if len(pages) == 1 else "many pages"
    if 0 in sizes[1:-1]:
        yield "an empty page in the middle"
    if len(sizes) > 1 and sizes[-2] == sizes[-1]:
        yield "the last page exactly full"
    if sum(sizes) > 100:
        yield "hundreds of prompts"
    for page in pages:
        yield from _presence("page", page)
        if "cursor" in page:
            yield f"cursor {page['cursor']!r}"
        for entry in page["prompts"]:
            if entry != "@":
                yield from _of_prompt(entry["prompt"])


def facts_of(case: Any) -> Iterator[str]:
    """Everything that coverage is asked of, by name."""
    yield from _presence("case", case)
    yield from _presence("result", case.get("result", {}))
    yield from _of_messages(case["messages"])
    yield from _of_prompt(case["prompt"])
    yield from _of_pages(case.get("pages", [{"prompts": ["@"]}]))
    for value in case.get("arguments", {}).values():
        yield f"value {value!r}"
    if "error" in case:
        yield f"error on {case['error']['on']}"
        yield f"error {case['error']['code']} {case['error']['message']!r}"
    if "input" in case:
        yield from _presence("input", case["input"])
        yield f"input {case['input']}"


def expected() -> dict[str, set[str]]:
    """Every fact that has to be seen, by subject."""
    types = {
        "image": IMAGE_TYPES,
        "audio": AUDIO_TYPES,
        "resource.text": TEXT_TYPES,
        "resource.blob": BLOB_TYPES,
    }
    return {
        "members": {
            f"{kind}: {member} {how}"
            for kind, members in MEMBERS.items()
            for member in members.split()
            for how in ("present", "absent")
        },
        "places": {f"{kind} {place}" for kind in KINDS for place in ("first", "middle", "last")}
        | {f"{kind} from the {role}" for kind in KINDS for role in ROLES}
        | {f"{count} messages" for count in range(9)},
        "neighbours": {f"{one} beside {other}" for one in KINDS for other in KINDS},
        "hard strings": {f"text {text!r}" for text in HARD_STRINGS.values()},
        "canaries": {f"canary {canary.name}" for canary in CANARIES},
        "prompt names": {f"prompt name {name!r}" for name in PROMPT_NAMES.values()},
        "argument names": {f"argument name {name!r}" for name in ARGUMENT_NAMES.values()},
        "argument shapes": {"0 arguments", "12 arguments", "all optional", "slot"}
        | {"required after optional"},
        "values": {f"value {value!r}" for value in VALUES.values()},
        "media": {f"type of {kind}: {name}" for kind, names in types.items() for name in names}
        | {f"uri {uri}" for uri in URIS}
        | {f"{kind} without bytes" for kind in ("image", "audio", "resource.blob")},
        "extras": {f"extra {e.name}" for kind in KINDS for e in extras_for(NEWEST, kind)}
        | {f"link name {name!r}" for name in LINK_NAMES},
        "definitions": {f"prompt meta {meta}" for meta in metas()}
        | {f"prompt icons {icons}" for icons in icon_sets()}
        | {f"{member} {text!r}" for member in ("title", "description") for text in DESCRIPTIONS},
        "listings": {"one page", "many pages", "an empty page in the middle"}
        | {"the last page exactly full", "hundreds of prompts", "cursor ''"}
        | {f"cursor {cursor!r}" for cursor in CURSORS},
        "errors": {f"error {code} {message!r}" for code, message in ERRORS}
        | {f"error on prompts/{method}" for method in ("get", "list")}
        | {f"input {data}" for data in INPUTS},
    }


@cache
def seen(seed: int) -> frozenset[str]:
    """The facts of 2,000 cases."""
    facts: set[str] = set()
    walk(cases(strict=False, sandboxed=True), 2_000, seed, lambda c: facts.update(facts_of(c)))
    return frozenset(facts)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("subject", expected())
def test_everything_is_drawn_within_2000_cases(subject: str, seed: int) -> None:
    missing = sorted(fact[:60] for fact in expected()[subject] - seen(seed))
    assert not missing, "\n".join(missing)
