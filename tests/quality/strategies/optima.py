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
from hypothesis_mcp.wire import get_prompt_result

Json = dict[str, Any]

__all__ = ["OPTIMA", "Optimum", "size_of"]

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


def _text(text: Any = "a") -> Json:
    return {"type": "text", "text": text}


def _image(mime_type: str = "image/png", n: int = 0) -> Json:
    return {"type": "image", "data": base64_file_of(mime_type, n), "mimeType": mime_type}


def _audio() -> Json:
    return {"type": "audio", "data": base64_file_of("audio/wav", 0), "mimeType": "audio/wav"}


def _document(text: Any = "a", uri: str = "pfz://a", mime_type: str = "text/plain") -> Json:
    return {"type": "resource", "resource": {"uri": uri, "mimeType": mime_type, "text": text}}


def _blob(mime_type: str = "application/octet-stream", uri: str = "pfz://a") -> Json:
    inner = {"uri": uri, "mimeType": mime_type, "blob": base64_file_of(mime_type, 0)}
    return {"type": "resource", "resource": inner}


def _link(**more: Any) -> Json:
    return {"type": "resource_link", "uri": "pfz://a", "name": "a", **more}


def _user(block: Json) -> Json:
    return {"role": "user", "content": block}


def _assistant(block: Json) -> Json:
    return {"role": "assistant", "content": block}


def _case(*messages: Json, prompt: Json | None = None, **more: Any) -> Json:
    return {
        "prompt": prompt or {"name": "p"},
        "messages": list(messages) or [_user(_text())],
        **more,
    }


def _blocks(case: Json, kind: str) -> list[Json]:
    found = []
    for message in case["messages"]:
        block = message["content"]
        name = block["type"]
        if name == "resource":
            name = "resource.text" if "text" in block["resource"] else "resource.blob"
        if name == kind:
            found.append(block)
    return found


def _essence(block: Json) -> str:
    return str(block["mimeType"]).lower().partition(";")[0]


def _shape(case: Json) -> list[tuple[str, str]]:
    return [(message["role"], message["content"]["type"]) for message in case["messages"]]


def _texts(case: Json) -> list[str]:
    blocks = [message["content"] for message in get_prompt_result(case)["messages"]]
    return [block["text"] for block in blocks if block["type"] == "text"]


def _arguments(case: Json) -> list[Json]:
    declared: list[Json] = case["prompt"].get("arguments", [])
    return declared


def _given(case: Json) -> dict[str, str]:
    given: dict[str, str] = case.get("arguments", {})
    return given


def _slots(case: Json) -> int:
    texts = [block["text"] for block in _blocks(case, "text")]
    return sum(
        isinstance(piece, dict) for text in texts if isinstance(text, list) for piece in text
    )


def _own_page(case: Json) -> int:
    pages = case.get("pages", [])
    return next((i for i, page in enumerate(pages) if "@" in page["prompts"]), -1)


def _third_without_second(case: Json) -> bool:
    names = [argument["name"] for argument in _arguments(case)]
    return len(names) > 2 and names[2] in _given(case) and names[1] not in _given(case)


def _changes(form: str, text: str) -> bool:
    return unicodedata.normalize(form, text) != text  # type: ignore[arg-type]


def _two_arguments(given: Json) -> Json:
    return _case(prompt={"name": "p", "arguments": [{"name": "a"}, {"name": "b"}]}, arguments=given)


def _one_argument(value: str | None = None, **more: Any) -> Json:
    prompt = {"name": "p", "arguments": [{"name": "a", **more}]}
    return _case(prompt=prompt, **({} if value is None else {"arguments": {"a": value}}))


_EMPTY_PAGE: Final = {"prompts": [], "cursor": "1"}

OPTIMA: Final[tuple[Optimum, ...]] = (
    # Kinds and roles.
    Optimum("anything", lambda c: True, _case()),
    Optimum("no messages", lambda c: not c["messages"], {"prompt": {"name": "p"}, "messages": []}),
    Optimum("an image", lambda c: bool(_blocks(c, "image")), _case(_user(_image()))),
    Optimum("an audio part", lambda c: bool(_blocks(c, "audio")), _case(_user(_audio()))),
    Optimum("a document", lambda c: bool(_blocks(c, "resource.text")), _case(_user(_document()))),
    Optimum("a blob", lambda c: bool(_blocks(c, "resource.blob")), _case(_user(_blob()))),
    Optimum("a link", lambda c: bool(_blocks(c, "resource_link")), _case(_user(_link()))),
    Optimum(
        "an assistant's turn",
        lambda c: any(role == "assistant" for role, _ in _shape(c)),
        _case(_assistant(_text())),
    ),
    Optimum(
        "an audio part from the assistant",
        lambda c: ("assistant", "audio") in _shape(c),
        _case(_assistant(_audio())),
    ),
    Optimum(
        "a link from the assistant",
        lambda c: ("assistant", "resource_link") in _shape(c),
        _case(_assistant(_link())),
    ),
    Optimum("two messages", lambda c: len(c["messages"]) > 1, _case(*[_user(_text())] * 2)),
    Optimum("three messages", lambda c: len(c["messages"]) > 2, _case(*[_user(_text())] * 3)),
    Optimum("five messages", lambda c: len(c["messages"]) > 4, _case(*[_user(_text())] * 5)),
    Optimum(
        "the assistant last, after a user",
        lambda c: [r for r, _ in _shape(c)][-2:] == ["user", "assistant"],
        _case(_user(_text()), _assistant(_text())),
    ),
    Optimum(
        "two turns of the assistant in a row",
        lambda c: any(
            a == b == "assistant" for (a, _), (b, _) in zip(_shape(c), _shape(c)[1:], strict=False)
        ),
        _case(_assistant(_text()), _assistant(_text())),
    ),
    Optimum(
        "an image between two texts",
        lambda c: "text image text" in " ".join(kind for _, kind in _shape(c)),
        _case(_user(_text()), _user(_image()), _user(_text())),
    ),
    Optimum(
        "an image after a text",
        lambda c: "text image" in " ".join(kind for _, kind in _shape(c)),
        _case(_user(_text()), _user(_image())),
    ),
    Optimum(
        "a blob before a link",
        lambda c: (
            "blob" in str(_blocks(c, "resource.blob"))
            and "resource resource_link" in " ".join(kind for _, kind in _shape(c))
            and any(
                "blob" in a["content"].get("resource", {})
                and b["content"]["type"] == "resource_link"
                for a, b in zip(c["messages"], c["messages"][1:], strict=False)
            )
        ),
        _case(_user(_blob()), _user(_link())),
    ),
    # Media and metadata.
    Optimum(
        "two images with different types",
        lambda c: len({_essence(block) for block in _blocks(c, "image")}) > 1,
        _case(_user(_image()), _user(_image("image/gif"))),
    ),
    Optimum(
        "the same image twice",
        lambda c: len(_blocks(c, "image")) > len({b["data"] for b in _blocks(c, "image")}),
        _case(*[_user(_image())] * 2),
    ),
    Optimum(
        "two images of one type with different bytes",
        lambda c: (
            len({b["data"] for b in _blocks(c, "image")})
            > len({b["mimeType"] for b in _blocks(c, "image")})
        ),
        _case(_user(_image()), _user(_image(n=1))),
    ),
    Optimum(
        "an image that isn't PNG",
        lambda c: any(_essence(b) != "image/png" for b in _blocks(c, "image")),
        _case(_user(_image("image/gif"))),
    ),
    Optimum(
        "an upper-case image type",
        lambda c: any(b["mimeType"] != b["mimeType"].lower() for b in _blocks(c, "image")),
        _case(_user(_image("image/PNG"))),
    ),
    Optimum(
        "the same URI in two documents",
        lambda c: (
            len(_blocks(c, "resource.text"))
            > len({b["resource"]["uri"] for b in _blocks(c, "resource.text")})
        ),
        _case(*[_user(_document())] * 2),
    ),
    Optimum(
        "two documents with different URIs",
        lambda c: len({b["resource"]["uri"] for b in _blocks(c, "resource.text")}) > 1,
        _case(_user(_document()), _user(_document(uri="pfz://b"))),
    ),
    Optimum(
        "an empty blob",
        lambda c: any(b["resource"]["blob"] == "" for b in _blocks(c, "resource.blob")),
        _case(
            _user(
                {
                    "type": "resource",
                    "resource": {"uri": "pfz://a", "mimeType": "image/png", "blob": ""},
                }
            )
        ),
    ),
    Optimum(
        "a document that isn't plain text",
        lambda c: any(_essence(b["resource"]) != "text/plain" for b in _blocks(c, "resource.text")),
        _case(_user(_document(mime_type="text/csv"))),
    ),
    Optimum(
        "a part for the user alone",
        lambda c: any(
            m["content"].get("annotations", {}).get("audience") == ["user"] for m in c["messages"]
        ),
        _case(_user({**_text(), "annotations": {"audience": ["user"]}})),
    ),
    Optimum(
        "a priority of one",
        lambda c: any(
            m["content"].get("annotations", {}).get("priority") == 1 for m in c["messages"]
        ),
        _case(_user({**_text(), "annotations": {"priority": 1}})),
    ),
    Optimum(
        "a link with a title",
        lambda c: any(b.get("title") for b in _blocks(c, "resource_link")),
        _case(_user(_link(title="A"))),
    ),
    Optimum(
        "an image with _meta",
        lambda c: any("_meta" in b for b in _blocks(c, "image")),
        _case(_user({**_image(), "_meta": {}})),
    ),
    # Texts.
    Optimum("an empty text", lambda c: "" in _texts(c), _case(_user(_text("")))),
    Optimum(
        "a text with U+2028",
        lambda c: any("\u2028" in text for text in _texts(c)),
        _case(_user(_text("\u2028"))),
    ),
    Optimum(
        "a text that changes under NFC",
        lambda c: any(_changes("NFC", text) for text in _texts(c)),
        _case(_user(_text("\u212b"))),
    ),
    Optimum(
        "a text with a carriage return",
        lambda c: any("\r" in text for text in _texts(c)),
        _case(_user(_text("\r"))),
    ),
    Optimum(
        "a text with space at its end",
        lambda c: any(text != text.rstrip() and text.strip() for text in _texts(c)),
        _case(_user(_text("a "))),
    ),
    Optimum(
        "a text beyond the first plane",
        lambda c: any(ord(char) > 0xFFFF for text in _texts(c) for char in text),
        _case(_user(_text("\U0001f600"))),
    ),
    Optimum(
        "a text with NUL",
        lambda c: any("\0" in text for text in _texts(c)),
        _case(_user(_text("\0"))),
    ),
    Optimum(
        "a canary in a template",
        lambda c: any("$1" in str(block["text"]) for block in _blocks(c, "text")),
        _case(_user(_text("$1"))),
    ),
    Optimum(
        "two texts, the second blank",
        lambda c: any(
            a.strip() and not b.strip() for a, b in zip(_texts(c), _texts(c)[1:], strict=False)
        ),
        _case(_user(_text()), _user(_text(""))),
    ),
    # Arguments.
    Optimum("an argument", lambda c: bool(_arguments(c)), _one_argument()),
    Optimum("an argument given", lambda c: bool(_given(c)), _one_argument("x")),
    Optimum(
        "a required argument left out",
        lambda c: any(a.get("required") and a["name"] not in _given(c) for a in _arguments(c)),
        _one_argument(required=True),
    ),
    Optimum(
        "a required argument given",
        lambda c: any(a.get("required") and a["name"] in _given(c) for a in _arguments(c)),
        _one_argument("x", required=True),
    ),
    Optimum(
        "an argument value that changes under NFC",
        lambda c: any(_changes("NFC", value) for value in _given(c).values()),
        _one_argument("\u212b"),
    ),
    Optimum("an empty value", lambda c: "" in _given(c).values(), _one_argument("")),
    Optimum(
        "a value with an equals sign",
        lambda c: any("=" in value for value in _given(c).values()),
        _one_argument("a=b"),
    ),
    Optimum("two values", lambda c: len(_given(c)) > 1, _two_arguments({"a": "x", "b": "x"})),
    Optimum(
        "values not in the order of declaration",
        lambda c: list(_given(c)) != [a["name"] for a in _arguments(c) if a["name"] in _given(c)],
        _two_arguments({"b": "x", "a": "x"}),
    ),
    Optimum(
        "third argument given without the second",
        _third_without_second,
        _case(
            prompt={"name": "p", "arguments": [{"name": "a"}, {"name": "b"}, {"name": "c"}]},
            arguments={"c": "x"},
        ),
    ),
    Optimum(
        "required after optional",
        lambda c: any(
            b.get("required") and not a.get("required")
            for a, b in zip(_arguments(c), _arguments(c)[1:], strict=False)
        ),
        _case(prompt={"name": "p", "arguments": [{"name": "a"}, {"name": "b", "required": True}]}),
    ),
    Optimum(
        "an empty list of arguments",
        lambda c: c["prompt"].get("arguments") == [],
        _case(prompt={"name": "p", "arguments": []}),
    ),
    Optimum(
        "a slot in a text",
        lambda c: _slots(c) > 0,
        _case(
            _user(_text([{"argument": "a"}])), prompt={"name": "p", "arguments": [{"name": "a"}]}
        ),
    ),
    # Names, listings, errors.
    Optimum(
        "a prompt name with a space inside",
        lambda c: " " in c["prompt"]["name"].strip(),
        _case(prompt={"name": "a b"}),
    ),
    Optimum(
        "an argument named __proto__",
        lambda c: any(a["name"] == "__proto__" for a in _arguments(c)),
        _case(prompt={"name": "p", "arguments": [{"name": "__proto__"}]}),
    ),
    Optimum(
        "a prompt with a title",
        lambda c: bool(c["prompt"].get("title")),
        _case(prompt={"name": "p", "title": "A"}),
    ),
    Optimum(
        "a prompt on page two",
        lambda c: _own_page(c) >= 1,
        _case(pages=[_EMPTY_PAGE, {"prompts": ["@"]}]),
    ),
    Optimum(
        "a prompt on page three",
        lambda c: _own_page(c) >= 2,
        _case(pages=[_EMPTY_PAGE, {"prompts": [], "cursor": "0"}, {"prompts": ["@"]}]),
    ),
    Optimum(
        "an error on prompts/get",
        lambda c: c.get("error", {}).get("on") == "prompts/get",
        _case(error={"on": "prompts/get", "code": -32603, "message": "e"}),
    ),
    Optimum(
        "a server that declares no prompts",
        lambda c: c.get("capabilities") == {},
        _case(capabilities={}),
    ),
    Optimum(
        "an input round with state alone",
        lambda c: set(c.get("input", {})) == {"state"},
        _case(input={"state": "s"}),
    ),
)
"""Every predicate with its optimum."""
