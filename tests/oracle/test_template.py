"""A twin's rendering as literals with holes, and what fills them."""

from __future__ import annotations

import base64
import json

import pytest
from tests.fakes import shapes_messages, shapes_strings
from tests.fakes.blocks import Shape, blocks_of
from tests.fakes.faulty import document, link, said, shown
from tests.fakes.renderers import decoded

from mcp_prompt_fuzz.case import Case, materialise
from mcp_prompt_fuzz.oracle.pieces import Filling
from mcp_prompt_fuzz.oracle.template import Template, template_of
from mcp_prompt_fuzz.oracle.twin import Hole, contents, plain_twin
from mcp_prompt_fuzz.reference import data_of
from mcp_prompt_fuzz.transcript import Part, Transcript

from .looking import a_case, turn


def _filling(case: Case) -> Filling:
    return lambda hole: contents(case, hole, None)


def _word(case: Case, message: int = 0) -> str:
    """The token of that message's text in the case's twin."""
    text: str = plain_twin(case).case.messages[message]["content"]["text"]
    return text


def _template(case: Case, *lines: str, again: str | None = None) -> Template:
    first = (turn("user", *lines),)
    second = None if again is None else (turn("user", again),)
    return template_of(plain_twin(case), first, None, second)


def _of_one_text(text: str, envelope: str, seen: str) -> bool:
    case = a_case(said(text))
    template = _template(case, envelope.format(_word(case)))
    return template.fits((turn("user", seen),), _filling(case))


@pytest.mark.parametrize(
    ("text", "envelope", "seen", "fits"),
    [
        ("hello", "{}", "hello", True),
        ("hello", "{}", "hello ", False),
        ("hello", "{}", "Hello", False),
        ("hello", "<{}>", "<hello>", True),
        ("hello", "<{}>", "[hello]", False),
        ("hello", "<{0}|{0}>", "<hello|hello>", True),
        ("hello", "<{0}|{0}>", "<hello|other>", False),
        ("<b>", "{}", "&lt;b&gt;", False),
        ("hello", "1: {}", "2: hello", True),
        ("hello", "1: {}", "x: hello", False),
        ("```", "```\n{}\n```", "````\n```\n````", True),
        ("hello", "{}\n---", "hello\n-----", True),
        ("", "{}", "", False),
    ],
)
def test_texts_are_literal(text: str, envelope: str, seen: str, fits: bool) -> None:
    if not text:
        assert plain_twin(a_case(said(text))).holes == ()
        return
    assert _of_one_text(text, envelope, seen) is fits


@pytest.mark.parametrize(
    ("text", "seen", "fits"),
    [
        ("345", "n1: 1345", True),
        ("345", "n12: 10345", True),
        ("345", "n1: 345", False),
        ("x45", "n1: 100x45", True),
        ("x45", "n1: x45", False),
        ("", "n1: 345", True),
        ("a 45", "n1: 1a 45", True),
        ("3", "n1: 1000003", True),
        ("000003", "n1: 1000003", True),
        ("1000003", "n1: 1000003", False),
    ],
)
def test_a_counter_ends_where_the_content_begins(text: str, seen: str, fits: bool) -> None:
    case = a_case(said("x"))
    template = _template(case, f"n2: 7{_word(case)}")
    assert template.fits((turn("user", seen),), lambda _: (text,)) is fits


@pytest.mark.parametrize(
    ("envelope", "texts", "seen", "fits"),
    [
        ("{}7{}", ("1", "2"), "132", True),
        ("{}7{}", ("1", "2"), "12", False),
        ("{}7{}", ("1", "34"), "1234", True),
        ("{}7{}", ("12", "34"), "1234", False),
        ("{}:1x{}", ("a", "y"), "a:1xy", True),
        ("{}:1x{}", ("a", "xy"), "a:1xy", False),
    ],
)
def test_a_counter_between_contents(
    envelope: str, texts: tuple[str, str], seen: str, fits: bool
) -> None:
    case = a_case(said("x"), said("y"))
    template = _template(case, envelope.format(_word(case), _word(case, 1)))
    assert template.fits((turn("user", seen),), lambda hole: (texts[hole.message],)) is fits


def test_equal_is_stricter_than_fitting() -> None:
    case = a_case(said("hello"))
    template = _template(case, f"1: {_word(case)}")
    other = (turn("user", "2: hello"),)
    assert template.fits(other, _filling(case))
    assert not template.equals(other, _filling(case))
    assert template.equals((turn("user", "1: hello"),), _filling(case))


@pytest.mark.parametrize(
    "seen",
    [
        (turn("assistant", "hello"),),
        (turn("user", "hello"), turn("user", "more")),
        (turn("user", "hello", Part("image", data=b"x")),),
        (),
    ],
)
def test_another_structure_does_not_fit(seen: Transcript) -> None:
    case = a_case(said("hello"))
    assert not _template(case, _word(case)).fits(seen, _filling(case))


def test_native_media_fill_with_bytes() -> None:
    case = a_case(shown())
    twin = plain_twin(case)
    plain = data_of(twin.case.messages[0]["content"])
    template = template_of(twin, (turn("user", Part("image", data=plain)),), None)
    real = data_of(case.messages[0]["content"])
    assert template.fits((turn("user", Part("image", data=real)),), _filling(case))
    assert not template.fits((turn("user", Part("image", data=real[:-1])),), _filling(case))
    assert not template.fits((turn("user", Part("image", data=plain)),), _filling(case))


@pytest.mark.parametrize(
    "shape",
    [
        shapes_strings.base64_wrapped_at_76,
        shapes_strings.base64_for_urls,
        shapes_strings.bytes_in_hexadecimal,
        shapes_strings.xml_with_escaped_attributes,
        shapes_strings.tagged_roles,
        shapes_messages.metadata_as_json_before_each_part,
    ],
)
def test_bytes_and_labels_fill_in_any_spelling(shape: Shape) -> None:
    case = a_case(
        shown(number=5),
        link(uri="https://a/b%20c?d=e&f", name='a "b" <c>', title="\u00e9", description="x\ny"),
        document("<b>&amp;", uri="file:///d e"),
    )
    twin = plain_twin(case)

    def render(which: Case) -> Transcript:
        return decoded(shape(blocks_of(materialise(which)))).turns

    template = template_of(twin, render(twin.case), None)
    assert all(template.whole(hole) for hole in twin.holes)
    assert template.fits(render(case), _filling(case))


def test_documents_as_files_are_read_as_text() -> None:
    case = a_case(document("words"))
    twin = plain_twin(case)
    word = twin.case.messages[0]["content"]["resource"]["text"]
    template = template_of(twin, (turn("user", Part("file", data=word.encode())),), None)
    assert template.whole(twin.main_hole(0))
    assert template.fits((turn("user", Part("file", data=b"words")),), _filling(case))
    assert not template.fits((turn("user", Part("file", data=b"\xff")),), _filling(case))


def test_a_token_without_the_rest_of_its_content_is_not_whole() -> None:
    case = a_case(link(uri="https://example.com/a"))
    twin = plain_twin(case)
    hole = twin.main_hole(0)
    assert hole is not None
    template = template_of(twin, (turn("user", f"see {hole.anchor}"),), None)
    assert template.found[hole][0].whole is False
    assert template.whole(hole) == []
    assert template.whole(None) == []


def test_places_of_a_content() -> None:
    case = a_case(said("hello"))
    word = _word(case)
    template = _template(case, "first", f"say {word}, {word}")
    first, second = template.whole(plain_twin(case).main_hole(0))
    assert (first.place.part, first.offset, first.before) == (1, 4, "say ")
    assert second.offset == 16
    assert second.before.endswith(f"{word}, ")


def test_tokens_of_another_twin_are_foreign() -> None:
    case, other = a_case(said("hello")), a_case(said("a"), said("b"))
    template = _template(case, _word(case), f"old: {_word(other)}")
    assert template.foreign == {_word(other)}


def test_what_varies_by_itself_may_vary() -> None:
    case = a_case(said("hello"))
    word = _word(case)
    template = _template(case, f"at 12:01\n{word}", again=f"at 12:02\n{word}")
    assert template.varies
    assert template.equals((turn("user", "at 12:59\nhello"),), _filling(case))
    assert not template.equals((turn("user", "at 12:59\nhullo"),), _filling(case))
    steady = _template(case, word, again=word)
    assert not steady.varies


def test_what_varies_by_itself_is_cut_by_what_the_server_received() -> None:
    case = a_case(said(["to ", {"argument": "a"}]), arguments={"a": "x"})
    twin, received = plain_twin(case), {"a": "y"}
    word = twin.case.messages[0]["content"]["text"][0]
    one, other = ((turn("user", f"at 12:0{n}\n{word}y"),) for n in (1, 2))
    template = template_of(twin, one, received, other)
    seen = (turn("user", "at 12:59\nto y"),)
    assert template.equals(seen, lambda hole: contents(case, hole, received))
    assert not template.equals(seen, _filling(case))


def test_what_is_foreign_is_so_though_something_varies() -> None:
    case, other = a_case(said("hello")), a_case(said("a"), said("b"))
    lines = [f"at 12:0{n}\n{_word(case)}\n{_word(other)}" for n in (1, 2)]
    template = _template(case, lines[0], again=lines[1])
    assert template.varies
    assert template.foreign == {_word(other)}


def test_a_role_beside_a_hole_may_not_vary() -> None:
    case = a_case(said("hello"))
    word = _word(case)
    template = _template(case, f"a1b user: {word}", again=f"c2d user: {word}")
    assert template.fits((turn("user", "e3f user: hello"),), _filling(case))
    assert not template.fits((turn("user", "e3f assistant: hello"),), _filling(case))


def test_two_renderings_of_other_structure_teach_nothing() -> None:
    case = a_case(said("hello"))
    word = _word(case)
    template = template_of(
        plain_twin(case), (turn("user", word),), None, (turn("user", word), turn("user", "x"))
    )
    assert template.varies
    assert template.fits((turn("user", "hello"),), _filling(case))


@pytest.mark.parametrize(
    ("seen", "caught"),
    [
        ("<hello>", "hello"),
        ("<>", ""),
        ("<a<b>c>", "a<b>c"),
        ("<a\nb>", "a\nb"),
        ("hello", None),
    ],
)
def test_what_stands_in_a_hole_is_caught(seen: str, caught: str | None) -> None:
    case = a_case(said("x"))
    template = _template(case, f"<{_word(case)}>")
    hole = plain_twin(case).main_hole(0)
    assert hole is not None
    assert template.capture((turn("user", seen),), _filling(case), hole) == caught


def test_a_hole_that_stands_twice_is_caught_once() -> None:
    case = a_case(said("x"))
    word = _word(case)
    template = _template(case, f"{word}|{word}")
    hole = plain_twin(case).main_hole(0)
    assert hole is not None
    assert template.capture((turn("user", "a|a"),), _filling(case), hole) == "a"
    assert template.capture((turn("user", "a|b"),), _filling(case), hole) is None


def test_bytes_are_caught_and_the_rest_must_fit() -> None:
    case = a_case(shown(), said("hello"))
    twin = plain_twin(case)
    plain = data_of(twin.case.messages[0]["content"])
    template = template_of(twin, (turn("user", Part("image", data=plain), _word(case, 1)),), None)
    hole = Hole(0, "data")
    caught = template.capture(
        (turn("user", Part("image", data=b"cut"), "hello"),), _filling(case), hole
    )
    assert caught == b"cut"
    for other in (
        (turn("user", Part("image", data=b"cut"), "hullo"),),
        (turn("user", Part("image", data=b"cut")),),
        (turn("user", Part("audio", data=b"cut"), "hello"),),
        (turn("user", "hello", Part("image", data=b"cut")),),
    ):
        assert template.capture(other, _filling(case), hole) is None


def test_labels_inside_json() -> None:
    case = a_case(link(name='a "b"'))
    twin = plain_twin(case)
    name = next(hole for hole in twin.holes if hole.field == "name")
    uri = plain_twin(case).case.messages[0]["content"]["uri"]
    template = template_of(twin, (turn("user", json.dumps({"n": name.anchor, "u": uri})),), None)
    real = json.dumps({"n": 'a "b"', "u": "file:///a"})
    assert template.fits((turn("user", real),), _filling(case))
    assert not template.fits((turn("user", real.replace("a \\", "c \\")),), _filling(case))


def test_base64_of_other_bytes_does_not_fit() -> None:
    case = a_case(shown())
    twin = plain_twin(case)
    plain = twin.case.messages[0]["content"]["data"]
    template = template_of(twin, (turn("user", f"img {plain}."),), None)
    real = case.messages[0]["content"]["data"]
    assert template.fits((turn("user", f"img {real}."),), _filling(case))
    cut = base64.b64encode(base64.b64decode(real)[:-3]).decode()
    assert not template.fits((turn("user", f"img {cut}."),), _filling(case))


def test_where_only_a_token_stood_anything_short_may_stand() -> None:
    case = a_case(link(uri="https://example.com/a"))
    hole = plain_twin(case).main_hole(0)
    assert hole is not None
    template = template_of(plain_twin(case), (turn("user", f"see {hole.anchor}!"),), None)
    for length in (0, 1, 64):
        assert template.fits((turn("user", f"see {'x' * length}!"),), _filling(case))
    assert not template.fits((turn("user", f"see {'x' * 65}!"),), _filling(case))
    assert not template.fits((turn("user", "see !!?"),), _filling(case))


def test_beside_two_unknown_holes_nothing_is_caught() -> None:
    case = a_case(link(uri="https://example.com/a"), link(uri="https://example.com/b"), said("c"))
    twin = plain_twin(case)
    one, two, main = (twin.main_hole(n) for n in range(3))
    assert one is not None
    assert two is not None
    assert main is not None
    both = template_of(twin, (turn("user", f"{one.anchor} {two.anchor} {main.anchor}"),), None)
    assert both.capture((turn("user", "a b C"),), _filling(case), main) is None
    single = template_of(twin, (turn("user", f"{one.anchor} {main.anchor}"),), None)
    assert single.capture((turn("user", "a C"),), _filling(case), main) == "C"


def test_an_empty_hole_is_filled_with_nothing() -> None:
    case = a_case(said("a"))
    template = _template(case, f"<{_word(case)}>")
    assert template.fits((turn("user", "<>"),), lambda _: None)
    assert not template.fits((turn("user", "<a>"),), lambda _: None)


def test_what_stands_in_a_document_is_caught() -> None:
    case = a_case(document("words"))
    twin = plain_twin(case)
    hole = twin.main_hole(0)
    assert hole is not None

    def file(text: bytes) -> Transcript:
        return (turn("user", Part("file", data=text)),)

    template = template_of(twin, file(f"<{hole.anchor}>".encode()), None)
    assert template.capture(file(b"<other>"), _filling(case), hole) == "other"
    assert template.capture(file(b"<\xff>"), _filling(case), hole) is None
    assert template.capture(file(b"<other>"), _filling(case), Hole(0, "title", "t")) is None


def test_what_is_not_there_is_not_caught() -> None:
    case = a_case(said("a"))
    template = _template(case, _word(case))
    assert template.capture((turn("user", "a"),), _filling(case), Hole(0, "title", "t")) is None


def test_counters_elsewhere_may_be_others_where_something_is_caught() -> None:
    case = a_case(said("a"))
    twin = plain_twin(case)
    template = template_of(twin, (turn("system", "1 text"), turn("user", _word(case))), None)
    hole = twin.main_hole(0)
    assert hole is not None
    seen = (turn("system", "22 text"), turn("user", "b"))
    assert template.capture(seen, _filling(case), hole) == "b"


@pytest.mark.parametrize("texts", [("a", "ab"), ("ab", "a")])
def test_each_of_two_right_texts_fills_a_hole(texts: tuple[str, str]) -> None:
    template = _template(a_case(said("x")), f"<{_word(a_case(said('x')))}>")
    for seen, fits in (("<a>", True), ("<ab>", True), ("<abb>", False), ("<>", False)):
        assert template.fits((turn("user", seen),), lambda _: texts) is fits
