"""The plain twin: the same skeleton, other content."""

from __future__ import annotations

import pytest
from tests.fakes.faulty import blob, document, link, said, shown

from mcp_prompt_fuzz.case import Case, kind_of
from mcp_prompt_fuzz.jsontypes import Json
from mcp_prompt_fuzz.oracle.tokens import TOKEN
from mcp_prompt_fuzz.oracle.twin import (
    Hole,
    contents,
    encoded_file,
    hybrid,
    plain_twin,
    plain_uri,
)
from mcp_prompt_fuzz.reference import data_of

from .looking import a_case

EVERY_KIND = (said("hello"), shown(), shown("audio/wav"), document("words"), blob(), link())


def _holes(case: Case) -> list[tuple[int, str]]:
    return [(hole.message, hole.field) for hole in plain_twin(case).holes]


def test_every_content_and_label_has_a_hole() -> None:
    assert _holes(a_case(*EVERY_KIND)) == [
        (0, "text"),
        (1, "data"),
        (2, "data"),
        (3, "text"),
        (3, "uri"),
        (4, "data"),
        (4, "uri"),
        (5, "uri"),
        (5, "name"),
    ]


def test_the_skeleton_stays() -> None:
    case = a_case(
        said("hello", "assistant", annotations={"priority": 0}),
        shown("image/jpeg", "assistant"),
        document("words", mimeType="text/x-python"),
        link(title="T", description="D", size=12, mimeType="text/html"),
        prompt={"name": "named", "description": "what it does"},
        result={"description": "r"},
    )
    twin = plain_twin(case).case
    assert [m["role"] for m in twin.messages] == [m["role"] for m in case.messages]
    assert [kind_of(m["content"]) for m in twin.messages] == [
        kind_of(m["content"]) for m in case.messages
    ]
    assert twin.messages[0]["content"]["annotations"] == {"priority": 0}
    assert twin.messages[1]["content"]["mimeType"] == "image/jpeg"
    assert twin.messages[2]["content"]["resource"]["mimeType"] == "text/x-python"
    told = twin.messages[3]["content"]
    assert (told["size"], told["mimeType"]) == (12, "text/html")
    assert TOKEN.fullmatch(told["title"])
    assert TOKEN.fullmatch(told["description"])
    assert (twin.prompt, twin.result) == (case.prompt, case.result)


def test_what_is_empty_stays_empty_and_has_no_hole() -> None:
    case = a_case(said(""), link(name="", title=""), said([{"argument": "a"}]), arguments={"a": ""})
    empty_image = {"type": "image", "data": "", "mimeType": "image/png"}
    case = Case(
        **{**vars(case), "messages": (*case.messages, {"role": "user", "content": empty_image})}
    )
    twin = plain_twin(case)
    assert [(h.message, h.field) for h in twin.holes] == [(1, "uri")]
    assert twin.case.messages[0]["content"]["text"] == ""
    assert twin.case.messages[1]["content"]["name"] == ""
    assert twin.case.messages[3]["content"] == empty_image
    assert twin.case.arguments == {"a": ""}
    assert twin.main_hole(0) is None
    assert twin.main_hole(3) is None


def test_contents_are_unique() -> None:
    case = a_case(said("a"), said("a"), shown(), shown(), blob(), blob())
    twin = plain_twin(case).case
    texts = [m["content"].get("text") for m in twin.messages[:2]]
    media = [data_of(m["content"]) for m in twin.messages[2:]]
    assert len(set(texts)) == 2
    assert len(set(media)) == 4


def test_other_skeletons_have_other_tokens_and_equal_ones_the_same() -> None:
    one, other = plain_twin(a_case(said("a"))), plain_twin(a_case(said("b")))
    assert one.case.messages == other.case.messages
    for different in (
        a_case(said("a", "assistant")),
        a_case(said("a"), said("b")),
        a_case(said("a", annotations={})),
        a_case(said("a"), prompt={"name": "q"}),
        a_case(said("a"), result={"description": "d"}),
        a_case(document("a")),
    ):
        assert plain_twin(different).case.messages[0] != one.case.messages[0]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (link(), link(title="T")),
        (link(), link(mimeType="text/html")),
        (document("a"), document("a", mimeType="text/html")),
        (document("a"), document("a", name="n")),
        (link(mimeType="text/plain"), link(mimeType="text/html")),
        (said("a"), said("a", annotations={"priority": 1})),
        (said("a", annotations={"priority": 0}), said("a", annotations={"priority": 1})),
    ],
)
def test_what_is_told_belongs_to_the_skeleton(one: Json, other: Json) -> None:
    tokens = [{h.anchor for h in plain_twin(a_case(each)).holes} for each in (one, other)]
    assert tokens[0].isdisjoint(tokens[1])


def test_names_of_arguments_and_their_order_belong_to_the_skeleton() -> None:
    cases = [
        a_case(said("a"), arguments=given)
        for given in ({}, {"a": "x"}, {"a": "x", "b": "y"}, {"b": "y", "a": "x"})
    ]
    assert len({plain_twin(case).main_hole(0) for case in cases}) == 4
    longer = a_case(said("a"), arguments={"a": "longer"})
    assert plain_twin(longer).holes == plain_twin(cases[1]).holes


def test_another_twin_shares_no_content() -> None:
    case = a_case(*EVERY_KIND, *EVERY_KIND)
    one, other = plain_twin(case), plain_twin(case, other=True)
    assert one.by_anchor.keys().isdisjoint(other.by_anchor)
    assert [(h.message, h.field) for h in one.holes] == [(h.message, h.field) for h in other.holes]
    media = [
        data_of(message["content"])
        for twin in (one, other)
        for message in twin.case.messages
        if data_of(message["content"])
    ]
    assert len(set(media)) == len(media) > 12


def test_media_of_one_twin_differ_in_order_of_their_messages() -> None:
    case = a_case(*[shown("audio/wav")] * 4)
    numbers = [
        int.from_bytes(data_of(m["content"])[-4:], "big") for m in plain_twin(case).case.messages
    ]
    assert [number - numbers[0] for number in numbers] == [0, 1, 2, 3]
    assert numbers[0] % 1024 == 0
    assert numbers[0] // 1024 < 4096


def test_only_the_hole_of_an_argument_names_one() -> None:
    twin = plain_twin(a_case(said("a"), arguments={"n": "x"}))
    argument, text = twin.holes
    assert text == Hole(0, "text", text.anchor)
    assert argument == Hole(-1, "argument", argument.anchor, "n")


def test_holes_of_one_message() -> None:
    twin = plain_twin(a_case(said("a"), link(title="T"), shown(), blob()))
    assert [hole.field for hole in twin.holes_of(1)] == ["uri", "name", "title"]
    assert [hole.field for hole in twin.label_holes(1)] == ["name", "title"]
    assert [hole.field for hole in twin.label_holes(3)] == ["uri"]
    assert (list(twin.holes_of(9)), twin.label_holes(2)) == ([], [])


def test_slots_stay_behind_a_token_of_their_own() -> None:
    case = a_case(said(["about ", {"argument": "a"}, "!"]), arguments={"a": "x", "b": "y"})
    twin = plain_twin(case)
    word, slot = twin.case.messages[0]["content"]["text"]
    assert slot == {"argument": "a"}
    assert [h.argument for h in twin.holes if h.message < 0] == ["a", "b"]
    assert twin.case.arguments["a"] not in (twin.case.arguments["b"], word)


def test_main_holes() -> None:
    twin = plain_twin(a_case(*EVERY_KIND))
    fields = [hole.field if (hole := twin.main_hole(n)) else None for n in range(6)]
    assert fields == ["text", "data", "data", "text", "data", "uri"]
    assert twin.by_anchor[twin.holes[0].anchor] == twin.holes[0]
    assert all(hole.anchor for hole in twin.by_anchor.values())


@pytest.mark.parametrize(
    ("uri", "plain"),
    [
        ("file:///a/b.txt", "file:///W.txt"),
        ("https://example.com/a?b=c", "https://W"),
        ("urn:uuid:1234", "urn:W"),
        ("data:text/plain,a", "data:W"),
        ("x:a", "x:W"),
        ("no scheme", "W"),
        ("mailto:a@b.com", "mailto:W.com"),
        ("file:///a.longextension", "file:///W"),
    ],
)
def test_plain_uris_keep_scheme_and_extension(uri: str, plain: str) -> None:
    assert plain_uri(uri, "W") == plain


def test_files_are_valid_and_numbered() -> None:
    assert encoded_file("image/png", 1) != encoded_file("image/png", 2)
    assert encoded_file("image/png", 1).startswith("iVBORw0KGgo")


def test_a_hybrid_has_some_messages_real() -> None:
    case = a_case(said("a"), said("b"), said(["x", {"argument": "n"}]), arguments={"n": "v"})
    twin = plain_twin(case)
    mixed = hybrid(twin, {1})
    assert mixed.messages == (twin.case.messages[0], case.messages[1], twin.case.messages[2])
    assert mixed.arguments == twin.case.arguments
    assert hybrid(twin, {2}).arguments == {"n": "v"}
    assert hybrid(twin, {0, 1, 2}).messages == case.messages


def test_contents_of_a_hole() -> None:
    case = a_case(
        said(["about ", {"argument": "a"}]),
        shown(),
        link(title="T", name="N"),
        document("words"),
        arguments={"a": "x", "b": ""},
    )
    text = Hole(0, "text", "t")
    assert contents(case, text, None) == ("about x",)
    assert contents(case, text, {"a": "x"}) == ("about x",)
    assert contents(case, text, {"a": "other"}) == ("about x", "about other")
    assert contents(case, Hole(1, "data"), None) == data_of(case.messages[1]["content"])
    assert contents(case, Hole(2, "title"), None) == ("T",)
    told = document("words")
    told["content"]["title"] = "beside the document"
    assert contents(a_case(told), Hole(0, "title"), None) == ("beside the document",)
    assert contents(case, Hole(2, "description"), None) is None
    assert contents(case, Hole(2, "uri"), None) == ("file:///a",)
    assert contents(case, Hole(3, "uri"), None) == ("file:///a",)
    assert contents(case, Hole(3, "text"), {"a": "z"}) == ("words",)
    assert contents(case, Hole(-1, "argument", "w", "a"), None) == ("x",)
    assert contents(case, Hole(-1, "argument", "w", "b"), None) is None
    assert contents(case, Hole(-1, "argument", "w", "c"), None) is None
