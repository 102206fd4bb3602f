"""Faulty fakes whose media, documents and links suffer, and what is told beside them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final
from urllib.parse import quote, unquote

from mcp_prompt_fuzz.case import Case
from mcp_prompt_fuzz.finding import Level

from . import shapes_dialects as dialects
from . import shapes_messages as messages
from . import shapes_strings as strings
from .blocks import (
    Block,
    Blocks,
    Edit,
    Reply,
    Shape,
    bytes_of,
    dropping,
    message,
    native,
    of_kind,
    on_blocks,
    text,
    turns_of,
)
from .faulty import FaultyFake, blob, case, document, link, shown
from .renderers import OfResult, Refused

IMAGE: Final = of_kind("image")
AUDIO: Final = of_kind("audio")
BLOB: Final = of_kind("resource.blob")
LINK: Final = of_kind("resource_link")


def _fault(
    shape: Shape, edit: Edit, rule: str, level: Level, smallest: Case, *aspects: str | None
) -> FaultyFake:
    return FaultyFake(OfResult(shape, edit), rule, smallest, aspects, part=rule, level=level)


def _refusing(wanted: Callable[[Block], bool]) -> Edit:
    def edit(blocks: Blocks) -> Blocks:
        if any(map(wanted, blocks)):
            raise Refused("this kind of content can't be shown")
        return blocks

    return edit


def _as_text(words: Callable[[Block], str], wanted: Callable[[Block], bool]) -> Edit:
    """The blocks that are wanted become texts of the same speaker."""
    return on_blocks(lambda b: Block(b.role, "text", text=words(b)), wanted)


def _cut(block: Block) -> Block:
    return replace(block, data=block.data[:-8])


def _without_the_second(blocks: Blocks) -> Blocks:
    images = [b for b in blocks if b.kind == "image"]
    return [b for b in blocks if len(images) < 2 or b is not images[1]]


def _without_repeated(blocks: Blocks) -> Blocks:
    seen: set[str] = set()
    kept: Blocks = []
    for block in blocks:
        if block.kind != "image" or block.data not in seen:
            kept.append(block)
        seen.add(block.data)
    return kept


MEDIA: Final[dict[str, FaultyFake]] = {
    "drops_images": _fault(
        messages.one_part_a_message, dropping(IMAGE), "image", "lost", case(shown())
    ),
    "drops_the_second_image": _fault(
        dialects.openai_chat, _without_the_second, "image", "lost", case(shown(), shown(number=1))
    ),
    "drops_images_of_the_assistant": _fault(
        dialects.gemini_contents,
        dropping(lambda b: b.kind == "image" and b.role == "assistant"),
        "image",
        "lost",
        case(shown(role="assistant")),
    ),
    "drops_repeated_images": _fault(
        messages.merged_neighbours, _without_repeated, "image", "lost", case(shown(), shown())
    ),
    "drops_vector_images": _fault(
        dialects.openai_responses,
        dropping(lambda b: (b.media_type or "").startswith("image/svg") and b.kind == "image"),
        "image",
        "lost",
        case(shown("image/svg+xml")),
    ),
    "writes_image_for_images": _fault(
        strings.tagged_roles,
        _as_text(lambda b: "[image]", IMAGE),
        "image",
        "announced",
        case(shown()),
    ),
    "cuts_images": _fault(
        messages.merged_neighbours,
        on_blocks(_cut, IMAGE),
        "image",
        "altered",
        case(shown()),
        "truncate",
    ),
    "reads_images_as_latin_1": _fault(
        messages.metadata_as_json_before_each_part,
        _as_text(lambda b: bytes_of(b).decode("latin-1"), IMAGE),
        "image",
        "altered",
        case(shown()),
        "decoded",
    ),
    "refuses_images": _fault(
        dialects.anthropic_messages, _refusing(IMAGE), "image", "refused", case(shown())
    ),
    "drops_sounds": _fault(
        messages.one_part_a_message, dropping(AUDIO), "audio", "lost", case(shown("audio/wav"))
    ),
    "refuses_sounds": _fault(
        dialects.openai_chat, _refusing(AUDIO), "audio", "refused", case(shown("audio/wav"))
    ),
    "writes_sound_for_sounds": _fault(
        strings.questions_and_answers,
        _as_text(lambda b: "(a sound)", AUDIO),
        "audio",
        "announced",
        case(shown("audio/wav")),
    ),
    "cuts_sounds": _fault(
        dialects.gemini_contents,
        on_blocks(_cut, AUDIO),
        "audio",
        "altered",
        case(shown("audio/wav")),
        "truncate",
    ),
}
"""Each loses or changes images or sounds."""

OTHERS: Final[dict[str, FaultyFake]] = {
    "drops_blobs": _fault(
        messages.one_part_a_message, dropping(BLOB), "resource.blob", "lost", case(blob())
    ),
    "writes_the_uri_for_blobs": _fault(
        strings.markdown_with_growing_fences,
        _as_text(lambda b: f"[file {b.uri}]", BLOB),
        "resource.blob",
        "announced",
        case(blob()),
    ),
    "reads_blobs_as_text": _fault(
        messages.documents_inlined,
        _as_text(lambda b: bytes_of(b).decode("utf-8", "replace"), BLOB),
        "resource.blob",
        "altered",
        case(blob()),
        "decoded",
    ),
    "refuses_blobs_of_the_assistant": _fault(
        dialects.anthropic_messages,
        _refusing(lambda b: b.kind == "resource.blob" and b.role == "assistant"),
        "resource.blob",
        "refused",
        case(blob(role="assistant")),
    ),
    "drops_links": _fault(
        messages.one_part_a_message, dropping(LINK), "resource_link", "lost", case(link())
    ),
    "names_links_only": _fault(
        strings.tagged_roles,
        _as_text(lambda b: f"(link: {b.name})", LINK),
        "resource_link",
        "announced",
        case(link()),
    ),
    "decodes_uris": _fault(
        messages.merged_neighbours,
        on_blocks(lambda b: replace(b, uri=unquote(b.uri or "")), LINK),
        "resource_link",
        "altered",
        case(link(uri="x:%20")),
    ),
    "drops_links_with_a_size": _fault(
        strings.json_lines_with_native_texts,
        dropping(lambda b: b.size is not None),
        "resource_link",
        "lost",
        case(link(size=0)),
    ),
}
"""Each loses or changes blobs or links."""


def _told(
    shape: Shape, part: str, change: Edit, level: Level | None, smallest: Case, member: str
) -> FaultyFake:
    fake = OfResult(shape, change)
    return FaultyFake(fake, "metadata", smallest, (member,), part=part, level=level)


METADATA: Final[dict[str, FaultyFake]] = {
    "calls_every_image_png": _told(
        messages.one_part_a_message,
        "image",
        on_blocks(lambda b: replace(b, media_type="image/png"), IMAGE),
        "altered",
        case(shown("image/gif")),
        "mimeType",
    ),
    "calls_every_sound_wav": _told(
        dialects.gemini_contents,
        "audio",
        on_blocks(lambda b: replace(b, media_type="audio/wav"), AUDIO),
        "altered",
        case(shown("audio/mpeg")),
        "mimeType",
    ),
    "lowercases_names_of_links": _told(
        messages.merged_neighbours,
        "resource_link",
        on_blocks(lambda b: replace(b, name=(b.name or "").lower()), LINK),
        "altered",
        case(link(name="A")),
        "name",
    ),
    "forgets_the_types_of_blobs": _told(
        messages.merged_neighbours,
        "resource.blob",
        on_blocks(lambda b: replace(b, media_type=None), BLOB),
        None,
        # A file of no stated type is an octet stream to a model, so that one has lost nothing.
        case(blob("text/plain")),
        "mimeType",
    ),
    "forgets_the_titles_of_links": _told(
        messages.one_part_a_message,
        "resource_link",
        on_blocks(lambda b: replace(b, title=None), LINK),
        None,
        case(link(title="A")),
        "title",
    ),
    "forgets_the_uris_of_documents": _told(
        strings.json_lines_with_native_texts,
        "resource.text",
        on_blocks(lambda b: replace(b, uri=None), of_kind("resource.text")),
        None,
        case(document("a")),
        "uri",
    ),
}
"""Each forgets or contradicts what is told beside a part."""


def _chat_with_images_anywhere(blocks: Blocks) -> Reply:
    said = [
        {"role": role, "content": [dialects.openai_part(b) for b in run]}
        for role, run in turns_of(blocks)
    ]
    return {"dialect": "openai.chat", "body": {"messages": said}}


def _responses_with_percent_encoding(blocks: Blocks) -> Reply:
    def part(block: Block) -> dict[str, str]:
        if block.is_bytes:
            url = f"data:{block.media_type},{quote(bytes_of(block), safe='')}"
            return {"type": "input_image" if IMAGE(block) else "input_file", _url(block): url}
        kind = "output_text" if block.role == "assistant" else "input_text"
        words = block.text if block.text else block.told_as_json
        return {"type": kind, "text": words}

    return {
        "dialect": "openai.responses",
        "body": {"input": [{"role": b.role, "content": [part(b)]} for b in blocks]},
    }


def _url(block: Block) -> str:
    return "image_url" if block.kind == "image" else "file_data"


PROVIDER: Final[dict[str, FaultyFake]] = {
    "leaves_media_in_assistant_turns": FaultyFake(
        OfResult(_chat_with_images_anywhere), "provider", case(shown(role="assistant"))
    ),
    "sends_data_uris_without_base64": FaultyFake(
        OfResult(_responses_with_percent_encoding), "provider", case(shown())
    ),
}
"""Each sends what the provider rejects."""


def _image_marked(blocks: Blocks) -> Reply:
    said = [
        message("user", text("(image)"), native(b)) if IMAGE(b) else message(b.role, native(b))
        for b in blocks
    ]
    return {"messages": said}


ROLES: Final[dict[str, FaultyFake]] = {
    "shows_images_as_the_users": FaultyFake(
        OfResult(_image_marked), "roles", case(shown(role="assistant"))
    ),
}

FAULTS: Final = {**MEDIA, **OTHERS, **METADATA, **PROVIDER, **ROLES}
