"""Which part is to blame where the twin is rendered well, and the case is not."""

from __future__ import annotations

import hashlib
import html
from collections.abc import Callable
from dataclasses import replace

import pytest
from tests.fakes.blocks import (
    Block,
    Blocks,
    Reply,
    Shape,
    blocks_of,
    dropping,
    of_kind,
    on_texts,
)
from tests.fakes.faulty import asking, blob, document, link, said, shown
from tests.fakes.renderers import Refused
from tests.fakes.shapes_messages import (
    attachments_last,
    first_words_as_title,
    long_texts_in_chunks,
    merged_neighbours,
    one_part_a_message,
    same_image_as_above,
    with_volatile_system_message,
)
from tests.fakes.shapes_strings import (
    base64_wrapped_at_76,
    counters_and_lengths,
    ids_in_every_line,
    tagged_roles,
)
from tests.fakes.users import User
from tests.fakes.wire import Wire

from mcp_prompt_fuzz.case import Case, kind_of
from mcp_prompt_fuzz.finding import Fault
from mcp_prompt_fuzz.jsontypes import Json
from mcp_prompt_fuzz.oracle import Found

from .looking import a_case, faults, judgement, of_shape, only, rendering_by

TEXT = "text.verbatim"


def test_only_the_changed_text_is_blamed() -> None:
    def shape(blocks: Blocks) -> Reply:
        return tagged_roles(on_texts(str.strip)(blocks))

    found = only(judgement(rendering_by(shape), a_case(said("a"), said(" b "), said("c"))).found)
    assert found.fault == Fault(TEXT, "text", "altered", "trim")
    assert (found.message, found.sent, found.seen) == (1, " b ", "b")
    assert found.note == "the text part arrives changed (trim)"
    assert found.severity == "distortion"


def test_a_text_that_vanishes_is_lost() -> None:
    def shape(blocks: Blocks) -> Reply:
        return tagged_roles(on_texts(lambda t: t.replace("null", ""))(blocks))

    found = only(judgement(rendering_by(shape), a_case(said("null"))).found)
    assert found.fault == Fault(TEXT, "text", "lost")
    assert found.note == "the text part is gone"
    assert (found.sent, found.seen) == ("null", "")


@pytest.mark.parametrize("text", [" ", "\n", "\t \n"])
def test_a_blank_text_that_vanishes_is_altered(text: str) -> None:
    drop = dropping(lambda b: b.is_text and not b.text.strip())
    faults = of_shape(lambda blocks: one_part_a_message(drop(blocks)), said(text), said("a"))
    assert faults == [Fault(TEXT, "text", "altered", "trim")]


def test_a_text_beyond_ascii_that_vanishes_is_lost() -> None:
    drop = dropping(lambda b: not b.text.isascii())
    faults = of_shape(lambda blocks: one_part_a_message(drop(blocks)), said("\u4f60"), said("a"))
    assert faults == [Fault(TEXT, "text", "lost")]


def test_a_short_text_that_stands_somewhere_else_is_judged_by_collision() -> None:
    def shape(blocks: Blocks) -> Reply:
        kept = [b for b in blocks if b.text != "hi"]
        return {"messages": [{"role": "user", "content": "hi there"}, *_messages(kept)]}

    assert of_shape(shape, said("hi"), said("a")) == [Fault(TEXT, "text", "lost")]


@pytest.mark.parametrize("shape", [with_volatile_system_message, ids_in_every_line])
@pytest.mark.parametrize("text", ["\ufeff", " ", "hi"])
def test_a_short_text_that_vanishes_from_a_rendering_that_varies(shape: Shape, text: str) -> None:
    drop = dropping(lambda b: b.text == text)
    case = a_case(said("a"), said(text), said("hi there"))
    faulty = judgement(rendering_by(lambda blocks: shape(drop(blocks))), case, volatile=True)
    assert [f.fault.rule for f in faulty.found] == [TEXT]
    assert judgement(rendering_by(shape), case, volatile=True).found == []


@pytest.mark.parametrize("shape", [with_volatile_system_message, ids_in_every_line])
def test_merged_messages_of_a_rendering_that_varies(shape: Shape) -> None:
    case = a_case(said("a"), said("same"), said("same"))
    faulty = judgement(rendering_by(lambda b: shape(_merged(b))), case, volatile=True)
    assert [f.fault for f in faulty.found] == [Fault(TEXT, "text", "lost")]
    assert judgement(rendering_by(shape), case, volatile=True).found == []


def _merged(blocks: Blocks) -> Blocks:
    return [b for n, b in enumerate(blocks) if n == 0 or b != blocks[n - 1]]


def _messages(blocks: Blocks) -> list[dict[str, object]]:
    reply = one_part_a_message(blocks)
    assert isinstance(reply, dict)
    said_: list[dict[str, object]] = reply["messages"]
    return said_


@pytest.mark.parametrize(
    "shape",
    [first_words_as_title, long_texts_in_chunks, counters_and_lengths, attachments_last],
)
@pytest.mark.parametrize("text", ["a", "hello  world", "x" * 900, "`" * 5, " \n", "\u4f60"])
def test_an_envelope_that_depends_on_the_content_is_no_fault(shape: Shape, text: str) -> None:
    assert of_shape(shape, said(text), shown(), document(text), link()) == []


def test_a_long_text_that_is_gone_beyond_the_hole_is_blamed() -> None:
    def shape(blocks: Blocks) -> Reply:
        long = [b for b in blocks if len(b.text) > 500]
        kept = [replace(b, text=f"({len(b.text)} characters)") if b in long else b for b in blocks]
        first = {"role": "system", "content": "be brief\nlong" if long else "be brief"}
        return {"messages": [first, *_messages(kept)]}

    found = only(judgement(rendering_by(shape), a_case(said("y" * 600))).found)
    assert found.fault == Fault(TEXT, "text", "altered", "other")
    assert (found.sent, found.seen) == ("y" * 600, "long\n(600 characters)")


def test_equal_messages_that_are_merged_are_lost() -> None:
    def shape(blocks: Blocks) -> Reply:
        kept = [b for n, b in enumerate(blocks) if n == 0 or b != blocks[n - 1]]
        return one_part_a_message([b for b in kept if b.audience != ["user"]])

    found = only(judgement(rendering_by(shape), a_case(said("again"), said("again"))).found)
    assert found.fault == Fault(TEXT, "text", "lost")
    assert found.note == "the text part is gone: without it, the rendering is the same"
    assert found.message == 0
    for_the_user = said("a", annotations={"audience": ["user"]})
    case = a_case(for_the_user, said("again"), said("again"))
    assert only(judgement(rendering_by(shape), case).found).message == 1
    assert of_shape(shape, said("one"), said("two")) == []


def test_an_image_that_is_referred_to_is_no_loss() -> None:
    assert of_shape(same_image_as_above, shown(), said("and"), shown()) == []


def test_one_part_that_makes_everything_refused() -> None:
    def shape(blocks: Blocks) -> Reply:
        if any("<" in b.text for b in blocks):
            raise Refused("no markup, please")
        return merged_neighbours(blocks)

    faults = of_shape(shape, said("a"), said("<b>"))
    assert faults == [Fault(TEXT, "text", "refused")]


def test_a_document_is_changed_under_its_own_rule() -> None:
    def shape(blocks: Blocks) -> Reply:
        return tagged_roles(on_texts(html.escape, "resource.text")(blocks))

    assert of_shape(shape, said("<a>"), document("<b>")) == [
        Fault("resource.text", "resource.text", "altered", "escape")
    ]


def test_a_changed_uri_of_a_link_is_the_links_fault() -> None:
    def shape(blocks: Blocks) -> Reply:
        return one_part_a_message(
            [replace(b, uri=(b.uri or "").replace("%20", " ")) for b in blocks]
        )

    faults = of_shape(shape, link(uri="https://a.example/b%20c"))
    assert faults == [Fault("resource_link", "resource_link", "altered", "escape")]


def test_a_changed_label_is_metadata() -> None:
    def shape(blocks: Blocks) -> Reply:
        return tagged_roles([replace(b, title=(b.title or "").replace("&", "+")) for b in blocks])

    found = only(judgement(rendering_by(shape), a_case(said("a"), link(title="a & b"))).found)
    assert found.fault == Fault("metadata", "resource_link", "altered", "title")
    assert found.severity == "distortion"
    assert (found.message, found.sent, found.seen) == (1, "a & b", "a + b")
    assert found.note == "the title of the resource_link part arrives changed"


def test_what_the_user_alone_sees_is_not_blamed() -> None:
    def shape(blocks: Blocks) -> Reply:
        return one_part_a_message(on_texts(str.strip)(blocks))

    assert of_shape(shape, said(" a ", annotations={"audience": ["user"]})) == []


def test_what_is_gone_from_the_beginning_is_no_trimming_where_it_can_be_seen() -> None:
    def shape(blocks: Blocks) -> Reply:
        return tagged_roles(on_texts(lambda t: t.removeprefix("oh! "))(blocks))

    assert of_shape(shape, said("oh! look")) == [Fault(TEXT, "text", "altered", "other")]


def test_only_texts_are_trimmed() -> None:
    def shape(blocks: Blocks) -> Reply:
        return tagged_roles([replace(b, uri=(b.uri or "").rstrip("\u200b")) for b in blocks])

    faults = of_shape(shape, link(uri="file:///a\u200b"))
    assert faults == [Fault("resource_link", "resource_link", "altered", "control")]


def _with_checksums(blocks: Blocks) -> Blocks:
    """Before each part a line that no rendering of other content has."""
    sums = [hashlib.sha256(f"{b.text}{b.data}{b.uri}".encode()).hexdigest() for b in blocks]
    return [
        each
        for b, digest in zip(blocks, sums, strict=True)
        for each in (Block(b.role, "text", text=digest), b)
    ]


@pytest.mark.parametrize("shape", [one_part_a_message, tagged_roles, base64_wrapped_at_76])
@pytest.mark.parametrize(
    "part", [said("some words"), document("words"), shown(), blob(), link(), said("abcd")]
)
def test_an_envelope_that_depends_on_every_content(shape: Shape, part: Json) -> None:
    assert of_shape(lambda blocks: shape(_with_checksums(blocks)), said("hello"), part) == []


@pytest.mark.parametrize("shape", [one_part_a_message, tagged_roles])
def test_bytes_that_are_changed_in_such_an_envelope(shape: Shape) -> None:
    real = shown(number=7)["content"]["data"]

    def cutting(blocks: Blocks) -> Reply:
        return shape(
            [replace(b, data=b.data[:-4]) if b.data == real else b for b in _with_checksums(blocks)]
        )

    found = only(judgement(rendering_by(cutting), a_case(said("a"), shown(number=7))).found)
    assert (found.fault, found.message) == (Fault("image", "image", "altered", "other"), 1)
    assert found.note == "the image part arrives changed (other)"


def test_a_label_that_is_changed_in_such_an_envelope() -> None:
    def shape(blocks: Blocks) -> Reply:
        return one_part_a_message(
            [replace(b, uri=b.uri and b.uri.replace("%20", " ")) for b in _with_checksums(blocks)]
        )

    part = blob("application/pdf")
    part["content"]["resource"]["uri"] = "file:///a%20b"
    found = only(judgement(rendering_by(shape), a_case(part)).found)
    assert found.fault == Fault("metadata", "resource.blob", "altered", "uri")
    assert (found.sent, found.seen) == ("file:///a%20b", None)


def test_in_such_an_envelope_labels_may_be_escaped_and_texts_may_not() -> None:
    def shape(blocks: Blocks) -> Reply:
        told = [
            replace(b, uri=b.uri and html.escape(b.uri), text=html.escape(b.text))
            for b in _with_checksums(blocks)
        ]
        return tagged_roles(told)

    assert of_shape(shape, link(uri="https://a.example/?b&c")) == []
    assert [f.rule for f in of_shape(shape, said("this & that"))] == [TEXT]


@pytest.mark.parametrize(("text", "judged"), [("abc", False), ("a b c", False), ("abcd", True)])
def test_what_is_short_may_stand_there_by_chance(text: str, judged: bool) -> None:
    def shape(blocks: Blocks) -> Reply:
        told = _with_checksums(blocks)
        return tagged_roles([replace(b, text="(gone)") if b.text == text else b for b in told])

    assert [f.rule for f in of_shape(shape, said(text))] == ([TEXT] if judged else [])


def test_every_part_is_looked_at() -> None:
    def shape(blocks: Blocks) -> Reply:
        kept = dropping(of_kind("image"))(blocks)
        return one_part_a_message(on_texts(str.strip)(kept))

    assert of_shape(shape, shown(), said(" b ")) == [
        Fault("image", "image", "lost"),
        Fault(TEXT, "text", "altered", "trim"),
    ]


def test_what_the_server_had_nothing_to_send_for_is_not_blamed() -> None:
    class Trims(User):
        def bind(self, wire: Wire, case: Case) -> Json:
            return {name: value.strip() for name, value in case.arguments.items()}

        def rendered(self, case: Case, result: Json) -> Reply:
            return one_part_a_message([b for b in blocks_of(result) if b.text])

    slot = said([{"argument": "a"}])
    blank = asking("a", given={"a": " "}, messages=[slot, said("hello", "assistant")])
    assert faults(Trims(one_part_a_message).answer, blank, "session") == [
        Fault("arguments.verbatim", None, "altered", "trim")
    ]


def test_a_part_that_is_refused_beside_others_than_its_own() -> None:
    def shape(blocks: Blocks) -> Reply:
        if len({b.text.endswith("!") for b in blocks}) > 1:
            raise Refused("all or none")
        return one_part_a_message(on_texts(str.lower)(blocks))

    case = a_case(said("A!"), said("b!"))
    assert judgement(rendering_by(shape), case).found == [
        Found(
            Fault(TEXT, "text", "refused"),
            "this text part makes the renderer refuse the whole prompt",
            0,
        )
    ]


@pytest.mark.parametrize("shape", [one_part_a_message, tagged_roles])
@pytest.mark.parametrize("part", [shown(number=7), blob("application/pdf")])
@pytest.mark.parametrize(
    ("change", "aspect"),
    [(lambda data: data[:-4], "truncate"), (lambda data: "AAAA" + data[4:], "other")],
)
def test_bytes_that_are_changed_for_what_they_are(
    shape: Shape, part: Json, change: Callable[[str], str], aspect: str
) -> None:
    real = part["content"].get("data") or part["content"]["resource"]["blob"]

    def changing(blocks: Blocks) -> Reply:
        return shape([replace(b, data=change(b.data)) if b.data == real else b for b in blocks])

    found = only(judgement(rendering_by(changing), a_case(said("a"), part)).found)
    kind = kind_of(part["content"])
    # How much of the bytes is left is told where they stand as bytes.
    aspect = aspect if shape is one_part_a_message else "other"
    assert found.fault == Fault(kind, kind, "altered", aspect)
    assert found.message == 1


@pytest.mark.parametrize("shape", [one_part_a_message, tagged_roles])
def test_a_label_beside_bytes_that_are_right(shape: Shape) -> None:
    def unescaping(blocks: Blocks) -> Reply:
        return shape([replace(b, uri=b.uri and b.uri.replace("%20", "+")) for b in blocks])

    part = blob("application/pdf")
    part["content"]["resource"]["uri"] = "file:///a%20b"
    found = only(judgement(rendering_by(unescaping), a_case(part)).found)
    assert found.fault == Fault("metadata", "resource.blob", "altered", "uri")
    assert (found.sent, found.seen) == ("file:///a%20b", "file:///a+b")
