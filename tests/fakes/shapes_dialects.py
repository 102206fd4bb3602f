"""Faithful shapes: requests to model providers."""

from __future__ import annotations

import re
from typing import Final

from mcp_prompt_fuzz.jsontypes import Json

from .blocks import Block, Blocks, Reply, data_uri, turns_of

_AUDIO: Final = {"audio/wav": "wav", "audio/x-wav": "wav", "audio/mpeg": "mp3", "audio/mp3": "mp3"}
_IMAGES: Final = ("image/png", "image/jpeg", "image/gif", "image/webp")
_SAID: Final = "The assistant had sent this:"


def _as_text(block: Block) -> str:
    """What a dialect has no part for: a line of metadata, then the content."""
    if block.kind == "text":
        return block.text
    if block.kind == "resource_link":
        return block.told_as_json
    return f"{block.told_as_json}\n{data_uri(block) if block.is_bytes else block.text}"


def _media_from_users(blocks: Blocks) -> list[tuple[str, list[Block | str]]]:
    """Turns in which media come from users alone, the assistant's after a line that says so."""
    turns: list[tuple[str, list[Block | str]]] = []
    for role, run in turns_of(blocks):
        parts: list[Block | str] = []
        for block in run:
            if role == "assistant" and block.is_bytes:
                turns += [(role, parts)] if parts else []
                turns.append(("user", [_SAID, block]))
                parts = []
            else:
                parts.append(block)
        turns += [(role, parts)] if parts else []
    return turns


def openai_chat(blocks: Blocks) -> Reply:
    """Chat completions: image URLs, input audio, files."""
    messages = [
        {"role": role, "content": [openai_part(part) for part in parts]}
        for role, parts in _media_from_users(blocks)
    ]
    return {"dialect": "openai.chat", "body": {"model": "m", "messages": messages}}


def openai_part(block: Block | str) -> Json:
    """A block as a content part of a chat completion."""
    if isinstance(block, str):
        return {"type": "text", "text": block}
    if block.kind == "image":
        return {"type": "image_url", "image_url": {"url": data_uri(block)}}
    spoken = _AUDIO.get((block.media_type or "").lower())
    if block.kind == "audio" and spoken:
        return {"type": "input_audio", "input_audio": {"data": block.data, "format": spoken}}
    if block.is_bytes:
        file = {"filename": block.uri or "file", "file_data": data_uri(block)}
        return {"type": "file", "file": file}
    return {"type": "text", "text": _as_text(block)}


def openai_responses(blocks: Blocks) -> Reply:
    """Responses: input and output items."""

    def part(role: str, block: Block | str) -> Json:
        if isinstance(block, str):
            return {"type": "input_text", "text": block}
        if block.kind == "image":
            return {"type": "input_image", "image_url": data_uri(block)}
        if block.is_bytes:
            name = block.uri or "file"
            return {"type": "input_file", "filename": name, "file_data": data_uri(block)}
        kind = "output_text" if role == "assistant" else "input_text"
        return {"type": kind, "text": _as_text(block)}

    items = [
        {"type": "message", "role": role, "content": [part(role, p) for p in parts]}
        for role, parts in _media_from_users(blocks)
    ]
    return {"dialect": "openai.responses", "body": {"model": "m", "input": items}}


def anthropic_messages(blocks: Blocks) -> Reply:
    """Messages: images, documents, and texts for what it has no block for."""
    messages = [
        {"role": role, "content": [_anthropic_block(part) for part in parts]}
        for role, parts in _media_from_users(blocks)
    ]
    body = {"model": "m", "system": "Be kind.", "messages": messages, "max_tokens": 9}
    return {"dialect": "anthropic.messages", "body": body}


def _anthropic_block(block: Block | str) -> Json:
    if isinstance(block, str):
        return {"type": "text", "text": block}
    bare = (block.media_type or "").partition(";")[0].lower()
    source = {"type": "base64", "media_type": bare, "data": block.data}
    if block.kind == "image" and bare in _IMAGES:
        return {"type": "image", "source": source}
    if block.kind == "resource.blob" and bare == "application/pdf":
        return {"type": "document", "source": source, "title": block.uri}
    if block.kind == "resource.text" and block.role == "user":
        plain = {"type": "text", "media_type": "text/plain", "data": block.text}
        title = f"{block.uri} ({block.media_type})" if block.media_type else block.uri
        return {"type": "document", "source": plain, "title": title}
    return {"type": "text", "text": _as_text(block)}


def gemini_contents(blocks: Blocks) -> Reply:
    """Contents: inline data and file data, in turns of `user` and `model`."""

    def part(block: Block) -> Json:
        if block.is_bytes:
            inline = {"mimeType": block.media_type or "application/octet-stream"}
            named = {"displayName": block.uri} if block.uri else {}
            return {"inlineData": {**inline, "data": block.data, **named}}
        if block.kind == "resource_link" and block.media_type:
            file = {"fileUri": block.uri, "mimeType": block.media_type, "displayName": block.name}
            return {"fileData": file}
        return {"text": _as_text(block)}

    names = {"user": "user", "assistant": "model"}
    contents = [
        {"role": names[role], "parts": [part(b) for b in run]} for role, run in turns_of(blocks)
    ]
    return {"dialect": "gemini.contents", "body": {"contents": contents}}


def ollama_chat(blocks: Blocks) -> Reply:
    """Chat with images beside the text; what isn't an image stands in the text."""
    messages: list[Json] = []
    for block in blocks:
        if (
            block.kind == "image"
            and block.data
            and re.match("image/(?!svg)", block.media_type or "")
        ):
            told = f"({block.media_type})"
            messages.append({"role": block.role, "content": told, "images": [block.data]})
        else:
            messages.append({"role": block.role, "content": _as_text(block)})
    return {"dialect": "ollama.chat", "body": {"model": "m", "messages": messages}}
