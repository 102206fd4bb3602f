"""What is told beside a part: absent is a notice, contradicted a distortion."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.fakes.blocks import Block, Blocks, Reply, Shape
from tests.fakes.faulty import blob, document, link, said, shown
from tests.fakes.shapes_dialects import ollama_chat, openai_chat
from tests.fakes.shapes_messages import one_part_a_message
from tests.fakes.shapes_strings import tagged_roles

from mcp_prompt_fuzz.finding import Fault
from mcp_prompt_fuzz.jsontypes import Json
from mcp_prompt_fuzz.oracle.metadata import agrees, bare_type

from .looking import a_case, judgement, of_shape, only, rendering_by

FULL_LINK = link(title="T", description="D", size=1234, mimeType="text/html")


def _without(member: str) -> Shape:
    def shape(blocks: Blocks) -> Reply:
        return one_part_a_message([replace(b, **{member: None}) for b in blocks])  # type: ignore[arg-type]

    return shape


@pytest.mark.parametrize(
    ("member", "aspect"),
    [
        ("name", "name"),
        ("title", "title"),
        ("description", "description"),
        ("size", "size"),
        ("media_type", "mimeType"),
    ],
)
def test_what_is_absent_is_a_notice(member: str, aspect: str) -> None:
    found = only(judgement(rendering_by(_without(member)), a_case(said("a"), FULL_LINK)).found)
    assert found.fault == Fault("metadata", "resource_link", "lost", aspect)
    assert found.severity == "notice"
    assert found.message == 1
    assert found.note == f"the {aspect} of the resource_link part is absent"


@pytest.mark.parametrize("part", [document("a", mimeType="text/x-python"), blob("application/pdf")])
def test_the_uri_of_a_document(part: Json) -> None:
    faults = of_shape(_without("uri"), part)
    assert [(f.rule, f.level, f.aspect) for f in faults] == [("metadata", "lost", "uri")]


def test_nothing_is_asked_of_what_was_not_told() -> None:
    assert of_shape(one_part_a_message, link(), document("a"), blob()) == []
    assert of_shape(tagged_roles, FULL_LINK) == []


def test_a_size_may_stand_in_the_text_but_not_inside_a_number() -> None:
    def naming(size: str) -> Shape:
        return lambda blocks: tagged_roles(
            [Block(b.role, "text", text=f"{b.uri} {b.name} {size}") for b in blocks]
        )

    part = link(size=1234)
    assert of_shape(naming("1234 bytes"), part) == []
    assert [f.aspect for f in of_shape(naming("12345 bytes"), part)] == ["size"]
    assert [f.aspect for f in of_shape(naming("01234 bytes"), part)] == ["size"]


def test_another_size_is_not_the_size() -> None:
    def shape(blocks: Blocks) -> Reply:
        return one_part_a_message([replace(b, size=99) for b in blocks])

    faults = of_shape(shape, link(size=1234))
    assert faults == [Fault("metadata", "resource_link", "lost", "size")]


def _typed(told: str | None) -> Shape:
    return lambda blocks: one_part_a_message([replace(b, media_type=told) for b in blocks])


@pytest.mark.parametrize(
    ("sent", "told", "level"),
    [
        ("image/jpeg", "image/png", "altered"),
        ("image/jpeg", "image/JPEG", None),
        ("image/jpeg", "image/jpg", None),
        ("image/jpg", "image/jpeg", None),
        ("image/png;charset=binary", "image/png", None),
        ("image/jpeg", "jpeg", None),
        ("image/gif", "image/webp", "altered"),
    ],
)
def test_the_type_of_an_image(sent: str, told: str, level: str | None) -> None:
    faults = of_shape(_typed(told), shown(sent))
    assert faults == ([Fault("metadata", "image", level, "mimeType")] if level else [])  # type: ignore[arg-type]


def test_a_generic_type_says_nothing() -> None:
    faults = of_shape(_typed("application/octet-stream"), blob("application/pdf"))
    assert faults == [Fault("metadata", "resource.blob", "lost", "mimeType")]


def test_a_document_as_plain_text_is_no_contradiction() -> None:
    faults = of_shape(_typed("text/plain"), document("a", mimeType="text/x-python"))
    assert faults == [Fault("metadata", "resource.text", "lost", "mimeType")]
    faults = of_shape(_typed("text/html"), document("a", mimeType="text/x-python"))
    assert faults == [Fault("metadata", "resource.text", "altered", "mimeType")]
    for of_media in ("image/svg+xml", "audio/midi"):
        part = a_case(document("a", mimeType=of_media))
        found = only(judgement(rendering_by(_typed("text/plain")), part).found)
        assert found.fault == Fault("metadata", "resource.text", "altered", "mimeType")
        assert found.note == "the mimeType of the resource.text part is contradicted"


def test_a_type_in_a_data_uri_or_beside_it() -> None:
    def uri(told: str) -> Shape:
        return lambda blocks: "\n".join(f"{b.role}: data:{told};base64,{b.data}" for b in blocks)

    assert of_shape(uri("image/png"), shown()) == []
    assert [f.level for f in of_shape(uri("image/gif"), shown())] == ["altered"]
    assert [f.level for f in of_shape(uri(""), shown())] == ["lost"]
    assert of_shape(lambda b: f"{b[0].role} image/PNG {b[0].data}", shown()) == []
    assert of_shape(lambda b: f"{b[0].role} image/JPG {b[0].data}", shown("image/jpg")) == []
    with_parameter = shown("image/png;a=b")
    assert of_shape(lambda b: f"{b[0].role} image/png {b[0].data}", with_parameter) == []


def test_the_type_of_audio_in_a_provider_request() -> None:
    for media_type in ("audio/wav", "audio/x-wav", "audio/mpeg", "audio/mp3", "audio/ogg"):
        assert of_shape(openai_chat, shown(media_type)) == []


def test_images_without_a_type_but_for_the_text() -> None:
    assert of_shape(ollama_chat, shown(), shown("image/jpeg", number=1)) == []


def test_a_lost_part_has_no_metadata_to_lose() -> None:
    faults = of_shape(lambda blocks: one_part_a_message([]), FULL_LINK)
    assert [f.rule for f in faults if f.rule == "metadata"] == []


def test_a_lost_part_does_not_hide_what_another_lacks() -> None:
    def shape(blocks: Blocks) -> Reply:
        return one_part_a_message([replace(b, title=None) for b in blocks if b.kind != "image"])

    lacking = Fault("metadata", "resource_link", "lost", "title")
    assert of_shape(shape, shown(), link(title="T")) == [Fault("image", "image", "lost"), lacking]


def test_what_is_for_the_user_alone_is_not_judged() -> None:
    part = link(title="T", annotations={"audience": ["user"]})
    assert of_shape(_without("title"), part) == []


@pytest.mark.parametrize(
    ("told", "sent", "same"),
    [
        ("audio/mp3", "audio/mpeg", True),
        ("mp3", "audio/mpeg", True),
        ("wav", "audio/x-wav", True),
        ("AUDIO/WAV", "audio/vnd.wave", True),
        ("x-flac", "audio/flac", True),
        ("audio/flac", "audio/x-flac", True),
        ("python", "text/x-python", True),
        ("x-python", "text/x-python", False),
        ("text/plain; charset=utf-8", "text/plain", True),
        ("text/plain", "text/html", False),
        ("plain", "text/plain", True),
        ("application/x-pdf", "application/pdf", True),
        ("text/xml", "application/xml", True),
        ("image/x-png", "image/png", True),
    ],
)
def test_agreement(told: str, sent: str, same: bool) -> None:
    assert agrees(told, sent) is same


def test_bare_types() -> None:
    assert bare_type(" Image/X-PNG ; a=b") == "image/png"
    assert bare_type("text/plain; charset=utf-8; format=flowed") == "text/plain"
    assert bare_type("text/x-odd") == "text/x-odd"
