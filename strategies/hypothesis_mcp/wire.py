"""From a case to what travels: the results that a server answers with.

Pure functions of a case (``mcp-prompt-case/1``) that make what ``prompts/get`` and
``prompts/list`` return under the case's revision.
"""

from typing import Any

from hypothesis_mcp.revisions import supports

__all__ = ["finish_get_result", "get_prompt_result", "list_prompts_results", "text_of"]

Json = dict[str, Any]


def text_of(template: str | list[str | dict[str, str]], arguments: dict[str, str]) -> str:
    """A templated text with its slots filled; a slot without a value is empty.

    >>> text_of(["about ", {"argument": "a"}, "."], {"a": "b"})
    'about b.'
    """
    if isinstance(template, str):
        return template
    return "".join(
        piece if isinstance(piece, str) else arguments.get(piece["argument"], "")
        for piece in template
    )


def _block_of(block: Json, arguments: dict[str, str]) -> Json:
    if block["type"] == "resource":
        inner = dict(block["resource"])
        if "text" in inner:
            inner["text"] = text_of(inner["text"], arguments)
        return {**block, "resource": inner}
    if block["type"] == "text":
        return {**block, "text": text_of(block["text"], arguments)}
    return block


def get_prompt_result(case: Json) -> Json:
    """What ``prompts/get`` answers for ``case`` with the arguments that its user gives.

    Under 2026-07-28 that names its ``resultType``. An ``error`` or ``input`` of the case is left
    aside: this is the result where all goes well.
    """
    arguments = case.get("arguments", {})
    result: Json = {
        **case.get("result", {}),
        "messages": [
            {"role": message["role"], "content": _block_of(message["content"], arguments)}
            for message in case["messages"]
        ],
    }
    return finish_get_result(result, case["revision"])


def finish_get_result(result: Json, revision: str) -> Json:
    """``result`` with what ``revision`` asks of every result of ``prompts/get``."""
    if supports(revision, "result_type"):
        result["resultType"] = "complete"
    return result


def list_prompts_results(case: Json, pages: list[Json] | None = None) -> list[Json]:
    """What ``prompts/list`` answers, page by page, ``pages`` defaulting to the case's own.

    Under 2026-07-28 each page says that it may not be kept (``ttlMs`` 0, private).
    """
    if pages is None:
        pages = case.get("pages", [{"prompts": ["@"]}])
    results = []
    for page in pages:
        prompts = [case["prompt"] if entry == "@" else entry["prompt"] for entry in page["prompts"]]
        result: Json = {"prompts": prompts}
        if "cursor" in page:
            result["nextCursor"] = page["cursor"]
        if supports(case["revision"], "result_type"):
            result |= {"resultType": "complete", "ttlMs": 0, "cacheScope": "private"}
        results.append(result)
    return results
