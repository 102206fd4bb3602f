"""Small valid documents, each holding a number that makes its bytes unique.

Text formats are ASCII and hold the token ``pfz`` and the number.
"""

import gzip as _gzip
import zlib
from collections.abc import Mapping
from typing import Final

__all__ = ["TEXT_DOCUMENTS", "gzip_file", "opaque", "pdf", "zip_file"]

TEXT_DOCUMENTS: Final[Mapping[str, bytes]] = {
    "application/json": b'{"token": "pfz%d"}',
    "application/ld+json": b'{"@id": "pfz:%d"}',
    "application/xml": b"<token>pfz%d</token>",
    "application/xhtml+xml": b"<html xmlns='http://www.w3.org/1999/xhtml'><p>pfz%d</p></html>",
    "application/yaml": b"token: pfz%d\n",
    "application/toml": b'token = "pfz%d"\n',
    "application/javascript": b"const token = 'pfz%d';\n",
    "application/sql": b"SELECT 'pfz%d';\n",
    "application/x-sh": b"# pfz%d\n",
    "text/xml": b"<token>pfz%d</token>",
    "text/csv": b"token\npfz%d\n",
    "text/tab-separated-values": b"token\tname\npfz%d\ta\n",
    "text/html": b"<!DOCTYPE html><title>pfz%d</title><p>a</p>",
    "text/markdown": b"# pfz%d\n",
    "text/css": b".pfz%d {}\n",
    "text/javascript": b"const token = 'pfz%d';\n",
    "text/calendar": b"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:pfz%d\r\nEND:VCALENDAR\r\n",
    "text/x-python": b'token = "pfz%d"\n',
}
"""Media type to a template with one ``%d``."""


def opaque(n: int) -> bytes:
    """Bytes of no known format: not UTF-8, and different for each ``n``."""
    return b"\xff" + n.to_bytes(4, "big")


def pdf(n: int) -> bytes:
    """One empty page, and a comment with ``n``; the offsets in its table are right."""
    objects = (
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>",
    )
    body = b"%%PDF-1.4\n%%pfz%d\n" % n
    table = b"xref\n0 4\n0000000000 65535 f \n"
    for number, content in enumerate(objects, 1):
        table += b"%010d 00000 n \n" % len(body)
        body += b"%d 0 obj%sendobj\n" % (number, content)
    trailer = b"trailer<</Size 4/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % len(body)
    return body + table + trailer


def zip_file(n: int) -> bytes:
    """An archive of one stored file, ``a``, whose content is the token."""
    content = b"pfz%d" % n
    size = len(content).to_bytes(4, "little")
    # Version 1.0, no flags, stored, 1980-01-01: the same bytes on every run.
    common = (
        b"\x0a\0\0\0\0\0\0\0\x21\0"
        + zlib.crc32(content).to_bytes(4, "little") + size + size + b"\x01\0\0\0"
    )  # fmt: skip
    local = b"PK\x03\x04" + common + b"a" + content
    central = b"PK\x01\x02\x0a\0" + common + b"\0" * 14 + b"a"
    end = b"PK\x05\x06\0\0\0\0\x01\0\x01\0" + len(central).to_bytes(4, "little")
    return local + central + end + len(local).to_bytes(4, "little") + b"\0\0"


def gzip_file(n: int) -> bytes:
    """The token, compressed, without a time stamp."""
    return _gzip.compress(b"pfz%d" % n, mtime=0)
