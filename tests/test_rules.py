"""The table of rules is the contract's."""

from __future__ import annotations

import re

import pytest

from mcp_prompt_fuzz.case import KINDS, REVISIONS
from mcp_prompt_fuzz.rules import (
    EMPTY_CURSOR,
    RULES,
    SEVERITIES,
    Basis,
    at_least,
    basis_of,
    matching,
    observable,
)

LOSSES = (
    *("roles", "distinct", "audience", "arguments.named", "arguments.subsets"),
    *("arguments.required", "list.complete", "list.reachable", "errors", "robust"),
)
DISTORTIONS = ("order", "arguments.omitted", "arguments.order", "isolated")
NOTICES = ("provider", "list.described", "list.fresh")


def test_ids_and_sentences() -> None:
    assert len(RULES) == 27
    for name, rule in RULES.items():
        assert rule.id == name
        assert re.fullmatch(r"[A-Z].*\.", rule.keeps), name
        assert rule.severities
        assert set(rule.severities.values()) <= set(SEVERITIES)


def test_each_kind_has_a_rule() -> None:
    assert {"text.verbatim", *KINDS} - set(RULES) == {"text"}


@pytest.mark.parametrize(
    ("rule", "level", "severity"),
    [
        ("text.verbatim", "lost", "loss"),
        ("text.verbatim", "refused", "loss"),
        ("text.verbatim", "announced", "loss"),
        ("text.verbatim", "altered", "distortion"),
        *((kind, "lost", "loss") for kind in KINDS[1:]),
        *((kind, "refused", "loss") for kind in KINDS[1:]),
        *((kind, "announced", "notice") for kind in KINDS[1:]),
        *((kind, "altered", "distortion") for kind in KINDS[1:]),
        ("metadata", "lost", "notice"),
        ("metadata", "altered", "distortion"),
        ("arguments.verbatim", "lost", "loss"),
        ("arguments.verbatim", "altered", "distortion"),
        ("inert", "ran", "unsafe"),
        ("inert", "read", "unsafe"),
        ("inert", None, "distortion"),
        *((rule, None, "loss") for rule in LOSSES),
        *((rule, None, "distortion") for rule in DISTORTIONS),
        *((rule, None, "notice") for rule in NOTICES),
    ],
)
def test_severity(rule: str, level: str | None, severity: str) -> None:
    assert RULES[rule].severity(level) == severity


@pytest.mark.parametrize(
    ("revision", "kind"),
    [
        ("2024-11-05", "should"),
        ("2025-03-26", "should"),
        ("2025-06-18", "must"),
        ("2025-11-25", "must"),
        ("2026-07-28", "should"),
    ],
)
def test_asking_without_prompts_breaks_a_must_in_some_revisions(revision: str, kind: str) -> None:
    basis = RULES["list.gated"].basis(revision)
    assert basis.kind == kind
    assert basis.revision == revision


def test_every_rule_has_a_basis_in_every_revision() -> None:
    for rule in RULES.values():
        for revision in REVISIONS:
            basis = rule.basis(revision)
            assert (basis.section is None) == (basis.kind == "fidelity"), rule.id
            assert basis.revision == (revision if basis.section else None)
    assert RULES["image"].basis() == Basis("fidelity")
    assert basis_of("list.complete", EMPTY_CURSOR, "2026-07-28").kind == "must"
    assert basis_of("list.complete", None, "2026-07-28").kind == "should"


@pytest.mark.parametrize("rule", sorted(RULES))
def test_who_can_see_a_rule(rule: str) -> None:
    needs_a_server = rule.startswith("list.") or rule == "arguments.required"
    needs_a_session = needs_a_server or rule.startswith("arguments.") or rule == "errors"
    assert observable(rule, "server")
    assert observable(rule, "session") is not needs_a_server
    assert observable(rule, "result") is not needs_a_session


def test_who_says_what_they_can_show() -> None:
    assert observable("image", "result", ["image", "audio"])
    assert observable("list.gated", "server", ["list.*"])
    assert not observable("image", "result", ["list.*"])
    assert not observable("list.gated", "result", ["*"])


def test_globs() -> None:
    names = ["image", "resource.text", "resource.blob", "resource_link"]
    assert matching(names, ["resource.*"]) == ["resource.text", "resource.blob"]
    assert matching(names, ["*blob", "image"]) == ["image", "resource.blob"]
    assert matching(names, ["IMAGE"]) == []
    assert matching(names, []) == []


def test_order_of_severities() -> None:
    assert at_least("loss", "loss")
    assert at_least("unsafe", "violation")
    assert not at_least("notice", "distortion")
    assert [at_least(s, "distortion") for s in SEVERITIES] == [False, True, True, True, True]
