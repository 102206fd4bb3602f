"""Tables are unique and small enough, examples in docstrings are true, nothing private is used."""

import ast
import doctest
import importlib
import pkgutil
from pathlib import Path

import pytest

import hypothesis_mcp
from hypothesis_mcp import wire
from hypothesis_mcp._texts import TEXTS
from hypothesis_mcp.hard_strings import HARD_STRINGS, MARKED_BLANK
from hypothesis_mcp.names import ARGUMENT_NAMES, PROMPT_NAMES
from hypothesis_mcp.revisions import FEATURES, REVISIONS, kinds_of, supports
from hypothesis_mcp.values import VALUES

MODULES = ["hypothesis_mcp"] + [
    f"hypothesis_mcp.{module.name}" for module in pkgutil.iter_modules(hypothesis_mcp.__path__)
]
FOLDER = Path(str(hypothesis_mcp.__file__)).parent


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings_are_true(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.py")), ids=lambda path: path.name)
def test_only_public_hypothesis_is_used_and_nothing_of_the_harness(path: Path) -> None:
    tree = ast.parse(path.read_text("utf-8"))
    assert ast.get_docstring(tree)
    imported = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    imported += [a.name for n in ast.walk(tree) if isinstance(n, ast.Import) for a in n.names]
    assert not [name for name in imported if "internal" in name or "mcp_prompt_fuzz" in name]
    assert len(path.read_text("utf-8").splitlines()) <= 350


@pytest.mark.parametrize("table", [HARD_STRINGS, PROMPT_NAMES, ARGUMENT_NAMES, VALUES])
def test_no_entry_stands_twice(table: dict[str, str]) -> None:
    assert len(set(table.values())) == len(table)


def test_tables_are_drawn_evenly() -> None:
    assert max(map(len, (TEXTS, PROMPT_NAMES, ARGUMENT_NAMES, VALUES))) <= 127


def test_blank_strings_are_those_without_anything_to_see() -> None:
    assert {"space", "newline", "crlf", "tab"} <= MARKED_BLANK
    assert "empty" not in MARKED_BLANK
    assert "leading_space" not in MARKED_BLANK


def test_kinds_grow_with_the_revisions() -> None:
    assert [len(kinds_of(revision)) for revision in REVISIONS] == [4, 5, 6, 6, 6]
    assert all(supports(REVISIONS[-1], feature) for feature in FEATURES)
    assert not supports("2025-06-18", "icons")
    assert not supports("2025-11-25", "input_required")


def test_slots_are_filled_in_texts_of_parts_and_resources() -> None:
    template = ["<", {"argument": "a"}, ">", {"argument": "b"}]
    resource = {"uri": "pfz://a", "text": template}
    case = {
        "revision": "2025-06-18",
        "arguments": {"a": "1"},
        "messages": [
            {"role": "user", "content": {"type": "text", "text": template}},
            {"role": "user", "content": {"type": "resource", "resource": resource}},
        ],
    }
    first, second = (m["content"] for m in wire.get_prompt_result(case)["messages"])
    assert first["text"] == second["resource"]["text"] == "<1>"
    assert resource["text"] is template


def test_a_listing_without_pages_is_the_prompt_alone() -> None:
    case = {"revision": "2026-07-28", "prompt": {"name": "p"}}
    assert wire.list_prompts_results(case) == [
        {
            "prompts": [{"name": "p"}],
            "resultType": "complete",
            "ttlMs": 0,
            "cacheScope": "private",
        }
    ]
