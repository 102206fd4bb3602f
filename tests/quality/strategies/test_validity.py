"""Everything drawn is accepted by the official schema of its revision, and by the installed SDK."""

from collections.abc import Iterator
from typing import Any

import mcp.types
import pytest

from hypothesis_mcp import REVISIONS, cases, edits, listings
from hypothesis_mcp.wire import get_prompt_result, list_prompts_results

from .budget import FULL, needs_schemas, validator, walk

COUNT = 10_000 if FULL else 500


def wire_of(case: Any) -> Iterator[tuple[str, Any]]:
    """What travels for ``case``, each with the name of its type."""
    yield "GetPromptResult", get_prompt_result(case)
    others = [server["pages"] for server in case.get("beside", {}).values()]
    for pages in (None, case.get("relist"), *others):
        for result in list_prompts_results(case, pages):
            yield "ListPromptsResult", result
    if "input" in case:
        names = {"requests": "inputRequests", "state": "requestState"}
        made = {names[key]: value for key, value in case["input"].items() if key in names}
        yield "InputRequiredResult", {"resultType": "input_required", **made}
        yield "InputResponses", case["input"].get("responses", {})


@needs_schemas
@pytest.mark.parametrize("strict", [True, False], ids=["strict", "loose"])
@pytest.mark.parametrize("revision", REVISIONS)
def test_no_case_is_invalid_and_few_are_discarded(revision: str, strict: bool) -> None:
    count = COUNT
    invalid: list[str] = []
    checked = 0

    def check(case: Any) -> None:
        nonlocal checked
        checked += 1
        for name, data in wire_of(case):
            for error in validator(revision, name).iter_errors(data):
                invalid.append(f"{name}: {error.json_path}: {error.message[:200]}")

    discarded = walk(cases(revision, strict=strict, sandboxed=True), count, 1, check)
    assert invalid == []
    assert checked >= count
    assert discarded < 0.01 * count + 3  # one in a hundred, with room for a small number


@pytest.mark.parametrize("revision", REVISIONS)
def test_the_installed_sdk_reads_every_case(revision: str) -> None:
    def check(case: Any) -> None:
        for name, data in wire_of(case):
            if name in {"GetPromptResult", "ListPromptsResult"}:
                getattr(mcp.types, name).model_validate(data)

    walk(cases(revision, sandboxed=True), COUNT // 2, 2, check)


@needs_schemas
@pytest.mark.parametrize("revision", REVISIONS)
def test_listings_alone_are_valid(revision: str) -> None:
    def check(pages: list[Any]) -> None:
        for page in pages:
            assert list(validator(revision, "ListPromptsResult").iter_errors(page)) == []
        assert [("nextCursor" in page) for page in pages] == [True] * (len(pages) - 1) + [False]
        cursors = [page["nextCursor"] for page in pages[:-1]]
        assert len(set(cursors)) == len(cursors)
        names = [prompt["name"] for page in pages for prompt in page["prompts"]]
        assert len(set(names)) == len(names)

    walk(listings(revision), COUNT // 5, 3, check)


def test_few_edits_are_discarded() -> None:
    assert walk(edits(), COUNT, 4, lambda case: None) < 0.01 * COUNT
