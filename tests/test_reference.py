"""What a complete rendering holds."""

from __future__ import annotations

import pytest
from tests.fakes.faulty import blob, case, document, link, said, shown

from mcp_prompt_fuzz.case import NEWEST_REVISION, kind_of
from mcp_prompt_fuzz.oracle import Conditions, Lens, judge
from mcp_prompt_fuzz.reference import data_of, expected, part_of
from mcp_prompt_fuzz.renderers.text_only import ReferenceRenderer
from mcp_prompt_fuzz.transcript import Part, Turn, text_part


def test_every_message_is_a_turn_of_its_own() -> None:
    turns = expected(case(said("a"), said("b"), said("", "assistant")))
    assert turns == (
        Turn("user", (text_part("a"),)),
        Turn("user", (text_part("b"),)),
        Turn("assistant", (text_part(""),)),
    )


def test_slots_are_filled() -> None:
    turns = expected(case(said(["x", {"argument": "a"}]), arguments={"a": "y"}))
    assert turns[0].parts == (text_part("xy"),)


@pytest.mark.parametrize(
    ("message", "part"),
    [
        (shown(), Part("image", data=data_of(shown()["content"]), media_type="image/png")),
        (
            shown("audio/wav"),
            Part("audio", data=data_of(shown("audio/wav")["content"]), media_type="audio/wav"),
        ),
        (
            document("caf\u00e9", mimeType="text/plain"),
            Part("file", data=b"caf\xc3\xa9", media_type="text/plain", uri="file:///a"),
        ),
        (blob(), Part("file", data=data_of(blob()["content"]), uri="file:///a")),
        (
            link(title="T", description="D", mimeType="text/html", size=0),
            Part(
                "link",
                uri="file:///a",
                name="a",
                title="T",
                description="D",
                media_type="text/html",
                size=0,
            ),
        ),
    ],
)
def test_parts_hold_all_that_is_told(message: dict[str, dict[str, object]], part: Part) -> None:
    assert part_of(message["content"]) == part


def test_data() -> None:
    assert data_of({"data": "AAEC"}) == b"\x00\x01\x02"
    assert data_of({"resource": {"blob": "AAEC"}}) == b"\x00\x01\x02"
    assert data_of({"resource": {"text": "\ud800"}}) == b"\xed\xa0\x80"
    assert data_of({"data": "!!!"}) == b""
    assert data_of({"data": "A"}) == b""
    assert data_of({}) == b""


@pytest.mark.parametrize("role", ["user", "assistant"])
def test_the_reference_is_never_blamed(role: str) -> None:
    renderer = ReferenceRenderer(revision=NEWEST_REVISION)
    parts = (
        said(" a ", role),
        shown(role=role),
        document("<b>", role),
        blob(role=role),
        link(role),
    )
    whole = case(*parts)
    assert {kind_of(m["content"]) for m in parts} >= {"text", "image", "resource_link"}
    judged = judge(whole, Lens(renderer.render), Conditions("session", NEWEST_REVISION))
    assert judged.found == []
