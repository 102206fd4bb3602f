"""In which spellings the same content may stand in a transcript.

Texts are literal only: a text that arrives escaped has been altered. What stands beside a part
(URIs, names) may be escaped as its surroundings ask, and bytes may stand in any base64.
"""

from __future__ import annotations

import base64
import contextlib
import html
import json
import textwrap
from collections.abc import Callable
from functools import lru_cache
from typing import Final, TypeAlias
from urllib.parse import quote

Form: TypeAlias = str


def _inside_json(text: str, *, ascii_only: bool) -> str:
    return json.dumps(text, ensure_ascii=ascii_only)[1:-1]


def _percent(text: str, safe: str) -> str:
    return quote(text, safe=safe, errors="surrogatepass")


LABEL_FORMS: Final[dict[Form, Callable[[str], str]]] = {
    "raw": lambda text: text,
    "json": lambda text: _inside_json(text, ascii_only=False),
    "json-ascii": lambda text: _inside_json(text, ascii_only=True),
    "html": lambda text: html.escape(text, quote=True),
    "html-text": lambda text: html.escape(text, quote=False),
    "percent": lambda text: _percent(text, ""),
    "percent-uri": lambda text: _percent(text, ":/?#[]@!$&'()*+,;=%~"),
}
"""How metadata may be spelled: as it is, or escaped for JSON, HTML or a URI."""


def label_spellings(label: str) -> set[str]:
    """Every accepted spelling of a piece of metadata."""
    return {spell(label) for spell in LABEL_FORMS.values()}


def _wrap(text: str, width: int, newline: str) -> str:
    return newline.join(textwrap.wrap(text, width)) if len(text) > width else text


@lru_cache(maxsize=512)
def data_spellings(data: bytes) -> dict[Form, str]:
    """Every accepted spelling of bytes inside a text, by the name of its form.

    `text` (the bytes as UTF-8) is among them only where they are valid UTF-8.
    """
    standard = base64.b64encode(data).decode()
    url_safe = standard.translate(str.maketrans("+/", "-_"))
    forms: dict[Form, str] = {}
    for alphabet, text in (("base64", standard), ("base64url", url_safe)):
        for padding, padded in (("", text), ("-unpadded", text.rstrip("="))):
            name = alphabet + padding
            forms[name] = padded
            forms[f"{name}-76"] = _wrap(padded, 76, "\n")
            forms[f"{name}-76crlf"] = _wrap(padded, 76, "\r\n")
            forms[f"{name}-64"] = _wrap(padded, 64, "\n")
    forms["hex"] = data.hex()
    with contextlib.suppress(UnicodeDecodeError):
        forms["text"] = data.decode("utf-8")
    return forms
