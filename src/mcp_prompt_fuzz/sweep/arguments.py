"""The traps that an invocation holds: its arguments, and the error that may answer it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from ..case import Case
from ..jsontypes import Json
from .pieces import says, swept, text_content

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


def _declares(*names: str, required: tuple[str, ...] = ()) -> Json:
    declared = [{"name": n, **({"required": True} if n in required else {})} for n in names]
    return {"name": "sweep-" + "-".join((*names, *required)), "arguments": declared}


def argument_cases(revision: str) -> Iterator[Case]:
    """Values of every sort, in every order, given and left out."""

    def asks(title: str, prompt: Json, **arguments: str) -> Case:
        slots: list[Any] = ["about "]
        for argument in prompt["arguments"]:
            slots += [{"argument": argument["name"]}, "; "]
        said = [says("user", text_content(slots))]
        return swept(revision, title, said, prompt=prompt, arguments=arguments)

    one, three = _declares("topic"), _declares("a", "b", "c")
    mixed = _declares("a", "b", required=("b",))
    many = _declares(*_LETTERS)
    yield asks("many hard values", many, **dict(zip(_LETTERS, _ARGUMENT_VALUES, strict=True)))
    yield asks("three arguments, the last one first, one empty", three, c="3rd", a="1st", b="")
    yield asks("the third argument alone", three, c="3rd")
    failing = {"on": "prompts/get", "code": -32603, "message": "the server says no"}
    hello = [says("user", text_content("hello"))]
    yield swept(revision, "an error from the server", hello, error=failing)
    yield asks("the required argument is missing", mixed, a="1st")
    yield asks("only the required argument", mixed, b="2nd")
    yield asks("three arguments", three, a="1st", b="2nd", c="3rd")
    yield asks("nothing given", three)
    for value in _ARGUMENT_VALUES:
        yield asks(f"the value {value!r}", one, topic=value)
    yield asks("both, the required one last", mixed, a="1st", b="2nd")
    keywords = _declares("self", "prompt_name", "arguments", "name")
    yield asks("names that host languages use", keywords, **dict.fromkeys(_KEYWORDS, "x y"))


_LETTERS: Final = "abcdefghijk"
_KEYWORDS: Final = ("self", "prompt_name", "arguments", "name")
