"""The real libraries, installed from the package registry on first use."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("mcp_types", reason="the lab needs mcp 2.x")

from mcp_prompt_fuzz.case import Case
from mcp_prompt_fuzz.clients import open_client
from mcp_prompt_fuzz.clients.libraries import LIBRARIES
from mcp_prompt_fuzz.jsontypes import Json


def text(value: Any) -> Json:
    return {"role": "user", "content": {"type": "text", "text": value}}


@pytest.mark.network
@pytest.mark.parametrize("name", LIBRARIES)
def test_the_real_library_renders_texts_and_takes_arguments(name: str) -> None:
    renderer = open_client(name, timeout=60)
    prompt = {"name": "look", "arguments": [{"name": "topic", "required": True}]}
    about = text(["about ", {"argument": "topic"}])
    try:
        for topic in ("one", "two words"):
            asked = Case("t", "2025-06-18", prompt, (about,), arguments={"topic": topic})
            rendering = renderer.render(asked)
            assert rendering.error is None
            assert rendering.turns[-1].parts[-1].text == f"about {topic}"
            if renderer.identity.view == "server":
                got = [r for r in rendering.requests or () if r.method == "prompts/get"]
                assert [r.params["arguments"] for r in got] == [{"topic": topic}]
        assert renderer.identity.version == LIBRARIES[name].version
        assert renderer.identity.isolation
    finally:
        renderer.close()
