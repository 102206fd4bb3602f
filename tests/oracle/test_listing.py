"""What a client asks of the server besides the prompt itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from tests.fakes.clients import Client
from tests.fakes.faulty import asking, case, said
from tests.fakes.shapes_messages import one_part_a_message

from mcp_prompt_fuzz.case import Case
from mcp_prompt_fuzz.finding import Fault
from mcp_prompt_fuzz.jsontypes import Json
from mcp_prompt_fuzz.oracle import Judgement
from mcp_prompt_fuzz.rendering import Rendering, Request

from .looking import Render, asked, faults, got, judgement, only, turn

FAITHFUL = Client(one_part_a_message)().render
HELLO = case(said("hello"))


def answering(*requests: Request, listing: Sequence[Json] | None = None, **members: Any) -> Render:
    """A client that was seen to make these requests, and rendered the case well."""

    def render(which: Case) -> Rendering:
        rendering = FAITHFUL(which)
        shown = None if listing is None else tuple(listing)
        return replace(rendering, requests=requests, listing=shown, **members)

    return render


def server_faults(render: Render, which: Case, **members: Any) -> list[Fault]:
    return faults(render, which, "server", **members)


def server_judgement(render: Render, which: Case, **members: Any) -> Judgement:
    return judgement(render, which, "server", **members)


def other(name: str) -> Json:
    return {"prompt": {"name": name}, "messages": [said("other")]}


LIST = replace(asked("prompts/list"), phase="list")


def page(cursor: str) -> Request:
    return replace(asked("prompts/list", cursor=cursor), phase="list")


def test_a_faithful_client() -> None:
    for which in (
        HELLO,
        case(said("a"), capabilities={}),
        case(said("a"), pages=({"prompts": [], "cursor": "1"}, {"prompts": ["@", other("o")]})),
        case(said("a"), relist=({"prompts": ["@"]},), pages=({"prompts": [other("o")]},)),
        case(said("a"), beside={"b": {"capabilities": {}, "pages": [{"prompts": []}]}}),
        asking("a", "b", required=["a"]),
    ):
        assert server_faults(FAITHFUL, which) == []


@pytest.mark.parametrize("method", ["prompts/list", "prompts/get"])
def test_asking_a_server_without_prompts(method: str) -> None:
    gated = case(said("a"), capabilities={"tools": {}})
    found = only(server_judgement(answering(asked(method)), gated).found)
    assert found.fault == Fault("list.gated")
    assert (found.severity, found.grade) == ("loss", "")
    assert found.note == f"{method} is sent to a server that did not declare prompts"
    assert server_faults(answering(asked("tools/list")), gated) == []
    assert Fault("list.gated") not in server_faults(answering(asked(method)), HELLO)


def test_asking_another_server_without_prompts() -> None:
    beside = case(said("a"), beside={"b": {"capabilities": {}, "pages": [{"prompts": []}]}})
    render = answering(LIST, replace(LIST, server="b"), got())
    assert server_faults(render, beside) == [Fault("list.gated")]
    open_ = case(
        said("a"), beside={"b": {"capabilities": {"prompts": {}}, "pages": [{"prompts": []}]}}
    )
    assert server_faults(render, open_) == []
    unstated = case(said("a"), beside={"b": {"pages": [{"prompts": []}]}})
    assert server_faults(render, unstated) == []


PAGES = (
    {"prompts": [other("o")], "cursor": "one"},
    {"prompts": [], "cursor": "two"},
    {"prompts": ["@"]},
)


@pytest.mark.parametrize(
    ("cursors", "missing"), [(["one", "two"], 0), (["one"], 3), ([], 2), (["two", "one"], 0)]
)
def test_pages_that_are_never_fetched(cursors: list[str], missing: int) -> None:
    paged = case(said("a"), pages=PAGES)
    render = answering(LIST, *map(page, cursors), got())
    found = server_judgement(render, paged).found
    assert [f.fault for f in found] == ([Fault("list.complete")] if missing else [])
    if missing:
        assert found[0].note == f"page {missing} of the listing is never fetched"
        assert found[0].severity == "loss"


def test_a_prompt_that_is_on_no_page_that_was_fetched_is_not_called_unreachable() -> None:
    render = answering(LIST)
    assert server_faults(render, case(said("a"), pages=PAGES)) == [Fault("list.complete")]


def test_pages_of_another_server() -> None:
    beside = case(said("a"), beside={"b": {"pages": [PAGES[0], {"prompts": []}]}})
    unread = answering(LIST, replace(LIST, server="b"), got())
    assert server_faults(unread, beside) == [Fault("list.complete")]
    assert server_faults(answering(LIST, got()), beside) == []


def test_an_empty_cursor_is_no_end_in_the_newest_revision_only() -> None:
    paged = case(said("a"), pages=({"prompts": [], "cursor": ""}, {"prompts": ["@"]}))
    unread = answering(LIST, got())
    assert server_faults(unread, paged) == [Fault("list.complete", aspect="empty cursor")]
    assert server_faults(unread, paged, revision="2025-11-25") == []


def test_a_listing_that_ends_with_an_error_has_no_more_pages() -> None:
    error = {"on": "prompts/list", "code": -32603, "message": "boom"}
    assert server_faults(FAITHFUL, case(said("a"), pages=PAGES, error=error)) == []


def test_without_a_listing_no_list_rule_is_checked() -> None:
    checks = server_judgement(answering(got()), HELLO).checks
    assert checks["list.gated"] == 1
    assert not {"list.complete", "list.described", "list.fresh"} & set(checks)


@pytest.mark.parametrize(
    "request_",
    [
        got("q"),
        got(server="other"),
        replace(got(), phase="list"),
        asked("prompts/list"),
    ],
)
def test_a_prompt_that_cannot_be_had(request_: Request) -> None:
    found = only(server_judgement(answering(LIST, request_), HELLO).found)
    assert found.fault == Fault("list.reachable")
    assert found.severity == "loss"
    assert found.note.partition(";")[0] == "the prompt 'p' is listed and can't be had"


def test_what_is_asked_for_instead_is_told() -> None:
    nothing = only(server_judgement(answering(LIST, asked("prompts/list")), HELLO).found)
    assert nothing.note == "the prompt 'p' is listed and can't be had"
    others = answering(LIST, asked("prompts/list"), got("q", "b"), got("r"))
    found = only(server_judgement(others, HELLO).found)
    assert found.note == f"{nothing.note}; instead: b: 'q', main: 'r'"


def test_a_prompt_that_is_not_listed_need_not_be_reached() -> None:
    assert server_faults(answering(LIST), case(said("a"), pages=({"prompts": []},))) == []


DESCRIBED = case(
    said("a"),
    prompt={
        "name": "p",
        "title": "T",
        "description": "D",
        "arguments": [{"name": "a", "required": True}, {"name": "b"}],
    },
    arguments={"a": "x"},
)


_TOLD = {
    "title": "the title of a prompt is not shown in the listing",
    "description": "the description of a prompt is not shown in the listing",
    "arguments": "the name of an argument is not shown in the listing",
    "required": "which arguments are required is not shown in the listing",
}


@pytest.mark.parametrize(
    ("entry", "aspects"),
    [
        (DESCRIBED.prompt, []),
        ({**DESCRIBED.prompt, "server": "main"}, []),
        ({**DESCRIBED.prompt, "title": None}, ["title"]),
        ({**DESCRIBED.prompt, "description": ""}, ["description"]),
        ({"name": "p", "arguments": DESCRIBED.prompt["arguments"]}, ["title", "description"]),
        ({**DESCRIBED.prompt, "arguments": []}, ["arguments"]),
        ({**DESCRIBED.prompt, "arguments": None}, ["arguments"]),
        ({**DESCRIBED.prompt, "arguments": [{"name": "a"}, {"name": "b"}]}, ["required"]),
        (
            {
                **DESCRIBED.prompt,
                "arguments": [{"name": "a", "required": True}, {"name": "b", "required": True}],
            },
            ["required"],
        ),
        (
            {
                **DESCRIBED.prompt,
                "arguments": [{"name": "a", "required": True}, {"name": "b", "required": False}],
            },
            [],
        ),
        ({"name": "q"}, []),
        ({"name": "p", "server": "other"}, []),
    ],
)
def test_what_a_listing_shows(entry: Json, aspects: list[str]) -> None:
    render = answering(LIST, got(a="x"), listing=[entry])
    found = server_judgement(render, DESCRIBED, wanted=frozenset({"list.described"})).found
    assert [f.fault for f in found] == [Fault("list.described", aspect=a) for a in aspects]
    assert [f.note for f in found] == [_TOLD[aspect] for aspect in aspects]
    assert all(f.severity == "notice" for f in found)


def test_nothing_is_asked_of_a_plain_prompt() -> None:
    assert server_faults(answering(LIST, got(), listing=[{"name": "p"}]), HELLO) == []


def test_a_change_that_is_not_picked_up() -> None:
    changed = case(said("a"), relist=({"prompts": ["@"]},))
    found = only(server_judgement(answering(LIST, got()), changed).found)
    assert (found.fault, found.severity) == (Fault("list.fresh"), "notice")
    assert found.note == "the listing is not read again once it has changed"
    assert server_faults(answering(LIST, LIST, got()), changed) == []
    paged = case(said("a"), relist=({"prompts": ["@"]},), pages=PAGES)
    once = answering(LIST, page("one"), page("two"), got())
    assert server_faults(once, paged) == [Fault("list.fresh")]


def test_a_stale_listing_explains_that_a_prompt_cannot_be_had() -> None:
    changed = case(said("a"), relist=({"prompts": ["@"]},), pages=({"prompts": []},))
    assert server_faults(answering(LIST), changed) == [Fault("list.fresh")]


def test_a_required_argument_that_is_missing() -> None:
    lacking = asking("a", required=["a"], messages=[said("m")])
    sent = answering(LIST, got(), error=None, turns=(turn("user", "m"),))
    found = only(server_judgement(sent, lacking).found)
    assert (found.fault, found.severity) == (Fault("arguments.required"), "loss")
    assert (
        found.note == "a required argument is missing, and the model is asked as if all were well"
    )
    nothing = answering(LIST, got(), error=None, turns=())
    assert server_faults(nothing, lacking) == []
    assert server_faults(FAITHFUL, lacking) == []


SENT: dict[str, Any] = {"error": None, "turns": (turn("user", "m"),)}
FAILING = case(said("a"), error={"on": "prompts/get", "code": -32603, "message": "boom"})


@pytest.mark.parametrize(
    ("rule", "render", "which"),
    [
        ("list.gated", answering(LIST), case(said("a"), capabilities={})),
        ("list.complete", answering(LIST, got()), case(said("a"), pages=PAGES)),
        ("list.described", answering(LIST, got(a="x"), listing=[{"name": "p"}]), DESCRIBED),
        ("list.fresh", answering(LIST, got()), case(said("a"), relist=({"prompts": ["@"]},))),
        ("list.reachable", answering(LIST), HELLO),
        ("errors", answering(LIST, replace(got(), error=-32603), **SENT), FAILING),
        ("arguments.required", answering(LIST, got(), **SENT), asking("a", required=["a"])),
    ],
)
def test_each_rule_can_be_judged_alone(rule: str, render: Render, which: Case) -> None:
    seen = server_judgement(render, which, wanted=frozenset({rule}))
    assert {found.fault.rule for found in seen.found} == {rule}
    assert seen.checks[rule] == 1
    others = server_judgement(render, which, wanted=frozenset({"image"}))
    assert others.found == []
    assert rule not in others.checks
