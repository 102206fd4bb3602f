"""What kind of alteration a text went through: the `aspect` of a finding."""

from __future__ import annotations

import html
import json
import re
import unicodedata
from collections.abc import Callable
from itertools import zip_longest
from typing import Final
from urllib.parse import quote, quote_plus, unquote

_NEWLINES: Final = re.compile("\r\n|[\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029]")
_INVISIBLE: Final = frozenset({"Cc", "Cf"})


def _visible(text: str) -> str:
    return "".join(c for c in text if unicodedata.category(c) not in _INVISIBLE)


def has_visible(text: str) -> bool:
    """Whether the text holds at least one character that a reader can see."""
    return bool(_visible(text).strip())


def _unescaped(text: str) -> str:
    return re.sub(
        r"\\(?:[nrt\"'\\/]|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2})",
        lambda match: _decode_escape(match[0]),
        text,
    )


def _decode_escape(escape: str) -> str:
    simple = {"n": "\n", "r": "\r", "t": "\t"}
    if escape[1] in "ux":
        return chr(int(escape[2:], 16))
    return simple.get(escape[1], escape[1])


def _percent_decoded(text: str) -> str:
    try:
        return unquote(text, errors="surrogatepass")
    except UnicodeDecodeError:
        return unquote(text)  # what is no UTF-8 becomes U+FFFD, as it mostly does


_ESCAPES: Final[tuple[Callable[[str], str], ...]] = (
    html.escape,
    lambda text: html.escape(text, quote=False),
    json.dumps,
    lambda text: json.dumps(text)[1:-1],
    lambda text: json.dumps(text, ensure_ascii=False),
    lambda text: json.dumps(text, ensure_ascii=False)[1:-1],
    lambda text: quote(text, errors="surrogatepass"),
    lambda text: quote(text, safe="", errors="surrogatepass"),
    lambda text: quote_plus(text, errors="surrogatepass"),
    lambda text: text.replace("\\", "\\\\"),
    html.unescape,
    _percent_decoded,
    _unescaped,
)


def aspect_of(sent: str, seen: str) -> str:
    """The kind of alteration that made `seen` of `sent`.

    One of `trim`, `newline`, `unicode`, `spaces`, `escape`, `control`, `case`, `truncate`,
    `repeated`, or `other`. The first that explains all of it counts.
    """
    if _NEWLINES.sub("\n", sent) == _NEWLINES.sub("\n", seen):
        return "newline"
    if seen in (sent.strip(), sent.lstrip(), sent.rstrip()):
        return "trim"
    if any(escape(sent) == seen for escape in _ESCAPES):
        return "escape"
    if sent.split() == seen.split():
        return "spaces" if _NEWLINES.sub(" ", sent) != seen else "newline"
    if _NEWLINES.sub("", sent) == _NEWLINES.sub("", seen):
        return "newline"
    if _visible(sent) == _visible(seen):
        return "control"
    if _same_unicode(sent, seen):
        return "unicode"
    if sent.casefold() == seen.casefold():
        return "case"
    return _aspect_by_length(sent, seen)


def _same_unicode(sent: str, seen: str) -> bool:
    if any(
        unicodedata.normalize(form, sent) == unicodedata.normalize(form, seen)
        for form in ("NFC", "NFKC")
    ):
        return True
    replaced = re.sub("[\ud800-\udfff]", "\ufffd", sent)
    if seen in (replaced, "".join(c for c in sent if ord(c) < 0x10000)):
        return True
    return any(
        seen == replaced.encode(charset, errors).decode(charset)
        for charset in ("ascii", "latin-1")
        for errors in ("ignore", "replace")
    )


def _aspect_by_length(sent: str, seen: str) -> str:
    common = next(n for n, (a, b) in enumerate(zip_longest(sent, seen)) if a != b)
    tail = seen[common:]
    is_told = common > 8 and len(tail) < 40 and not sent.endswith(tail)
    if common and len(seen) < len(sent) and (not tail or is_told):
        return "truncate"
    if sent and seen == sent * (len(seen) // len(sent)):
        return "repeated"
    return "other"
