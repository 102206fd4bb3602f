"""Every spelling in which bytes and labels may stand."""

from __future__ import annotations

import base64

import pytest

from mcp_prompt_fuzz.oracle.spelling import LABEL_FORMS, data_spellings, label_spellings

DATA = bytes(range(256))
STANDARD = base64.b64encode(DATA).decode()


def test_base64_in_both_alphabets_padded_or_not() -> None:
    forms = data_spellings(DATA)
    assert forms["base64"] == STANDARD
    assert forms["base64-unpadded"] == STANDARD.rstrip("=")
    assert forms["base64url"] == base64.urlsafe_b64encode(DATA).decode()
    assert forms["base64url-unpadded"] == base64.urlsafe_b64encode(DATA).decode().rstrip("=")
    assert STANDARD.endswith("=")
    assert "+" in STANDARD
    assert "/" in STANDARD


@pytest.mark.parametrize(
    ("form", "width", "newline"),
    [
        ("base64-76", 76, "\n"),
        ("base64-76crlf", 76, "\r\n"),
        ("base64-64", 64, "\n"),
    ],
)
def test_wrapped_base64(form: str, width: int, newline: str) -> None:
    lines = data_spellings(DATA)[form].split(newline)
    assert "".join(lines) == STANDARD
    assert {len(line) for line in lines[:-1]} == {width}
    assert len(lines) > 1


def test_short_data_is_not_wrapped() -> None:
    forms = data_spellings(b"\xff" * 57)
    assert len(forms["base64"]) == 76
    assert forms["base64-76"] == forms["base64"]
    assert "\n" in forms["base64-64"]


def test_text_only_where_it_is_text() -> None:
    assert data_spellings(b"caf\xc3\xa9")["text"] == "caf\u00e9"
    assert "text" not in data_spellings(b"\xff\xfe")


def test_hexadecimal() -> None:
    assert data_spellings(b"\x00\xab")["hex"] == "00ab"


@pytest.mark.parametrize(
    ("form", "spelled"),
    [
        ("raw", 'a "b" <\u00e9>/c&d\n\''),
        ("json", 'a \\"b\\" <\u00e9>/c&d\\n\''),
        ("json-ascii", 'a \\"b\\" <\\u00e9>/c&d\\n\''),
        ("html", "a &quot;b&quot; &lt;\u00e9&gt;/c&amp;d\n&#x27;"),
        ("html-text", 'a "b" &lt;\u00e9&gt;/c&amp;d\n\''),
        ("percent", "a%20%22b%22%20%3C%C3%A9%3E%2Fc%26d%0A%27"),
        ("percent-uri", "a%20%22b%22%20%3C%C3%A9%3E/c&d%0A'"),
    ],
)
def test_labels_are_escaped_as_their_surroundings_ask(form: str, spelled: str) -> None:
    label = 'a "b" <\u00e9>/c&d\n\''
    assert LABEL_FORMS[form](label) == spelled
    assert spelled in label_spellings(label)


def test_a_uri_keeps_its_own_percent_signs() -> None:
    uri = "https://[::1]/a%20b?c=d&e=%C3%A9#f"
    assert LABEL_FORMS["percent-uri"](uri) == uri


def test_lone_surrogates_are_spelled() -> None:
    assert "%ED%A0%80" in label_spellings("\ud800")
