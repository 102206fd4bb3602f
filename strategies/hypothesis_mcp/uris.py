"""URIs of embedded resources and links, every one valid by RFC 3986.

"Custom URI schemes MUST follow RFC 3986" (server/resources, 2026-07-28). None can be fetched:
``.invalid`` resolves nowhere (RFC 2606), and no file of these names is there.
"""

from typing import Final

__all__ = ["LINK_NAMES", "URIS"]

URIS: Final = (
    "pfz://a",
    "pfz://b",
    "x:a",
    "file:///pfz-none/a.txt",
    "file:///pfz-none/b%20c.png",
    "file:///C:/pfz-none/a.txt",
    "https://example.invalid/a",
    "https://example.invalid/a/b.pdf?c=d&e=%C3%A9#f",
    "https://example.invalid:8443/a",
    "https://user@example.invalid/a",
    "https://[::1]/pfz-none",
    "https://xn--bcher-kva.invalid/%E5%90%8D",
    "HTTPS://EXAMPLE.INVALID/A",
    "git://example.invalid/a.git",
    "resource://pfz/a",
    "test+odd-1.0:a/b;c=d",
    "urn:uuid:00000000-0000-4000-8000-000000000000",
    "data:text/plain,a",
    "mailto:a%40b",
    "postgres://example.invalid/a/b",
    "ui://pfz/a/../b",
    "x:%2Fa%2Fb",
    "x:a'(b)*",
    "x://pfz/" + "a" * 500,
)
"""The first is the shortest; strategies shrink toward it."""

LINK_NAMES: Final = (
    "a",
    "a.txt",
    "A longer name",
    "",
    " ",
    "a/b",
    "a]b",
    "a\nb",
    "\u540d\u524d",
    "\U0001f600",
    "<b>a</b>",
)
"""Names of links (``name`` is required there, and any string)."""
