"""Faulty fakes whose texts suffer: `text.verbatim` and `resource.text`."""

from __future__ import annotations

import html
import json
import re
import unicodedata
from typing import Final
from urllib.parse import quote

from . import shapes_dialects as dialects
from . import shapes_messages as messages
from . import shapes_strings as strings
from .blocks import Block, Blocks, Edit, Shape, dropping, of_kind, on_texts
from .faulty import FaultyFake, case, document, said
from .renderers import OfResult


def _changed(shape: Shape, edit: Edit, smallest: str, *aspects: str | None) -> FaultyFake:
    """A fake that changes texts; `smallest` is the shortest that it changes."""
    wanted = case(said(smallest))
    fake = OfResult(shape, edit)
    return FaultyFake(fake, "text.verbatim", wanted, aspects, part="text", level="altered")


def _without_controls(text: str) -> str:
    return "".join(c for c in text if c in "\n\r\t" or unicodedata.category(c) != "Cc")


def _without_astral(text: str) -> str:
    return "".join(c if ord(c) < 0x10000 else "\ufffd" for c in text)


def _cut(text: str) -> str:
    return text if len(text) <= 1000 else text[:997] + "..."


def _merged_if_equal(blocks: Blocks) -> Blocks:
    kept: Blocks = []
    for block in blocks:
        if not kept or not block.is_text or block != kept[-1]:
            kept.append(block)
    return kept


def _of_priority_0(block: Block) -> bool:
    return block.annotations is not None and not block.annotations.get("priority", 1)


def _lost(shape: Shape, edit: Edit, *smallest: object, part: str = "text") -> FaultyFake:
    wanted = case(*smallest)  # type: ignore[arg-type]
    return FaultyFake(OfResult(shape, edit), "text.verbatim", wanted, part=part, level="lost")


CHANGED: Final[dict[str, FaultyFake]] = {
    "trims": _changed(messages.one_part_a_message, on_texts(str.strip), " ", "trim"),
    "strips_the_last_newlines": _changed(
        dialects.openai_chat, on_texts(lambda t: t.rstrip("\n")), "\n", "trim"
    ),
    "composes_characters": _changed(
        strings.markdown_with_growing_fences,
        on_texts(lambda t: unicodedata.normalize("NFC", t)),
        "\u212b",
        "unicode",
    ),
    "folds_compatible_characters": _changed(
        strings.questions_and_answers,
        on_texts(lambda t: unicodedata.normalize("NFKC", t)),
        "\u00b2",
    ),
    "turns_crlf_into_lf": _changed(
        dialects.gemini_contents, on_texts(lambda t: t.replace("\r\n", "\n")), "\r\n", "newline"
    ),
    "turns_separators_into_newlines": _changed(
        dialects.anthropic_messages,
        on_texts(lambda t: re.sub("[\u2028\u2029]", "\n", t)),
        "\u2028",
        "newline",
    ),
    "joins_lines": _changed(
        messages.documents_inlined, on_texts(lambda t: t.replace("\n", " ")), "\n", "newline"
    ),
    "collapses_spaces": _changed(
        strings.tagged_roles, on_texts(lambda t: re.sub(" +", " ", t)), "  ", "spaces"
    ),
    "expands_tabs": _changed(
        messages.merged_neighbours, on_texts(lambda t: t.replace("\t", "    ")), "\t", "spaces"
    ),
    "escapes_for_html": _changed(
        strings.xml_with_escaped_attributes,
        on_texts(lambda t: html.escape(t, quote=False)),
        "<",
        "escape",
    ),
    "escapes_for_json": _changed(
        strings.json_lines_with_native_texts,
        on_texts(lambda t: json.dumps(t, ensure_ascii=False)[1:-1]),
        '"',
        "escape",
    ),
    "quotes_as_json": _changed(messages.merged_neighbours, on_texts(json.dumps), '"', "escape"),
    "percent_encodes": _changed(
        strings.counters_and_lengths,
        on_texts(lambda t: quote(t, errors="surrogatepass")),
        " ",
        "escape",
    ),
    "cuts_at_1000": _changed(
        dialects.openai_responses, on_texts(lambda t: t[:1000]), "a" * 1001, "truncate"
    ),
    "cuts_at_1000_with_dots": _changed(
        strings.tagged_roles, on_texts(_cut), "a" * 1001, "truncate"
    ),
    "removes_control_characters": _changed(
        strings.questions_and_answers, on_texts(_without_controls), "\x00", "control", "trim"
    ),
    "removes_byte_order_marks": _changed(
        messages.with_volatile_system_message,
        on_texts(lambda t: t.replace("\ufeff", "")),
        "\ufeff",
    ),
    "replaces_what_is_not_ascii": _changed(
        dialects.anthropic_messages,
        on_texts(lambda t: t.encode("ascii", "replace").decode()),
        "\u00b2",
        "unicode",
    ),
    "replaces_astral_characters": _changed(
        dialects.gemini_contents, on_texts(_without_astral), "\U0001f600"
    ),
    "lowercases": _changed(strings.xml_with_escaped_attributes, on_texts(str.lower), "A", "case"),
    "drops_blank_texts": _changed(
        messages.merged_neighbours,
        dropping(lambda b: b.is_text and not b.text.strip()),
        " ",
        "trim",
    ),
    "wraps_at_80": _changed(
        strings.ids_in_every_line,
        on_texts(lambda t: re.sub("(.{80})(?=.)", "\\1\n", t)),
        "a" * 81,
    ),
}
"""Each changes some texts; the token texts of a twin are not among them."""

LOST: Final[dict[str, FaultyFake]] = {
    "takes_null_for_absent": _lost(
        messages.one_part_a_message,
        dropping(lambda b: b.is_text and b.text in ("null", "None", "undefined")),
        said("null"),
    ),
    "removes_tags": FaultyFake(
        OfResult(messages.merged_neighbours, on_texts(lambda t: re.sub("<[^>]+>", "", t))),
        "text.verbatim",
        case(said("<a>")),
        part="text",
        level="lost",
    ),
    "merges_equal_texts": _lost(
        messages.one_part_a_message, _merged_if_equal, said("a"), said("a")
    ),
    "uses_the_first_message_only": _lost(
        messages.merged_neighbours, lambda blocks: blocks[:1], said(""), said("a"), part="any"
    ),
    "uses_the_last_message_only": _lost(
        dialects.openai_chat, lambda blocks: blocks[-1:], said("a"), said(""), part="any"
    ),
    "uses_five_messages": _lost(
        strings.tagged_roles,
        lambda blocks: blocks[:5],
        *[said("")] * 5,
        said("a"),
        part="any",
    ),
    "drops_texts_of_the_assistant": _lost(
        dialects.gemini_contents,
        dropping(lambda b: b.is_text and b.role == "assistant"),
        said("a", "assistant"),
    ),
    "drops_annotated_texts": _lost(
        messages.one_part_a_message,
        dropping(lambda b: b.is_text and b.annotations is not None),
        said("a", annotations={}),
    ),
    "drops_parts_of_priority_0": _lost(
        messages.merged_neighbours,
        dropping(_of_priority_0),
        said("a", annotations={"priority": 0}),
        part="any",
    ),
}
"""Each drops some texts altogether."""


def _document(shape: Shape, edit: Edit, smallest: str, *aspects: str) -> FaultyFake:
    level = "altered" if aspects else "lost"
    fake = OfResult(shape, edit)
    return FaultyFake(
        fake,
        "resource.text",
        case(document(smallest)),
        aspects,
        part="resource.text",
        level=level,  # type: ignore[arg-type]
    )


DOCUMENTS: Final[dict[str, FaultyFake]] = {
    "drops_documents": _document(
        messages.one_part_a_message, dropping(of_kind("resource.text")), "a"
    ),
    "trims_documents": _document(
        messages.documents_inlined, on_texts(str.strip, "resource.text"), " ", "trim"
    ),
    "cuts_documents_at_1000": _document(
        dialects.gemini_contents,
        on_texts(lambda t: t[:1000], "resource.text"),
        "a" * 1001,
        "truncate",
    ),
    "escapes_documents": _document(
        strings.xml_with_escaped_attributes,
        on_texts(lambda t: html.escape(t, quote=False), "resource.text"),
        "<",
        "escape",
    ),
    "names_documents_only": FaultyFake(
        OfResult(strings.tagged_roles, on_texts(lambda t: "", "resource.text")),
        "resource.text",
        case(document("a")),
        part="resource.text",
        level="announced",
    ),
}
"""Each loses or changes text documents."""

FAULTS: Final = {**CHANGED, **LOST, **DOCUMENTS}
