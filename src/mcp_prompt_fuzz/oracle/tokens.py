"""Unique short words that stand for content in a plain twin."""

from __future__ import annotations

import re
from typing import Final
from zlib import crc32

_LETTERS: Final = "bcdfghjklmnprstw"
TOKEN: Final = re.compile(rf"vq[{_LETTERS}]{{6}}xz")
"""Every token, of whatever twin. Lower-case letters only, so that no escaping, no counting of
digits and no splitting of words can touch one; no token is part of another."""


def _spell(number: int) -> str:
    return "".join(_LETTERS[number >> shift & 15] for shift in (8, 4, 0))


def salt_of(text: str) -> int:
    """The salt of the twin that belongs to the case with this key: 0 to 4095."""
    return crc32(text.encode("utf-8", "surrogatepass")) & 0xFFF


def token(salt: int, index: int) -> str:
    """The token with that index (0 to 4095) among those of one salt, ten characters long."""
    return f"vq{_spell(salt)}{_spell(index)}xz"
