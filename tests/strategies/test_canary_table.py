"""Canaries are few, fixed and harmless, and their evidence proves something."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from hypothesis_mcp.canaries import (
    CANARIES,
    MARKER_FILE,
    MENTION_FILE,
    Canary,
    canaries_for,
)

by_name = pytest.mark.parametrize("canary", CANARIES, ids=lambda canary: canary.name)


@by_name
def test_its_evidence_does_not_stand_in_its_text(canary: Canary) -> None:
    if canary.evidence and canary.evidence != MARKER_FILE:
        assert canary.evidence not in canary.text


def test_names_and_texts_are_unique() -> None:
    assert len({canary.name for canary in CANARIES}) == len(CANARIES)
    assert len({canary.text for canary in CANARIES}) == len(CANARIES)


def test_every_aspect_has_a_canary() -> None:
    aspects = {canary.aspect for canary in CANARIES}
    assert aspects == {"shell", "mention", "template", "slash", "escape"}


def test_only_what_touches_a_file_needs_a_sandbox() -> None:
    for canary in CANARIES:
        touches = MARKER_FILE in canary.text or "pfz-canary.txt" in canary.text
        assert canary.needs_sandbox == touches, canary.name
    assert set(canaries_for(True)) == set(CANARIES)
    assert not any(canary.needs_sandbox for canary in canaries_for(False))


def test_the_marker_content_is_the_evidence_of_a_mention() -> None:
    mentions = [canary for canary in CANARIES if canary.aspect == "mention"]
    assert all(MENTION_FILE[0] in canary.text for canary in mentions)
    assert all(canary.evidence in MENTION_FILE[1] for canary in mentions)


@pytest.mark.skipif(sys.platform == "win32", reason="shell canaries are for POSIX shells")
@pytest.mark.parametrize(
    "canary",
    [canary for canary in CANARIES if canary.aspect == "shell"],
    ids=lambda canary: canary.name,
)
def test_a_shell_canary_shows_its_evidence_when_run(canary: Canary, tmp_path: Path) -> None:
    command = re.sub(r"^(!`|!\{|\$\(|`|!)|(`|\}|\))$", "", canary.text)
    command = canary.text[2:-1] if canary.text.startswith("$(") else command
    done = subprocess.run(
        ["/bin/sh", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    made = " ".join(path.name for path in tmp_path.iterdir())
    assert canary.evidence in done.stdout + made
