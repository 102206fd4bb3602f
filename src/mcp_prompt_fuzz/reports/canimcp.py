"""A run as a canimcp conformance report: four features, told without over-claiming."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Final

import jsonschema

from ..jsontypes import Json
from ..rules import RULES, matching
from .escape import visible

_FEATURES: Final = {
    "prompts.list": ("list.gated", "list.complete", "list.reachable", "list.described"),
    "prompts.get": tuple(r for r in RULES if not r.startswith(("list.", "arguments."))),
    "prompts.arguments": tuple(matching(RULES, ["arguments.*"])),
    "prompts.listChanged": ("list.fresh",),
}

_WORTHLESS_WITHOUT: Final = {
    "prompts.list": ("list.complete", "list.reachable"),
    "prompts.arguments": ("arguments.named",),
    "prompts.listChanged": ("list.fresh",),
}
"""A feature does not work at all where every one of these rules was checked and broken."""


def canimcp_report(run: Json) -> Json:
    """The report for one run. A loss is a `pass` with notes: the protocol leaves rendering to the
    client. `fail` stands for a violation, or for a feature that does not work at all."""
    client = run["client"] or {"name": run["renderer"], "version": run["version"]}
    return {
        "run_date": run["started"][:10],
        "spec_version": run["revision"],
        "results": [
            {
                "clientInfo_name": client["name"] or run["renderer"],
                "version": run["version"],
                "features": [_feature(run, feature) for feature in _FEATURES],
            }
        ],
    }


def _feature(run: Json, feature: str) -> Json:
    outcomes = {r: run["rules"][r] for r in _FEATURES[feature] if r in run["rules"]}
    checked = {r: o for r, o in outcomes.items() if o["verdict"] in {"kept", "broken"}}
    ids = {i for outcome in checked.values() for i in outcome["findings"]}
    found = [f for f in run["findings"] if f["id"] in ids]
    if not checked:
        return {"feature_id": feature, "outcome": "skip", "notes": "not observable in this run"}
    failed = any(f["severity"] == "violation" for f in found) or _worthless(feature, run, found)
    told: Json = {"feature_id": feature, "outcome": "fail" if failed else "pass"}
    if found:
        told["notes"] = _notes(found)
    return told


def _worthless(feature: str, run: Json, found: Sequence[Json]) -> bool:
    if feature == "prompts.get":
        # One finding that takes every kind alike, texts included: nothing of a prompt arrives.
        return any(
            f["part"] == "any" and f["level"] in {"lost", "refused"} and not f["aspect"]
            for f in found
        )
    return all(
        run["rules"].get(rule, {}).get("verdict") == "broken"
        for rule in _WORTHLESS_WITHOUT[feature]
    )


def _notes(found: Sequence[Json]) -> str:
    return "; ".join(
        f"{f['rule']}{' ' + f['level'] if f['level'] else ''}: {visible(f['summary'])}"
        for f in found
    )


@cache
def _schema() -> Any:
    shipped = files(__package__).joinpath("canimcp-conformance-report.schema.json")
    return json.loads(shipped.read_text(encoding="utf-8"))


def checked_canimcp_report(run: Json) -> Json:
    """The report, valid against canimcp's own schema (`jsonschema.ValidationError` if not)."""
    report = canimcp_report(run)
    jsonschema.Draft7Validator(_schema()).validate(report)
    return report
