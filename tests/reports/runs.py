"""A run that holds one finding of each sort, hostile text included."""

from __future__ import annotations

from mcp_prompt_fuzz.case import Case
from mcp_prompt_fuzz.finding import Fault, Finding, Flaky
from mcp_prompt_fuzz.reference import expected
from mcp_prompt_fuzz.renderer import Identity
from mcp_prompt_fuzz.rendering import Rendering, Request
from mcp_prompt_fuzz.rules import RULES
from mcp_prompt_fuzz.run_record import Counts, RuleOutcome, RunRecord
from mcp_prompt_fuzz.transcript import Turn, text_part

REVISION = "2025-06-18"
PNG = (
    "iVBORw0KGgoAAAANSUhEUgAAAAIAAAADCAYAAAC56t6BAAAAEUlEQVR4nGP4z8DwH4QZYAwAR8oH+R"
    "J09sgAAAAASUVORK5CYII="
)
HOSTILE = "</script><img src=x onerror=alert(1)>\x1b[2J\u202edesrever\ud800 [bold]`|`*x*"
CANARY = "canary: run me"


def _case(*contents: object, **members: object) -> Case:
    messages = tuple({"role": "user", "content": content} for content in contents)
    return Case("A case", REVISION, {"name": "look"}, messages, **members)  # type: ignore[arg-type]


def _text(text: str) -> dict[str, str]:
    return {"type": "text", "text": text}


def _finding(fault: Fault, case: Case, observed: Rendering, **more: object) -> Finding:
    rule = RULES[fault.rule]
    severity = more.pop("severity", rule.severity(fault.level))
    summary = more.pop("summary", f"{fault.rule} is broken")
    return Finding(
        fault,
        severity,  # type: ignore[arg-type]
        rule.basis(REVISION),
        str(summary),
        case,
        expected(case),
        observed,
        **more,  # type: ignore[arg-type]
    )


def sent(*texts: str) -> Rendering:
    """A rendering that is these texts, said by the user."""
    requests = (Request("prompts/get", {"name": "look", "arguments": {}, "_meta": {"x": 1}}),)
    return Rendering(turns=(Turn("user", tuple(map(text_part, texts))),), requests=requests)


IMAGE = _finding(
    Fault("image", "image", "lost"),
    _case(_text("before"), {"type": "image", "data": PNG, "mimeType": "image/png"}),
    sent("before\n"),
)
TEXT = _finding(
    Fault("text.verbatim", "text", "altered", "unicode"),
    _case(_text(HOSTILE)),
    sent(HOSTILE.replace("desrever", "reversed")),
    summary=f"a text is changed: {HOSTILE}",
    flaky=Flaky(2, 4),
)
UNSAFE = _finding(
    Fault("inert", "text", "altered", "shell"),
    _case(_text(CANARY)),
    sent("ran"),
    severity="unsafe",
    summary=f"ran {CANARY}",
)
GATED = _finding(
    Fault("list.gated"), _case(capabilities={}), Rendering(error="no prompts"), severity="violation"
)

IDENTITY = Identity(
    spec="driver:node x.js",
    name="x <b>",
    version="1.0",
    lane="driver",
    view="server",
    client=("x", "1.0"),
)


def outcome(rule: str, findings: tuple[Finding, ...]) -> RuleOutcome:
    """Broken where a finding says so, kept otherwise, but for one rule of each other verdict."""
    own = tuple(f for f in findings if f.fault.rule == rule)
    if own:
        return RuleOutcome("broken", own[0].fault.level, 3, tuple(f.id for f in own))
    if rule == "list.described":
        return RuleOutcome("not_observable")
    return RuleOutcome("unchecked") if rule == "audience" else RuleOutcome("kept", None, 5)


def record(*findings: Finding, known: tuple[Finding, ...] = (), **more: object) -> RunRecord:
    """A complete run with these findings."""
    members: dict[str, object] = {
        "identity": IDENTITY,
        "started": "2026-11-29T12:00:00+00:00",
        "status": "complete",
        "revision": REVISION,
        "seed": 7,
        "options": {"max_examples": 10, "fail_on": "distortion"},
        "versions": {
            "harness": "0.1.0",
            "hypothesis": "6",
            "mcp": "2",
            "python": "3.11",
            "platform": "Linux",
        },
        "counts": Counts(10, 20, 1.25),
        "rules": {rule: outcome(rule, findings) for rule in RULES},
        "findings": findings,
        "known_matched": tuple(f.id for f in known),
    }
    return RunRecord(**(members | more))  # type: ignore[arg-type]


EVERYTHING = record(IMAGE, TEXT, UNSAFE, GATED)
