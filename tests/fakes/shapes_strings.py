"""Faithful shapes: one string for the whole prompt."""

from __future__ import annotations

import html
import json
import re
import secrets
import textwrap
from collections.abc import Callable
from typing import Final

from .blocks import Block, Blocks, Reply, bytes_of, data_uri

_NAMES: Final = {"user": "User", "assistant": "Assistant"}


def _described(block: Block) -> str:
    """All that is told of a link or document, on one line."""
    return json.dumps(block.told, ensure_ascii=False)


def _plain(block: Block) -> str:
    """A block as text: texts as they are, bytes as a data URI after a line of metadata."""
    match block.kind:
        case "text":
            return block.text
        case "resource_link":
            return f"(link) {_described(block)}"
        case "resource.text":
            return f"(document) {_described(block)}\n{block.text}"
    return f"({block.kind}) {_described(block)}\n{data_uri(block)}"


def tagged_roles(blocks: Blocks) -> Reply:
    """Each message between tags of its role; media as data URIs."""
    return "\n".join(f"[{b.role}]\n{_plain(b)}\n[/{b.role}]" for b in blocks)


def questions_and_answers(blocks: Blocks) -> Reply:
    """What the user says is a question, what the assistant says is an answer."""
    labels = {"user": "Q", "assistant": "A"}
    return "\n\n".join(f"{labels[b.role]}: {_plain(b)}" for b in blocks)


def markdown_with_growing_fences(blocks: Blocks) -> Reply:
    """Headings for speakers; each content in a fence that is longer than any in it."""

    def fenced(block: Block) -> str:
        content = data_uri(block) if block.is_bytes else block.text
        if block.kind == "resource_link":
            content = block.uri or ""
        longest = max((len(run) for run in re.findall("`+", content)), default=0)
        fence = "`" * max(3, longest + 1)
        told = "" if block.is_text else f"\n{_described(block)}"
        return f"## {_NAMES[block.role]}: {block.kind}{told}\n{fence}\n{content}\n{fence}\n"

    return "# Prompt\n\n" + "\n".join(fenced(b) for b in blocks)


def xml_with_escaped_attributes(blocks: Blocks) -> Reply:
    """Elements for messages; metadata in attributes, escaped; contents literal."""

    def element(block: Block) -> str:
        told = "".join(
            f' {member}="{html.escape(str(value), quote=True)}"'
            for member, value in block.told.items()
        )
        content = block.data if block.is_bytes else block.text
        return f'<part from="{block.role}" kind="{block.kind}"{told}>{content}</part>'

    return "<prompt>\n" + "\n".join(element(b) for b in blocks) + "\n</prompt>"


def _with_bytes_as(spell: Callable[[Block], str], blocks: Blocks) -> Reply:
    lines = []
    for block in blocks:
        content = spell(block) if block.is_bytes else block.text
        lines.append(f"--- {block.role}, {_described(block)} ---\n{content}\n")
    return "\n".join(lines)


def base64_wrapped_at_76(blocks: Blocks) -> Reply:
    """Bytes in lines of 76 characters, as mail has them."""
    return _with_bytes_as(lambda b: "\n".join(textwrap.wrap(b.data, 76)), blocks)


def base64_for_urls(blocks: Blocks) -> Reply:
    """Bytes in the URL-safe alphabet, without padding."""
    alphabet = str.maketrans("+/", "-_", "=")
    return _with_bytes_as(lambda b: b.data.translate(alphabet), blocks)


def bytes_in_hexadecimal(blocks: Blocks) -> Reply:
    """Bytes as hexadecimal digits."""
    return _with_bytes_as(lambda b: bytes_of(b).hex(), blocks)


def ids_in_every_line(blocks: Blocks) -> Reply:
    """Each message begins with an id of its own, another one each time."""
    return "\n".join(f"{secrets.token_hex(4)} {b.role} said: {_plain(b)}" for b in blocks)


def counters_and_lengths(blocks: Blocks) -> Reply:
    """Each message is announced with its number and its length."""
    return "\n".join(
        f"[{number} of {len(blocks)}] {b.role}, {len(_plain(b))} characters:\n{_plain(b)}"
        for number, b in enumerate(blocks, start=1)
    )


def json_lines_with_native_texts(blocks: Blocks) -> Reply:
    """Each part's metadata as JSON, then its content as it is."""
    lines = []
    for block in blocks:
        told = json.dumps({"role": block.role, "kind": block.kind, **block.told})
        content = block.data if block.is_bytes else block.text
        lines.append(f"{told}\n{content}\n\n")
    return "".join(lines)
