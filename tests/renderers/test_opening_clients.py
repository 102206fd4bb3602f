"""How a shipped client is opened by its name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from mcp_prompt_fuzz import clients
from mcp_prompt_fuzz.renderers import open_renderer


@pytest.mark.parametrize("spec", ["opencode", "opencode@1.2.3"])
def test_a_client_may_speak_though_nobody_listens(
    spec: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[tuple[str, str | None]] = []

    def open_client(name: str, version: str | None, **told: Any) -> object:
        progress: Callable[[str], None] = told["progress"]
        progress("installing")
        opened.append((name, version))
        return object()

    monkeypatch.setattr(clients, "open_client", open_client)
    open_renderer(spec, revision="2025-11-25", timeout=1)
    name, _, version = spec.partition("@")
    assert opened == [(name, version or None)]
