"""How much is spent: a little by default, all of it where the long measurements are asked for."""

import json
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from jsonschema import Draft7Validator, Draft202012Validator
from jsonschema.protocols import Validator

FULL: Final = os.environ.get("MCP_PROMPT_FUZZ_QUALITY") == "full"
SCHEMAS: Final = Path(__file__).parents[4] / "shared" / "spec" / "schema"

needs_schemas = pytest.mark.skipif(
    not SCHEMAS.is_dir(),
    reason="the official schema.json files are not at ../shared/spec/schema: not checked",
)


def walk(
    strategy: st.SearchStrategy[Any], count: int, number: int, see: Callable[[Any], None]
) -> int:
    """Draw ``count`` times with seed ``number``; how often a draw was begun and not finished."""
    begun = finished = 0

    @seed(number)
    @settings(
        max_examples=count,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(st.data())
    def look(data: st.DataObject) -> None:
        nonlocal begun, finished
        begun += 1
        drawn = data.draw(strategy)
        finished += 1
        see(drawn)

    look()
    assert finished >= count * 0.99
    return begun - finished


@cache
def validator(revision: str, name: str) -> Validator:
    """The official schema of ``name`` under ``revision``."""
    document = json.loads((SCHEMAS / f"{revision}.json").read_text("utf-8"))
    key = "$defs" if "$defs" in document else "definitions"
    kind = Draft202012Validator if key == "$defs" else Draft7Validator
    return kind({"$ref": f"#/{key}/{name}", key: document[key]})
