"""A finding as the page's script takes it: bounded in size, whatever the case holds."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath
from typing import Any, Final

from ..case import Case, materialise
from ..jsontypes import Json
from ..repro.setting import spec_with_version
from .escape import one_line
from .words import OF_THE_CLIENT, argument_words, invocation_words

_LONGEST_TEXT: Final = 20_000
_OWN_WORDS: Final = 2_000
_LARGEST_MEDIUM: Final = 400_000
_LONGEST_CASE: Final = 60_000
_MOST_REQUESTS: Final = 40


def finding_for_page(finding: Json, run: Json, folder: str) -> Json:
    """What the page shows of a finding; `evidence` is None where it is private or left out.

    `folder` is where the run stands, relative to the page.
    """
    case = finding.get("case")
    hidden = not isinstance(case, dict) or "redacted" in case
    return {
        "severity": finding["severity"],
        "level": finding["level"],
        "summary": one_line(finding["summary"], 500),
        "flaky": finding["flaky"],
        "commands": _commands(finding, run, folder),
        "evidence": None if hidden else _evidence(finding),
    }


def _evidence(finding: Json) -> Json:
    case, observed = finding["case"], finding["observed"]
    text = json.dumps(case, indent=2)
    has_arguments = case.get("arguments") or case["prompt"].get("arguments")
    asked = f"The user asks for {invocation_words(case)}."
    if has_arguments:
        asked += f" The prompt {argument_words(case)}."
    requests = observed["requests"] or ()
    return {
        "asked": asked,
        "expected": [_sent(m) for m in materialise(Case.from_json(case))["messages"]],
        "observed": [_got(turn) for turn in observed["messages"]],
        "error": observed["error"],
        "requests": [_request(r) for r in requests[:_MOST_REQUESTS]],
        "caseText": text if len(text) <= _LONGEST_CASE else "too long for this page: see case.json",
    }


def _sent(message: Mapping[str, Any]) -> Json:
    content = message["content"]
    part = {"type": content["type"]}
    if content["type"] == "resource":
        resource = content["resource"]
        part |= {"uri": resource["uri"], "mimeType": resource.get("mimeType")}
        if "text" in resource:
            part |= _bounded("document", resource["text"], _LONGEST_TEXT)
        else:
            part["bytes"] = len(resource["blob"]) * 3 // 4
        return {"role": message["role"], "content": [part]}
    return {"role": message["role"], "content": [_part(content)]}


def _got(turn: Mapping[str, Any]) -> Json:
    content = turn["content"]
    parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
    if turn["role"] not in OF_THE_CLIENT:
        return {"role": turn["role"], "content": [_part(part) for part in parts]}
    size = sum(len(part.get("text", "")) for part in parts)
    told = f"{turn['role']}: {size} characters, most likely the client's own instructions"
    content = [_part(part, _OWN_WORDS) for part in parts]
    return {"role": turn["role"], "own": told, "content": content}


def _part(content: Mapping[str, Any], longest: int = _LONGEST_TEXT) -> Json:
    """One part without what a page has no room for."""
    part: Json = {"type": content["type"]}
    for name in ("mimeType", "uri", "name", "title", "description", "size"):
        if content.get(name) is not None:
            part[name] = one_line(str(content[name]), 300)
    if "text" in content:
        part |= _bounded("text", content["text"], longest)
    if "data" in content:
        part["bytes"] = len(content["data"]) * 3 // 4
        if len(content["data"]) <= _LARGEST_MEDIUM:
            part["data"] = content["data"]
    return part


def _bounded(name: str, text: str, longest: int) -> Json:
    if len(text) <= longest:
        return {name: text}
    return {name: text[:longest], "cut": f"{len(text)} characters, the first {longest} shown"}


def _request(request: Mapping[str, Any]) -> str:
    params = {k: v for k, v in request["params"].items() if k != "_meta"}
    error = f" (answered with error {request['error']})" if "error" in request else ""
    return one_line(f"{request['method']} {json.dumps(params)}{error}", 600)


def _commands(finding: Json, run: Json, folder: str) -> list[str]:
    spec = spec_with_version(run["renderer"], run["version"])
    repro = str(PurePosixPath(folder) / finding["repro"])
    return list(_lines([["show", spec, f"{repro}/case.json"], ["repro", repro]]))


def _lines(commands: Iterable[list[str]]) -> Iterable[str]:
    return (shlex.join(["mcp-prompt-fuzz", *words]) for words in commands)
