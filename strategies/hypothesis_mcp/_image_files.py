"""Small valid image files, each holding a number that makes its bytes unique.

Layouts follow the formats' own specifications: PNG (ISO/IEC 15948), JPEG (ITU-T T.81), GIF89a,
WebP (RFC 9649), SVG 1.1. One pixel each, except where the number is kept in a comment.
"""

import zlib
from base64 import b64decode
from typing import Final

__all__ = ["bmp", "gif", "jpeg", "png", "svg", "webp"]


# Readable ASCII of even length, long enough that no image is smaller than the PNG: then the
# plainest image is the smallest one too.
_TOKEN: Final = b"mcp-prompt-fuzz image, pfz%010d"


def _png_chunk(kind: bytes, body: bytes) -> bytes:
    checksum = zlib.crc32(kind + body)
    return len(body).to_bytes(4, "big") + kind + body + checksum.to_bytes(4, "big")


def png(n: int) -> bytes:
    """One RGBA pixel whose four channels are ``n``."""
    header = (1).to_bytes(4, "big") * 2 + bytes((8, 6, 0, 0, 0))
    pixel = zlib.compress(b"\0" + n.to_bytes(4, "big"), 0)  # stored: one size for every n
    return (
        b"\x89PNG\r\n\x1a\n"
        + _png_chunk(b"IHDR", header)
        + _png_chunk(b"IDAT", pixel)
        + _png_chunk(b"IEND", b"")
    )


def gif(n: int) -> bytes:
    """One black pixel and a comment with ``n`` in decimal."""
    comment = _TOKEN % n
    return (
        b"GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff"
        + b"!\xfe"
        + bytes((len(comment),))
        + comment
        + b"\0"
        + b",\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;"
    )


# A one-pixel grey baseline JPEG: tables of its own kept as short as the format allows (one DC code
# and one AC code, both "0"), so that the scan is two bits, padded with ones.
_JPEG_TABLES = (
    b"\xff\xdb\x00\x43\x00" + b"\x01" * 64
    + b"\xff\xc0\x00\x0b\x08\x00\x01\x00\x01\x01\x01\x11\x00"
    + b"\xff\xc4\x00\x14\x00\x01" + b"\0" * 15 + b"\x00"
    + b"\xff\xc4\x00\x14\x10\x01" + b"\0" * 15 + b"\x00"
)  # fmt: skip


def jpeg(n: int) -> bytes:
    """One grey pixel and a comment segment with ``n``."""
    comment = b"\xff\xfe\x00\x06" + n.to_bytes(4, "big")
    scan = b"\xff\xda\x00\x08\x01\x01\x00\x00\x3f\x00\x3f"
    return b"\xff\xd8" + comment + _JPEG_TABLES + scan + b"\xff\xd9"


# The smallest lossless WebP: one pixel.
_VP8L = b64decode("UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==")[12:]


def webp(n: int) -> bytes:
    """One pixel, lossless, and a chunk of our own with ``n`` that readers skip."""
    token = _TOKEN % n
    body = b"WEBP" + _VP8L + b"pfzn" + len(token).to_bytes(4, "little") + token
    return b"RIFF" + len(body).to_bytes(4, "little") + body


def bmp(n: int) -> bytes:
    """One 32-bit pixel that is ``n``, after a gap with the number in decimal."""
    gap = _TOKEN % n
    start = 14 + 40 + len(gap)
    size = start + 4
    return (
        b"BM" + size.to_bytes(4, "little") + b"\0" * 4 + start.to_bytes(4, "little")
        + (40).to_bytes(4, "little") + (1).to_bytes(4, "little") * 2
        + b"\x01\x00\x20\x00" + b"\0" * 24
        + gap + n.to_bytes(4, "little")
    )  # fmt: skip


def svg(n: int) -> bytes:
    """A drawing whose title holds ``n``."""
    return b'<svg xmlns="http://www.w3.org/2000/svg"><title>%b</title></svg>' % (_TOKEN % n)
