"""Media types, and for each of them a small valid file.

Blocks of all revisions carry media as base64 with a media type ("MUST be base64-encoded with a
valid MIME type", server/prompts, 2024-11-05 to 2026-07-28). Clients decode them, sniff them, hand
them to providers that check them: made-up bytes would be refused for reasons that have nothing to
do with the client. So every file here is real.
"""

from base64 import b64encode
from collections.abc import Callable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from hypothesis_mcp import _audio_files, _document_files, _image_files

__all__ = ["AUDIO_TYPES", "BLOB_TYPES", "IMAGE_TYPES", "TEXT_TYPES", "base64_file_of", "file_of"]

_MAKERS: Final[Mapping[str, Callable[[int], bytes]]] = MappingProxyType(
    {
        "image/png": _image_files.png,
        "image/apng": _image_files.png,
        "image/jpeg": _image_files.jpeg,
        "image/jpg": _image_files.jpeg,
        "image/pjpeg": _image_files.jpeg,
        "image/gif": _image_files.gif,
        "image/webp": _image_files.webp,
        "image/bmp": _image_files.bmp,
        "image/svg+xml": _image_files.svg,
        "audio/wav": _audio_files.wav,
        "audio/x-wav": _audio_files.wav,
        "audio/wave": _audio_files.wav,
        "audio/vnd.wave": _audio_files.wav,
        "audio/mpeg": _audio_files.mp3,
        "audio/mp3": _audio_files.mp3,
        "audio/ogg": _audio_files.ogg,
        "audio/opus": _audio_files.ogg,
        "application/ogg": _audio_files.ogg,
        "audio/flac": _audio_files.flac,
        "audio/x-flac": _audio_files.flac,
        "application/pdf": _document_files.pdf,
        "application/zip": _document_files.zip_file,
        "application/gzip": _document_files.gzip_file,
    }
)

# The first of each table is the smallest file, so that what shrinks to it is the optimum. Upper
# case and parameters are valid: types are case-insensitive (RFC 6838), and parameters belong to
# them (RFC 2045).
IMAGE_TYPES: Final = (
    "image/png",
    "image/PNG",
    "image/png;charset=binary",
    "image/gif",
    "image/webp",
    "image/bmp",
    "image/svg+xml",
    "image/jpeg",
    "image/jpg",
    "IMAGE/JPEG",
    "image/svg+xml; charset=utf-8",
)
"""Media types of image blocks."""

AUDIO_TYPES: Final = (
    "audio/wav",
    "audio/x-wav",
    "audio/flac",
    "audio/mpeg",
    "audio/mp3",
    "audio/ogg",
    "audio/Wav",
    "AUDIO/MPEG",
    "audio/ogg;codecs=opus",
    'audio/ogg; codecs="opus"',
)
"""Media types of audio blocks."""

BLOB_TYPES: Final = (
    "application/octet-stream",
    "application/x-pfz",
    "image/png",
    "application/pdf",
    "application/zip",
    "application/gzip",
    "audio/wav",
    "audio/mpeg",
    "image/jpeg",
    "image/svg+xml",
    "text/plain",
    "text/plain; charset=utf-8",
    "text/csv",
    "text/html",
    "application/json",
    "application/xml",
    "Application/PDF",
)
"""Media types of embedded resources with a blob."""

TEXT_TYPES: Final = (
    "text/plain",
    "text/markdown",
    "text/html",
    "text/csv",
    "text/xml",
    "text/x-python",
    "text/plain; charset=utf-8",
    "text/plain;charset=UTF-8",
    "TEXT/PLAIN",
    "Text/Markdown; variant=GFM",
    "application/json",
    "application/ld+json",
    "application/xml",
    "application/yaml",
    "application/javascript",
    "application/x-sh",
    "application/vnd.api+json",
    "application/x-pfz",
    "image/svg+xml",
)
"""Media types of embedded resources with a text."""


def file_of(mime_type: str, n: int) -> bytes:
    """A small valid file of ``mime_type``, different for every ``n`` (0 <= n < 2**32).

    Case and parameters of the type don't matter. Text types (``text/*``, JSON, XML, YAML and the
    like) give ASCII text that holds the token ``pfz<n>``; a type that isn't known gives five
    bytes that are unique but of no format.

    >>> file_of("image/PNG", 7)[:4], file_of("text/csv; header=present", 7)
    (b'\\x89PNG', b'token\\npfz7\\n')

    Raises ``ValueError`` where ``n`` is out of range.
    """
    if not 0 <= n < 2**32:
        raise ValueError(f"n must lie in 0..2**32-1, not {n}")
    essence = mime_type.partition(";")[0].strip().lower()
    if maker := _MAKERS.get(essence):
        return maker(n)
    if document := _document_files.TEXT_DOCUMENTS.get(essence):
        return document % n
    if essence.startswith("text/"):
        return b"Token pfz%d.\n" % n
    if essence.endswith("+json"):
        return _document_files.TEXT_DOCUMENTS["application/json"] % n
    if essence.endswith("+xml"):
        return _document_files.TEXT_DOCUMENTS["application/xml"] % n
    return _document_files.opaque(n)


@lru_cache(maxsize=4096)
def base64_file_of(mime_type: str, n: int) -> str:
    """`file_of` in standard base64 with padding, as blocks carry it."""
    return b64encode(file_of(mime_type, n)).decode("ascii")
