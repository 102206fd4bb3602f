"""The smallest cases for predicates on texts, arguments, names, listings and errors."""

from typing import Final

from .stated import (
    EMPTY_PAGE,
    Optimum,
    arguments,
    blocks,
    case,
    changes,
    given,
    one_argument,
    own_page,
    slots,
    text,
    texts,
    third_without_second,
    two_arguments,
    user,
)

TEXTS_AND_ASKING: Final[tuple[Optimum, ...]] = (
    # Texts.
    Optimum("an empty text", lambda c: "" in texts(c), case(user(text("")))),
    Optimum(
        "a text with U+2028",
        lambda c: any("\u2028" in text for text in texts(c)),
        case(user(text("\u2028"))),
    ),
    Optimum(
        "a text that changes under NFC",
        lambda c: any(changes("NFC", text) for text in texts(c)),
        case(user(text("\u212b"))),
    ),
    Optimum(
        "a text with a carriage return",
        lambda c: any("\r" in text for text in texts(c)),
        case(user(text("\r"))),
    ),
    Optimum(
        "a text with space at its end",
        lambda c: any(text != text.rstrip() and text.strip() for text in texts(c)),
        case(user(text("a "))),
    ),
    Optimum(
        "a text beyond the first plane",
        lambda c: any(ord(char) > 0xFFFF for text in texts(c) for char in text),
        case(user(text("\U0001f600"))),
    ),
    Optimum(
        "a text with NUL",
        lambda c: any("\0" in text for text in texts(c)),
        case(user(text("\0"))),
    ),
    Optimum(
        "a canary in a template",
        lambda c: any("$1" in str(block["text"]) for block in blocks(c, "text")),
        case(user(text("$1"))),
    ),
    Optimum(
        "two texts, the second blank",
        lambda c: any(
            a.strip() and not b.strip() for a, b in zip(texts(c), texts(c)[1:], strict=False)
        ),
        case(user(text()), user(text(""))),
    ),
    # Arguments.
    Optimum("an argument", lambda c: bool(arguments(c)), one_argument()),
    Optimum("an argument given", lambda c: bool(given(c)), one_argument("x")),
    Optimum(
        "a required argument left out",
        lambda c: any(a.get("required") and a["name"] not in given(c) for a in arguments(c)),
        one_argument(required=True),
    ),
    Optimum(
        "a required argument given",
        lambda c: any(a.get("required") and a["name"] in given(c) for a in arguments(c)),
        one_argument("x", required=True),
    ),
    Optimum(
        "an argument value that changes under NFC",
        lambda c: any(changes("NFC", value) for value in given(c).values()),
        one_argument("\u212b"),
    ),
    Optimum("an empty value", lambda c: "" in given(c).values(), one_argument("")),
    Optimum(
        "a value with an equals sign",
        lambda c: any("=" in value for value in given(c).values()),
        one_argument("a=b"),
    ),
    Optimum("two values", lambda c: len(given(c)) > 1, two_arguments({"a": "x", "b": "x"})),
    Optimum(
        "values not in the order of declaration",
        lambda c: list(given(c)) != [a["name"] for a in arguments(c) if a["name"] in given(c)],
        two_arguments({"b": "x", "a": "x"}),
    ),
    Optimum(
        "third argument given without the second",
        third_without_second,
        case(
            prompt={"name": "p", "arguments": [{"name": "a"}, {"name": "b"}, {"name": "c"}]},
            arguments={"c": "x"},
        ),
    ),
    Optimum(
        "required after optional",
        lambda c: any(
            b.get("required") and not a.get("required")
            for a, b in zip(arguments(c), arguments(c)[1:], strict=False)
        ),
        case(prompt={"name": "p", "arguments": [{"name": "a"}, {"name": "b", "required": True}]}),
    ),
    Optimum(
        "an empty list of arguments",
        lambda c: c["prompt"].get("arguments") == [],
        case(prompt={"name": "p", "arguments": []}),
    ),
    Optimum(
        "a slot in a text",
        lambda c: slots(c) > 0,
        case(user(text([{"argument": "a"}])), prompt={"name": "p", "arguments": [{"name": "a"}]}),
    ),
    # Names, listings, errors.
    Optimum(
        "a prompt name with a space inside",
        lambda c: " " in c["prompt"]["name"].strip(),
        case(prompt={"name": "a b"}),
    ),
    Optimum(
        "an argument named __proto__",
        lambda c: any(a["name"] == "__proto__" for a in arguments(c)),
        case(prompt={"name": "p", "arguments": [{"name": "__proto__"}]}),
    ),
    Optimum(
        "a prompt with a title",
        lambda c: bool(c["prompt"].get("title")),
        case(prompt={"name": "p", "title": "A"}),
    ),
    Optimum(
        "a prompt on page two",
        lambda c: own_page(c) >= 1,
        case(pages=[EMPTY_PAGE, {"prompts": ["@"]}]),
    ),
    Optimum(
        "a prompt on page three",
        lambda c: own_page(c) >= 2,
        case(pages=[EMPTY_PAGE, {"prompts": [], "cursor": "0"}, {"prompts": ["@"]}]),
    ),
    Optimum(
        "an error on prompts/get",
        lambda c: c.get("error", {}).get("on") == "prompts/get",
        case(error={"on": "prompts/get", "code": -32603, "message": "e"}),
    ),
    Optimum(
        "a server that declares no prompts",
        lambda c: c.get("capabilities") == {},
        case(capabilities={}),
    ),
    Optimum(
        "an input round with state alone",
        lambda c: set(c.get("input", {})) == {"state"},
        case(input={"state": "s"}),
    ),
)
"""Predicates on texts, arguments, names, listings and errors."""
