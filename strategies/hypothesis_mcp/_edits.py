"""Changes of meaning: what makes two prompts different, one at a time.

Two prompts that mean different things must not reach the model as the same thing. An edit is one
such difference (or, for the order of declarations, one that means nothing), as a JSON Patch
(RFC 6902) on the case.
"""

from collections.abc import Iterator
from typing import Any, Final

from hypothesis_mcp.canaries import CANARIES
from hypothesis_mcp.media import base64_file_of
from hypothesis_mcp.uris import URIS

__all__ = ["EDIT_KINDS", "edit_of_kind", "edits_of"]

Json = dict[str, Any]

EDIT_KINDS: Final = (
    "role",
    "blank",
    "removal",
    "bytes",
    "uri",
    "media_type",
    "character",
    "letter_moved",
    "swap",
    "argument_order",
    "addition",
)
"""The labels of edits, for ``edit.kind``. All but ``argument_order`` change the meaning."""

_TYPES: Final = {
    "image": ("image/png", "image/gif"),
    "audio": ("audio/wav", "audio/mpeg"),
    "resource": ("text/plain", "application/octet-stream"),
    "resource_link": ("text/plain", "application/octet-stream"),
}
_BYTES: Final = 0xFFFF  # a number that the strategies give to no file


def _edit(kind: str, *patch: Json, changes_meaning: bool = True) -> Json:
    return {"kind": kind, "changes_meaning": changes_meaning, "patch": list(patch)}


def _replace(path: str, value: Any) -> Json:
    return {"op": "replace", "path": path, "value": value}


def _holds_canary(text: str) -> bool:
    # A canary stays whole: half of one could be something that no list has vouched for.
    return any(canary.text in text for canary in CANARIES)


def _text_of(block: Json) -> Any:
    return block.get("resource", block).get("text")


def _is_empty(block: Json) -> bool:
    inner = block.get("resource", block)
    return any(inner.get(member) == "" for member in ("text", "data", "blob"))


def _for_the_user_alone(block: Json) -> bool:
    audience = block.get("annotations", {}).get("audience")
    return audience is not None and "assistant" not in audience


def _of_content(path: str, block: Json) -> Iterator[Json]:
    inner, inner_path = block, path
    if block["type"] == "resource":
        inner, inner_path = block["resource"], f"{path}/resource"
    for member in ("data", "blob"):
        if member in inner:
            data = base64_file_of(inner.get("mimeType", ""), _BYTES)
            yield _edit("bytes", _replace(f"{inner_path}/{member}", data))
    if "uri" in inner:
        other = URIS[1] if inner["uri"] != URIS[1] else URIS[0]
        yield _edit("uri", _replace(f"{inner_path}/uri", other))
    if "mimeType" in inner:
        first, second = _TYPES[block["type"]]
        same = inner["mimeType"].partition(";")[0].lower() == first
        yield _edit("media_type", _replace(f"{inner_path}/mimeType", second if same else first))
    text = inner.get("text")
    pieces = [text] if isinstance(text, str) else text or []
    for number, piece in enumerate(pieces):
        if isinstance(piece, str) and piece and not _holds_canary(piece):
            where = f"{inner_path}/text" + ("" if isinstance(text, str) else f"/{number}")
            yield _edit("character", _replace(where, piece[:-1] + _other_letter(piece[-1])))
            return


def _other_letter(letter: str) -> str:
    return "z" if letter not in "zZ" else "y"


def _moved(messages: list[Json], i: int) -> Iterator[Json]:
    here, there = (_text_of(message["content"]) for message in messages[i : i + 2])
    if not (isinstance(here, str) and isinstance(there, str)):
        return
    if len(here) < 2 or not here[-1].isalnum() or _holds_canary(here) or _holds_canary(there):
        return
    paths = [
        f"/messages/{j}/content{'/resource' if 'resource' in messages[j]['content'] else ''}/text"
        for j in (i, i + 1)
    ]
    yield _edit("letter_moved", _replace(paths[0], here[:-1]), _replace(paths[1], here[-1] + there))


def edit_of_kind(edits: list[Json], wanted: int) -> list[Json]:
    """The edits of the kind with index ``wanted``, or of the next kind that there is.

    ``edits`` are what `edits_of` gave. The index stays right when a message goes.
    """
    by_kind = {kind: [edit for edit in edits if edit["kind"] == kind] for kind in EDIT_KINDS}
    return next(by_kind[kind] for kind in EDIT_KINDS[wanted:] if by_kind[kind])


def edits_of(case: Json) -> list[Json]:
    """Every edit that ``case`` allows, an ``addition`` at the least.

    Parts that are empty or for the user alone are left as they are: nothing says that a model
    could tell the difference.
    """
    edits: list[Json] = []
    messages = case["messages"]
    for i, message in enumerate(messages):
        block = message["content"]
        if _for_the_user_alone(block) or _is_empty(block):
            continue
        path = f"/messages/{i}"
        other = "assistant" if message["role"] == "user" else "user"
        edits.append(_edit("role", _replace(f"{path}/role", other)))
        edits.append(_edit("blank", _replace(f"{path}/content", {"type": "text", "text": ""})))
        edits.append(_edit("removal", {"op": "remove", "path": path}))
        edits += _of_content(f"{path}/content", block)
        if i + 1 == len(messages):
            continue
        following = messages[i + 1]["content"]
        if _for_the_user_alone(following) or _is_empty(following):
            continue
        edits += _moved(messages, i)
        if message != messages[i + 1]:
            edits.append(_edit("swap", {"op": "move", "from": path, "path": f"/messages/{i + 1}"}))
    if len(case["prompt"].get("arguments", ())) > 1:
        move = {"op": "move", "from": "/prompt/arguments/0", "path": "/prompt/arguments/-"}
        edits.append(_edit("argument_order", move, changes_meaning=False))
    added = {"role": "user", "content": {"type": "text", "text": "added"}}
    edits.append(_edit("addition", {"op": "add", "path": "/messages/-", "value": added}))
    return edits
