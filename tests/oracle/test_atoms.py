"""A transcript as places and values; what is joined looks the same."""

from __future__ import annotations

from mcp_prompt_fuzz.oracle.atoms import Place, all_text, atoms, joined, utf8
from mcp_prompt_fuzz.transcript import Part

from .looking import turn

IMAGE = Part("image", data=b"\xff", media_type="image/png")
FILE = Part("file", data=b"words", uri="file:///a", name="n")
LINK = Part("link", uri="x:a", title="t", description="d", size=0)


def test_every_place_that_says_something() -> None:
    rows = list(atoms((turn("user", "a", IMAGE), turn(None, LINK))))
    assert rows == [
        (Place(0, -1, "role"), "user"),
        (Place(0, 0, "kind"), "text"),
        (Place(0, 0, "text"), "a"),
        (Place(0, 1, "kind"), "image"),
        (Place(0, 1, "data"), b"\xff"),
        (Place(0, 1, "media_type"), "image/png"),
        (Place(1, -1, "role"), None),
        (Place(1, 0, "kind"), "link"),
        (Place(1, 0, "uri"), "x:a"),
        (Place(1, 0, "title"), "t"),
        (Place(1, 0, "description"), "d"),
        (Place(1, 0, "size"), 0),
    ]


def test_neighbours_of_one_role_run_together() -> None:
    cut = (turn("user", "a", "b"), turn("user", "c", IMAGE, "d"), turn("assistant", "e"))
    assert joined(cut) == (turn("user", "abc", IMAGE, "d"), turn("assistant", "e"))


def test_other_roles_and_media_keep_texts_apart() -> None:
    kept = (turn("user", "a"), turn("assistant", "b"), turn("user", IMAGE, IMAGE))
    assert joined(kept) == kept


def test_empty_parts_keep_nothing_apart() -> None:
    assert joined((turn("user", "a"), turn("assistant", ""), turn("user", "b"))) == (
        turn("user", "ab"),
    )


def test_all_text_is_what_can_be_read() -> None:
    text = all_text((turn("user", "a", IMAGE, FILE, LINK),))
    assert text == "a\nimage/png\nwords\nfile:///a\nn\nx:a\nt\nd"


def test_roles_and_kinds_are_no_text() -> None:
    assert all_text((turn("user", "hello"),)) == "hello"


def test_utf8_allows_lone_surrogates_and_nothing_broken() -> None:
    assert utf8("\ud800".encode("utf-8", "surrogatepass")) == "\ud800"
    assert utf8(b"\xff") is None
