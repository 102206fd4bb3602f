"""The fixed cases that come before any drawing: rarity is the bottleneck of finding.

Between them they hold every hard string, every canary, every kind in both roles, every argument
trap and every shape of a listing, several to a case, in a fixed order.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, Final

from hypothesis_mcp.canaries import canaries_for
from hypothesis_mcp.hard_strings import HARD_STRINGS
from hypothesis_mcp.media import file_of
from hypothesis_mcp.revisions import kinds_of

from .case import Case, Kind
from .jsontypes import Json
from .rules import View

_TEXTS_A_CASE: Final = 8
_ARGUMENT_VALUES: Final = (
    "two words",
    "--name=value",
    "a=b",
    "$1",
    '"quoted"',
    "it's",
    "back\\slash",
    "two\nlines",
    " spaced ",
    "{{x}}",
    "https://example.com/?a=b&c=d",
)


def sweep(revision: str, view: View, *, sandboxed: bool = False) -> list[Case]:
    """The fixed cases for a renderer with that view, under that revision."""
    made = [*_kinds(revision), *_texts(revision, sandboxed), *_shapes(revision)]
    if view != "result":
        made += _arguments(revision)
    if view == "server":
        made += _listings(revision)
    return made


def _case(revision: str, title: str, messages: Iterable[Json], **members: Any) -> Case:
    prompt = members.pop("prompt", {"name": "sweep"})
    return Case(title, revision, prompt, tuple(messages), **members)


def _says(role: str, content: Json) -> Json:
    return {"role": role, "content": content}


def _text(text: str | list[Any]) -> Json:
    return {"type": "text", "text": text}


def _data(media_type: str, number: int = 0) -> str:
    return base64.b64encode(file_of(media_type, number)).decode("ascii")


def plain_content(kind: Kind, number: int = 0) -> Json:
    """The plainest content of a kind; another number, another content."""
    uri = f"file:///{'abcdefgh'[number % 8]}"
    match kind:
        case "text":
            return _text("abcdefgh"[number % 8])
        case "image":
            return {"type": "image", "data": _data("image/png", number), "mimeType": "image/png"}
        case "audio":
            return {"type": "audio", "data": _data("audio/wav", number), "mimeType": "audio/wav"}
        case "resource.text":
            document = {"uri": uri, "text": "abcdefgh"[number % 8], "mimeType": "text/plain"}
            return {"type": "resource", "resource": document}
        case "resource.blob":
            media_type = "application/octet-stream"
            document = {"uri": uri, "blob": _data(media_type, number), "mimeType": media_type}
            return {"type": "resource", "resource": document}
        case "resource_link":
            return {"type": "resource_link", "uri": uri, "name": "abcdefgh"[number % 8]}


def richest(revision: str) -> Case:
    """One case with every kind that the revision knows."""
    kinds = [k for k in _ALL_KINDS if k in kinds_of(revision)]
    said = [_says("user", plain_content(kind, n)) for n, kind in enumerate(kinds)]
    return _case(revision, "every kind, one after the other", said)


def _kinds(revision: str) -> Iterator[Case]:
    kinds: list[Kind] = [k for k in _ALL_KINDS if k in kinds_of(revision)]
    for kind in kinds:
        for role in ("user", "assistant"):
            yield _case(
                revision,
                f"{kind} from the {role}, between two texts",
                [
                    _says("user", _text("before")),
                    _says(role, plain_content(kind, 1)),
                    _says("user", _text("after")),
                ],
            )
    yield richest(revision)
    yield _case(
        revision,
        "every kind twice, the second from the assistant",
        [
            _says(role, plain_content(kind, n + shift))
            for role, shift in (("user", 0), ("assistant", 4))
            for n, kind in enumerate(kinds)
        ],
    )


_ALL_KINDS: Final[tuple[Kind, ...]] = (
    "text",
    "image",
    "audio",
    "resource.text",
    "resource.blob",
    "resource_link",
)


def _texts(revision: str, sandboxed: bool) -> Iterator[Case]:
    hard = list(HARD_STRINGS.values())
    canaries = [f"see {canary.text} here" for canary in canaries_for(sandboxed)]
    canaries += [canary.text for canary in canaries_for(sandboxed)]
    for title, texts in (("hard strings", hard), ("text that looks like a command", canaries)):
        for number, group in enumerate(_batched(texts, _TEXTS_A_CASE), start=1):
            said = [_says("user", _text(text)) for text in group]
            yield _case(revision, f"{title}, {number}", said)
    for number, group in enumerate(_batched(hard, _TEXTS_A_CASE), start=1):
        yield _case(
            revision,
            f"documents with hard strings, {number}",
            [
                _says("user", {"type": "resource", "resource": {"uri": f"file:///{n}", "text": t}})
                for n, t in enumerate(group)
            ],
        )


def _batched(texts: Iterable[str], size: int) -> Iterator[tuple[str, ...]]:
    rest = iter(texts)
    while batch := tuple(islice(rest, size)):
        yield batch


def _shapes(revision: str) -> Iterator[Case]:
    user, model = "user", "assistant"
    yield _case(revision, "no messages", [])
    yield _case(
        revision,
        "the same text twice, the same image twice",
        [_says(user, c) for c in (_text("twice"), _text("twice"))]
        + [_says(user, plain_content("image"))] * 2,
    )
    yield _case(
        revision,
        "a conversation that the assistant opens and ends",
        [_says(role, _text(f"{n} turn")) for n, role in enumerate((model, user, user, model))],
    )
    for audience in (["user"], ["assistant"], ["user", "assistant"]):
        annotations = {"audience": audience, "priority": 0}
        yield _case(
            revision,
            f"parts for {' and '.join(audience)}",
            [
                _says(user, {**plain_content(kind), "annotations": annotations})
                for kind in ("text", "image", "resource.text")
            ],
        )
    yield _case(
        revision,
        "parts with priority 0 and 1",
        [
            _says(user, {**plain_content(kind, n), "annotations": {"priority": n}})
            for n in (0, 1)
            for kind in ("text", "image")
        ],
    )
    yield _case(
        revision,
        "images of several types",
        [
            _says(user, {"type": "image", "data": _data(t, n), "mimeType": t})
            for n, t in enumerate(("image/png", "image/jpeg", "image/gif", "image/webp"))
        ],
    )
    more = ("image/svg+xml", "image/bmp", "image/PNG", "image/tiff")
    yield _case(
        revision,
        "images of rarer types",
        [
            _says(user, {"type": "image", "data": _data(t, n), "mimeType": t})
            for n, t in enumerate(more)
        ],
    )
    if "audio" in kinds_of(revision):
        sounds = ("audio/mpeg", "audio/flac", "audio/ogg", "audio/wav")
        yield _case(
            revision,
            "sounds of several types",
            [
                _says(user, {"type": "audio", "data": _data(t, n), "mimeType": t})
                for n, t in enumerate(sounds)
            ],
        )
    empty_image = {"type": "image", "data": "", "mimeType": "image/png"}
    empty_blob = {"type": "resource", "resource": {"uri": "file:///e", "blob": ""}}
    yield _case(
        revision,
        "empty parts between others",
        [_says(user, c) for c in (_text("a"), _text(""), empty_image, empty_blob, _text("b"))],
    )
    yield _case(
        revision,
        "a described result",
        [_says(user, _text("a"))],
        result={"description": "what it is", "_meta": {"example.invalid/note": 1}},
    )
    types = ("text/plain", "application/json", "image/png", "application/octet-stream")
    yield _case(
        revision,
        "blobs of several types",
        [
            _says(
                user,
                {
                    "type": "resource",
                    "resource": {"uri": f"file:///{n}", "blob": _data(t, n), "mimeType": t},
                },
            )
            for n, t in enumerate(types)
        ],
    )
    yield _case(revision, "long texts", [_says(user, _text(c * n)) for c, n in _LONG_TEXTS])
    if "resource_link" in kinds_of(revision):
        link = {
            "type": "resource_link",
            "uri": "https://example.com/a%20b?c=d&e=f",
            "name": "A & b",
            "title": 'The "title"',
            "description": "what <it> is",
            "mimeType": "text/html",
            "size": 12345,
        }
        yield _case(revision, "a link with all that can be said of it", [_says(user, link)])


_LONG_TEXTS: Final = (("a", 300), ("b", 1200), ("c", 5000), ("d", 20000))


def _declares(*names: str, required: tuple[str, ...] = ()) -> Json:
    declared = [{"name": n, **({"required": True} if n in required else {})} for n in names]
    return {"name": "sweep-" + "-".join((*names, *required)), "arguments": declared}


def _arguments(revision: str) -> Iterator[Case]:
    def asks(title: str, prompt: Json, **arguments: str) -> Case:
        slots: list[Any] = ["about "]
        for argument in prompt["arguments"]:
            slots += [{"argument": argument["name"]}, "; "]
        said = [_says("user", _text(slots))]
        return _case(revision, title, said, prompt=prompt, arguments=arguments)

    one, three = _declares("topic"), _declares("a", "b", "c")
    for value in _ARGUMENT_VALUES:
        yield asks(f"the value {value!r}", one, topic=value)
    yield asks("three arguments", three, a="1st", b="2nd", c="3rd")
    yield asks("three arguments, the last one first", three, c="3rd", a="1st", b="2nd")
    yield asks("the third argument alone", three, c="3rd")
    yield asks("the second argument, empty", three, a="1st", b="", c="3rd")
    yield asks("nothing given", three)
    mixed = _declares("a", "b", required=("b",))
    yield asks("only the required argument", mixed, b="2nd")
    yield asks("the required argument is missing", mixed, a="1st")
    yield asks("both, the required one last", mixed, a="1st", b="2nd")
    keywords = _declares("self", "prompt_name", "arguments", "name")
    yield asks("names that host languages use", keywords, **dict.fromkeys(_KEYWORDS, "x y"))


_KEYWORDS: Final = ("self", "prompt_name", "arguments", "name")


def _listings(revision: str) -> Iterator[Case]:
    said = [_says("user", _text("hello"))]

    def other(name: str) -> Json:
        return {"prompt": {"name": name}, "messages": [_says("user", _text("the other one"))]}

    yield _case(revision, "a server without prompts", said, capabilities={})
    first, last = {"prompts": [other("o1")], "cursor": "c1"}, {"prompts": ["@"]}
    middle = {"prompts": [other("o2")], "cursor": "c2"}
    empty = {"prompts": [], "cursor": "c2"}
    yield _case(revision, "the prompt on page three", said, pages=(first, middle, last))
    yield _case(revision, "an empty page in the middle", said, pages=(first, empty, last))
    if revision >= "2026-07-28":
        unnamed = {"prompts": [other("o1")], "cursor": ""}
        yield _case(revision, "a cursor that is empty", said, pages=(unnamed, last))
    failing = {"on": "prompts/get", "code": -32603, "message": "the server says no"}
    yield _case(revision, "an error from the server", said, error=failing)
    beside = {"second": {"capabilities": {"prompts": {}}, "pages": [{"prompts": [other("sweep")]}]}}
    yield _case(revision, "one name on two servers", said, beside=beside)
    for name in ("two words", "a/b", "a:b", "größe", "__proto__", "UPPER", "a.b"):
        yield _case(revision, f"a prompt named {name!r}", said, prompt={"name": name})
    clash = ({"prompts": [other("a_b"), "@"]},)
    yield _case(revision, "names equal after clean-up", said, prompt={"name": "a-b"}, pages=clash)
    own_first: tuple[Json, ...] = ({"prompts": ["@", other("a_b")]},)
    yield _case(
        revision,
        "names equal after clean-up, the own one first",
        said,
        prompt={"name": "a-b"},
        pages=own_first,
    )
    yield _case(
        revision,
        "a prompt that a change brings",
        said,
        prompt={"name": "late"},
        capabilities={"prompts": {"listChanged": True}},
        pages=({"prompts": [other("early")]},),
        relist=({"prompts": [other("early"), "@"]},),
    )
    described = {
        "name": "described",
        "description": "what it does",
        "arguments": [{"name": "topic", "description": "the topic", "required": True}],
    }
    yield _case(revision, "described", said, prompt=described, arguments={"topic": "x"})
