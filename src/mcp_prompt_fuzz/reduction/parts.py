"""Fewer messages, and plainer parts."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from hypothesis_mcp.media import file_of

from ..case import Case, kind_of
from ..jsontypes import without
from ..sweep import plain_content
from .texts import shorter

OPTIONAL: Final = ("annotations", "_meta", "icons", "title", "description", "size", "mimeType")
"""Members of a part that can be left out, though images and audio need their media type."""


def fewer_messages(case: Case) -> Iterator[Case]:
    """One message alone, then halves, then all but one.

    Halves would be fewer, but each that shows the fault costs a rendering for each of its messages,
    or a whole time limit.
    """
    count = len(case.messages)
    for index in range(count):
        yield replace(case, messages=(case.messages[index],))
    if count > 3:
        half = count // 2
        yield replace(case, messages=case.messages[:half])
        yield replace(case, messages=case.messages[half:])
    for index in reversed(range(count)):
        yield case.without_message(index)


def plainer_parts(case: Case) -> Iterator[Case]:
    """Each part the plainest of its kind, then an empty or plain text, then without a member."""
    for index, message in enumerate(case.messages):
        content = message["content"]
        kind = kind_of(content)
        plainest = plain_content(kind, index)
        if kind in ("resource.text", "resource.blob"):
            document = without(plainest["resource"], "mimeType")
            yield case.with_message(
                index, {"role": "user", "content": {**plainest, "resource": document}}
            )
            yield case.with_message(
                index, {**message, "content": {**plainest, "resource": document}}
            )
        yield case.with_message(index, {"role": "user", "content": plainest})
        yield case.with_message(index, {**message, "content": plainest})
        if kind != "text":
            for text in ("", "a"):
                yield case.with_message(
                    index, {**message, "content": {"type": "text", "text": text}}
                )
        yield case.with_message(index, {**message, "role": "user"})
        for member in OPTIONAL:
            if member in content and not (member == "mimeType" and kind in ("image", "audio")):
                yield case.with_message(index, {**message, "content": without(content, member)})
        annotations = content.get("annotations", {})
        for member in annotations:
            fewer = {**content, "annotations": without(annotations, member)}
            yield case.with_message(index, {**message, "content": fewer})
        document = content.get("resource", {})
        for member in ("mimeType", "_meta"):
            if member in document:
                fewer = {**content, "resource": without(document, member)}
                yield case.with_message(index, {**message, "content": fewer})
        yield from _plainer_members(case, index)


_UNKNOWN: Final = "application/octet-stream"
_SMALL_TYPES: Final = {
    "image": ("image/gif", "image/jpeg"),
    "audio": ("audio/mpeg",),
    "resource": (_UNKNOWN, "text/plain"),
}


def _plainer_members(case: Case, index: int) -> Iterator[Case]:
    message = case.messages[index]
    content = message["content"]
    plain = plain_content(kind_of(content), index)
    for member in ("uri", "name"):
        if member in content and member in plain:
            yield case.with_message(
                index, {**message, "content": {**content, member: plain[member]}}
            )
            for text in shorter(content[member]) if member == "name" else ():
                if text:
                    renamed = {**content, member: text}
                    yield case.with_message(index, {**message, "content": renamed})
    for member in ("title", "description"):
        for text in shorter(content.get(member, "")):
            yield case.with_message(index, {**message, "content": {**content, member: text}})
    if "resource" in content:
        document = {**content["resource"], "uri": plain["resource"]["uri"]}
        yield case.with_message(index, {**message, "content": {**content, "resource": document}})
    yield from _smaller_files(case, index)


def _smaller_files(case: Case, index: int) -> Iterator[Case]:
    """The plainest real file of the part's own type, or of another small one."""
    message = case.messages[index]
    content = message["content"]
    holder = content.get("resource", content)
    member = "blob" if "blob" in holder else "data"
    if member not in holder:
        return
    own = holder.get("mimeType")
    for media_type in (own, *_SMALL_TYPES[content["type"]]):
        data = b64encode(file_of(media_type or _UNKNOWN, index)).decode("ascii")
        smaller = {**holder, member: data}
        if own is not None:
            smaller["mimeType"] = media_type
        whole = {**content, "resource": smaller} if member == "blob" else smaller
        yield case.with_message(index, {**message, "content": whole})
