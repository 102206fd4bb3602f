"""Tokens are unique, short, and survive whatever escapes or splits text."""

from __future__ import annotations

import html
import json
import unicodedata
from urllib.parse import quote

import pytest

from mcp_prompt_fuzz.oracle.tokens import TOKEN, salt_of, token


def test_tokens_of_all_indices_and_salts_differ() -> None:
    by_index = {token(7, index) for index in range(4096)}
    by_salt = {token(salt, 7) for salt in range(4096)}
    assert len(by_index) == len(by_salt) == 4096


@pytest.mark.parametrize(("salt", "index"), [(0, 0), (4095, 4095), (1, 16), (256, 255)])
def test_token_is_found_and_ten_letters_long(salt: int, index: int) -> None:
    word = token(salt, index)
    assert len(word) == 10
    assert TOKEN.fullmatch(word)
    assert word.isascii()
    assert word.islower()


def test_each_bit_of_a_number_counts() -> None:
    words = [token(1 << bit, 0) for bit in range(12)] + [token(0, 1 << bit) for bit in range(12)]
    assert len(set(words)) == 24
    assert token(0, 1) == "vqbbbbbcxz"
    assert token(1, 0) == "vqbbcbbbxz"
    assert token(0xABC, 0x123) == "vqnprcdfxz"


def test_no_escaping_touches_a_token() -> None:
    word = token(3, 5)
    assert html.escape(word) == quote(word) == word.strip() == word
    assert json.dumps(word) == f'"{word}"'
    assert unicodedata.normalize("NFKC", word) == word


def test_neighbouring_tokens_are_told_apart() -> None:
    one, two = token(0, 1), token(0, 2)
    assert TOKEN.findall(f"a{one}{two}b vqbbbbbbx") == [one, two]


def test_salt_is_small_and_stable() -> None:
    assert salt_of("") == 0
    assert salt_of("a") == 0xE8B7BE43 & 0xFFF
    assert salt_of("\ud800") != salt_of("a")
    assert all(0 <= salt_of(str(n)) < 4096 for n in range(300))
