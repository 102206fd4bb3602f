"""What plain JSON data is called here, and its one canonical spelling."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, TypeAlias

Json: TypeAlias = dict[str, Any]
"""A JSON object."""


def canonical(value: object) -> str:
    """The same text for equal JSON values, whatever the order of their members.

    Lone surrogates survive, since they are written as escapes.
    """
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def without(value: Mapping[str, Any], *members: str) -> Json:
    """A copy of the object `value` without the named members."""
    return {key: item for key, item in value.items() if key not in members}
