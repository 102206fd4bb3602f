"""Which part is to blame where the twin is rendered well, and the case is not."""

from __future__ import annotations

import html
from dataclasses import replace

import pytest
from tests.fakes.blocks import Blocks, Reply, Shape, dropping, on_texts
from tests.fakes.faulty import document, link, said, shown
from tests.fakes.renderers import Refused
from tests.fakes.shapes_messages import (
    attachments_last,
    first_words_as_title,
    long_texts_in_chunks,
    merged_neighbours,
    one_part_a_message,
    same_image_as_above,
)
from tests.fakes.shapes_strings import counters_and_lengths, tagged_roles

from mcp_prompt_fuzz.finding import Fault

from .looking import a_case, judgement, of_shape, only, rendering_by

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
        first = {"role": "system", "content": "long" if long else ""}
        return {"messages": [first, *_messages(kept)]}

    faults = of_shape(shape, said("y" * 600))
    assert [(f.rule, f.level) for f in faults] == [(TEXT, "altered")]


def test_equal_messages_that_are_merged_are_lost() -> None:
    def shape(blocks: Blocks) -> Reply:
        kept = [b for n, b in enumerate(blocks) if n == 0 or b != blocks[n - 1]]
        return one_part_a_message(kept)

    found = only(judgement(rendering_by(shape), a_case(said("again"), said("again"))).found)
    assert found.fault == Fault(TEXT, "text", "lost")
    assert found.note == "the text part is gone: without it, the rendering is the same"
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

    found = only(judgement(rendering_by(shape), a_case(link(title="a & b"))).found)
    assert found.fault == Fault("metadata", "resource_link", "altered", "title")
    assert found.severity == "distortion"
    assert found.sent == "a & b"


def test_what_the_user_alone_sees_is_not_blamed() -> None:
    def shape(blocks: Blocks) -> Reply:
        return one_part_a_message(on_texts(str.strip)(blocks))

    assert of_shape(shape, said(" a ", annotations={"audience": ["user"]})) == []
