"""The shapes that listings have, and the names that prompts have in them."""

from __future__ import annotations

from collections.abc import Iterator

from ..case import Case
from ..jsontypes import Json
from .pieces import says, swept, text_content


def listing_cases(revision: str) -> Iterator[Case]:
    """Pages, gates, errors, changes, other servers, odd names."""

    said = [says("user", text_content("hello"))]

    def other(name: str) -> Json:
        return {"prompt": {"name": name}, "messages": [says("user", text_content("the other one"))]}

    yield swept(revision, "a server without prompts", said, capabilities={})
    first, last = {"prompts": [other("o1")], "cursor": "c1"}, {"prompts": ["@"]}
    middle = {"prompts": [other("o2")], "cursor": "c2"}
    empty = {"prompts": [], "cursor": "c2"}
    yield swept(revision, "the prompt on page three", said, pages=(first, middle, last))
    clash = ({"prompts": [other("a_b"), "@"]},)
    yield swept(revision, "names equal after clean-up", said, prompt={"name": "a-b"}, pages=clash)
    own_first: tuple[Json, ...] = ({"prompts": ["@", other("a_b")]},)
    yield swept(
        revision,
        "names equal after clean-up, the own one first",
        said,
        prompt={"name": "a-b"},
        pages=own_first,
    )
    described = {
        "name": "described",
        "description": "what it does",
        "arguments": [{"name": "topic", "description": "the topic", "required": True}],
    }
    yield swept(revision, "described", said, prompt=described, arguments={"topic": "x"})
    yield swept(revision, "an empty page in the middle", said, pages=(first, empty, last))
    if revision >= "2026-07-28":
        unnamed = {"prompts": [other("o1")], "cursor": ""}
        yield swept(revision, "a cursor that is empty", said, pages=(unnamed, last))
    beside = {"second": {"capabilities": {"prompts": {}}, "pages": [{"prompts": [other("sweep")]}]}}
    yield swept(revision, "one name on two servers", said, beside=beside)
    for name in ("two words", "a/b", "a:b", "größe", "__proto__", "UPPER", "a.b"):
        yield swept(revision, f"a prompt named {name!r}", said, prompt={"name": name})
    yield swept(
        revision,
        "a prompt that a change brings",
        said,
        prompt={"name": "late"},
        capabilities={"prompts": {"listChanged": True}},
        pages=({"prompts": [other("early")]},),
        relist=({"prompts": [other("early"), "@"]},),
    )
