"""One self-contained page: renderers by rules, each cell opening its smallest case.

Nothing is fetched: styles and script stand inside, allowed by their hashes and nothing else is.
What came from a case, a client or a server is escaped by the template, or travels as JSON that the
script turns into text nodes.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any, Final

import jinja2

from ..jsontypes import Json
from ..rules import RULES, SEVERITIES
from .comparison import CHANGES, comparisons
from .escape import visible
from .html_evidence import finding_for_page
from .words import basis_words

_SIGNS: Final = {
    "kept": ("kept", "✓", "kept"),
    "not_observable": ("quiet", "–", "not observable"),
    "not_applicable": ("quiet", "–", "not applicable"),
    "unchecked": ("quiet", "?", "unchecked"),
}
_BROKEN_SIGNS: Final = {
    "notice": "○",
    "distortion": "~",
    "loss": "✗",
    "violation": "✗",
    "unsafe": "⚠",
}

_LEGEND: Final = (
    ("kept", "✓", "kept", "it was checked, and nothing was found"),
    ("notice", "○", "notice", "worth knowing"),
    ("distortion", "~", "distortion", "something arrives, changed"),
    ("loss", "✗", "loss", "something never arrives"),
    ("violation", "✗", "violation", "a MUST of the specification is broken"),
    ("unsafe", "⚠", "unsafe", "prompt text was run, or made the client read a file"),
    ("quiet", "–", "not observable", "this renderer can't show it, so nothing is said of it"),
    ("quiet", "?", "unchecked", "no case of this run came to it"),
)


def run_html(run: Json) -> str:
    """The page of one run."""
    counts = run["counts"]
    facts = [
        ("revision", run["revision"]),
        ("seed", run["seed"]),
        ("examples", counts["examples"]),
        ("renderings", counts["renderings"]),
        ("seconds", f"{counts['seconds']:.1f}"),
        ("started", run["started"]),
        ("status", run["status"]),
        *([("isolation", run["isolation"])] if run["isolation"] else []),
        *((name, value) for name, value in run["versions"].items()),
    ]
    title = f"Prompts in {visible(run['renderer'])} {visible(run['version'])}"
    lead = "What becomes of a server's prompt on its way to the model, rule by rule."
    return _page([run], title=title, lead=lead, facts=facts, notes=run["errors"])


def matrix_html(rows: Sequence[Json], budget: Json, folders: Sequence[str]) -> str:
    """The page of several runs; rows that could not run are `{renderer, could_not_run}`.

    `folders` are where the runs stand, one for each row, relative to the page.
    """
    told = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in budget.items() if value)
    lead = f"What becomes of a server's prompt on its way to the model. Budget of each: {told}."
    title = "Prompts in MCP clients"
    return _page(rows, title=title, lead=lead, facts=[], notes=[], folders=folders)


def _page(
    runs: Sequence[Json],
    *,
    title: str,
    lead: str,
    facts: Sequence[tuple[str, Any]],
    notes: Sequence[str],
    folders: Sequence[str] = ("",),
) -> str:
    css, js = _shipped("page.css"), _shipped("page.js")
    return _template().render(
        title=title,
        lead=lead,
        facts=[(name, visible(str(value))) for name, value in facts],
        notes=[visible(note) for note in notes],
        runs=[_column(run) for run in runs],
        rows=[_row(rule, runs) for rule in RULES],
        comparisons=comparisons(runs),
        changes=CHANGES,
        could_not=any("could_not_run" in run for run in runs),
        severities=SEVERITIES,
        legend=_LEGEND,
        css=css,
        js=js,
        policy=_policy(css, js),
        data=_for_script({"runs": [_data(run, at) for run, at in zip(runs, folders, strict=True)]}),
    )


def _policy(css: str, js: str) -> str:
    """Our own style and script, pictures and sounds that stand in the page, and nothing else."""
    return (
        f"default-src 'none'; style-src '{_hash(css)}'; script-src '{_hash(js)}'; "
        "img-src data:; media-src data:; base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def _for_script(data: object) -> str:
    """JSON that can't end the element that it stands in."""
    text = json.dumps(data, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _column(run: Json) -> Json:
    return {
        "name": visible(run["renderer"]),
        "version": visible(run.get("version", "")),
        "could_not_run": visible(run.get("could_not_run", "")),
    }


def _row(rule: str, runs: Sequence[Json]) -> Json:
    found = [f for run in runs for f in _found(run, rule)]
    severities = [SEVERITIES.index(f["severity"]) for f in found]
    return {
        "rule": rule,
        "keeps": RULES[rule].keeps,
        "worst": max(severities, default=-1),
        "new": int(any(not _is_known(run, f) for run in runs for f in _found(run, rule))),
        "cells": [_cell(run, rule) for run in runs],
    }


def _found(run: Json, rule: str) -> list[Json]:
    ids = run.get("rules", {}).get(rule, {}).get("findings", ())
    return [f for f in run.get("findings", ()) if f["id"] in ids]


def _is_known(run: Json, finding: Json) -> bool:
    return finding["id"] in run["known"]["matched"]


def _cell(run: Json, rule: str) -> Json:
    outcome = run.get("rules", {}).get(rule)
    if outcome is None:
        return _quiet("quiet", "", "did not run")
    found = _found(run, rule)
    if outcome["verdict"] != "broken" or not found:
        look, sign, word = _SIGNS.get(outcome["verdict"], ("loss", "✗", "broken"))
        return _quiet(look, sign, word)
    worst = max((f["severity"] for f in found), key=SEVERITIES.index)
    known = " (known)" if all(_is_known(run, f) for f in found) else ""
    word = f"{outcome['level'] or worst}{known}"
    return {
        "look": worst,
        "sign": _BROKEN_SIGNS[worst],
        "word": word,
        "told": f"broken, {worst}, {word}",
        "who": visible(f"{run['renderer']} {run['version']}"),
        "findings": " ".join(f["id"] for f in found),
    }


def _quiet(look: str, sign: str, word: str) -> Json:
    return {"look": look, "sign": sign, "word": word, "told": word, "findings": ""}


def _data(run: Json, folder: str) -> Json:
    findings = {
        f["id"]: finding_for_page(f, run, folder) | {"why": basis_words(f["basis"])}
        for f in run.get("findings", ())
    }
    return {"name": run["renderer"], "version": run.get("version", ""), "findings": findings}


@cache
def _shipped(name: str) -> str:
    return files(__package__).joinpath("page", name).read_text(encoding="utf-8")


@cache
def _template() -> jinja2.Template:
    environment = jinja2.Environment(
        autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    return environment.from_string(_shipped("page.html.j2"))
