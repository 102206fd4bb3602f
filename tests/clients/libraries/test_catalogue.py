"""Which libraries ship, and what is installed for each."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from mcp_prompt_fuzz import clients
from mcp_prompt_fuzz.clients import SHIPPED
from mcp_prompt_fuzz.clients.libraries import LIBRARIES


@pytest.mark.parametrize("name", LIBRARIES)
def test_each_is_pinned_and_has_its_driver(name: str) -> None:
    library = LIBRARIES[name]
    assert SHIPPED[name] is library
    assert all(re.fullmatch(r"[a-z0-9-]+(\[\w+\])?==[0-9.]+", r) for r in library.requirements())
    assert library.requirements()[0].endswith(f"=={library.version}")
    script = library.driver.read_text(encoding="utf-8")
    own = library.distribution.partition("[")[0]
    assert f'serve("{own}", load' in script


def test_another_version_loosens_only_what_stands_beside_it() -> None:
    library = replace(
        LIBRARIES["langchain-mcp-adapters"], version="2.0", companions=("mcp==1.30.0", "other")
    )
    own = library.distribution
    assert library.requirements("2.0") == (f"{own}==2.0", "mcp==1.30.0", "other")
    assert library.requirements("1.9") == (f"{own}==1.9", "mcp>=1,<2", "other")


def test_findings_were_looked_up_in_the_versions_that_are_pinned() -> None:
    review = (Path(clients.__file__).parent / "REVIEW.md").read_text(encoding="utf-8")
    looked_up = set(re.findall(r"^\| (\S+) \| (\S+) \|", review, re.MULTILINE))
    assert {(name, library.version) for name, library in LIBRARIES.items()} <= looked_up
