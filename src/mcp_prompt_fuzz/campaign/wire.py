"""What a campaign tells of itself, as JSON: to workers, back from them, and into the journal.

Unlike `run.json`, which is for readers, this loses nothing: a finding comes back equal to the one
that was sent.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Mapping
from dataclasses import asdict, fields, replace
from typing import Any, Final, TypeAlias

from ..case import Case
from ..finding import Fault, Finding, Flaky
from ..jsontypes import Json
from ..reference import expected
from ..renderer import Identity
from ..rendering import Breakage, Rendering, Request
from ..rules import Basis
from ..transcript import Part, Turn
from .explore import Example
from .judging import Survey
from .options import CampaignOptions
from .shards import Shard
from .shrink import Answer, Shrunk

Event: TypeAlias = Survey | Example | Answer | Shrunk
"""What a campaign learns, bit by bit."""


def event_to_json(event: Event) -> Json:
    """The event as a JSON object whose one member says what it is."""
    match event:
        case Survey():
            leak = None if event.leak is None else finding_to_json(event.leak)
            identity = identity_to_json(event.identity)
            return {"survey": {**_plain(event), "leak": leak, "identity": identity}}
        case Example():
            found = [finding_to_json(finding) for finding in event.found]
            told = {"shard": asdict(event.shard), "checks": dict(event.checks), "found": found}
            return {"example": {**_plain(event), **told}}
        case Answer():
            return {"answer": asdict(event)}
        case Shrunk():
            return {"shrunk": {**_plain(event), "finding": finding_to_json(event.finding)}}


def _plain(event: Event) -> Json:
    return {member.name: getattr(event, member.name) for member in fields(event)}


def event_from_json(data: Mapping[str, Any]) -> Event:
    """The event that `event_to_json` told of. Raises `KeyError` or `TypeError` for others."""
    ((what, told),) = data.items()
    match what:
        case "survey":
            leak = None if told["leak"] is None else finding_from_json(told["leak"])
            identity = identity_from_json(told["identity"])
            return Survey(**{**told, "leak": leak, "identity": identity})
        case "example":
            found = tuple(finding_from_json(each) for each in told["found"])
            return Example(**{**told, "shard": Shard(**told["shard"]), "found": found})
        case "answer":
            return Answer(**told)
        case "shrunk":
            return Shrunk(**{**told, "finding": finding_from_json(told["finding"])})
    raise KeyError(what)


def options_to_json(options: CampaignOptions) -> Json:
    """What decides which cases there are and how they are judged."""
    return {
        "max_examples": options.max_examples,
        "seed": options.seed,
        "revision": options.revision,
        "rules": list(options.rules),
    }


def options_from_json(data: Mapping[str, Any]) -> CampaignOptions:
    """The options that `options_to_json` told of."""
    return CampaignOptions(**{**data, "rules": tuple(data["rules"])})


def identity_to_json(identity: Identity) -> Json:
    """Who was tested."""
    return asdict(identity)


def identity_from_json(data: Mapping[str, Any]) -> Identity:
    """The identity that `identity_to_json` told of."""
    client, revisions = data["client"], data["revisions"]
    return Identity(
        **{
            **data,
            "client": None if client is None else tuple(client),
            "revisions": None if revisions is None else tuple(revisions),
            "rules": tuple(data["rules"]),
        }
    )


def finding_to_json(finding: Finding) -> Json:
    """A finding, with all its evidence but what follows from its case."""
    flaky = finding.flaky
    return {
        "fault": asdict(finding.fault),
        "severity": finding.severity,
        "basis": asdict(finding.basis),
        "summary": finding.summary,
        "case": finding.case.to_json(),
        "observed": _rendering_to_json(finding.observed),
        "explanation": finding.explanation,
        "pair": None if finding.pair is None else finding.pair.to_json(),
        "kinds": list(finding.kinds),
        "flaky": None if flaky is None else [flaky.failed, flaky.of],
    }


def finding_from_json(data: Mapping[str, Any]) -> Finding:
    """The finding that `finding_to_json` told of."""
    case = Case.from_json(data["case"])
    return Finding(
        fault=Fault(**data["fault"]),
        severity=data["severity"],
        basis=Basis(**data["basis"]),
        summary=data["summary"],
        case=case,
        expected=expected(case),
        observed=_rendering_from_json(data["observed"]),
        explanation=data["explanation"],
        pair=None if data["pair"] is None else Case.from_json(data["pair"]),
        kinds=tuple(data["kinds"]),
        flaky=None if data["flaky"] is None else Flaky(*data["flaky"]),
    )


def _rendering_to_json(rendering: Rendering) -> Json:
    plain = Rendering()
    told: Json = {
        f.name: value
        for f in fields(rendering)
        if (value := getattr(rendering, f.name)) != getattr(plain, f.name)
    }
    if rendering.broke is not None:
        told["broke"] = asdict(rendering.broke)
    if rendering.requests is not None:
        told["requests"] = [asdict(request) for request in rendering.requests]
    if rendering.turns:
        told["turns"] = [[t.role, [_part_to_json(p) for p in t.parts]] for t in rendering.turns]
    return told


def _rendering_from_json(data: Mapping[str, Any]) -> Rendering:
    told: Json = {name: tuple(v) if isinstance(v, list) else v for name, v in data.items()}
    if "broke" in told:
        told["broke"] = Breakage(**told["broke"])
    if "requests" in told:
        told["requests"] = tuple(Request(**request) for request in told["requests"])
    if "turns" in told:
        told["turns"] = tuple(
            Turn(role, tuple(_part_from_json(part) for part in parts))
            for role, parts in told["turns"]
        )
    return Rendering(**told)


_PLAIN_PART: Final = Part("text")


def _part_to_json(part: Part) -> Json:
    told = {
        f.name: value
        for f in fields(part)
        if (value := getattr(part, f.name)) != getattr(_PLAIN_PART, f.name)
    }
    if part.data:
        told["data"] = b64encode(part.data).decode("ascii")
    return told


def _part_from_json(data: Mapping[str, Any]) -> Part:
    part = replace(_PLAIN_PART, **data)
    return replace(part, data=b64decode(data["data"])) if "data" in data else part
