"""`REPORT.md`: the finding in the voice of a good bug report."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from ..case import Case, materialise
from ..finding import Finding, observed_to_json, requests_to_json
from ..jsontypes import Json, canonical
from ..reports.escape import one_line, visible
from ..reports.words import (
    basis_words,
    invocation_words,
    message_words,
    observed_words,
)
from ..rules import RULES
from .plan import Plan
from .setting import Setting
from .titles import title_of

_WIDTH: Final = 400

_PRIVATELY: Final = """\
> **Report this privately.** Text of a prompt was run as a command, or made the client read a
> file. Whoever can serve a prompt could do the same. Before this is told in public, follow the
> security policy of {name} (`SECURITY.md`, or "Report a vulnerability" on its repository's
> Security page), and give its maintainers time.
"""


def report_markdown(finding: Finding, setting: Setting, plan: Plan) -> str:
    """The whole report. Everything that came from a case, a client or a server is escaped."""
    blocks = [
        f"# {_name(setting)}: {visible(title_of(finding))}",
        *([_PRIVATELY.format(name=visible(setting.identity.name))] if finding.unsafe else []),
        _what_happens(finding),
        "## What the server sends",
        _code(_server_lines(finding.case)),
        "## What the model gets",
        _code(_model_lines(finding)),
        *_server_received(finding),
        "## Why it matters",
        _why(finding, setting),
        "## See it yourself",
        _see_it(plan),
        "## Versions",
        _versions(setting),
    ]
    return "\n\n".join(block.strip("\n") for block in blocks) + "\n"


def _name(setting: Setting) -> str:
    return visible(f"{setting.identity.name} {setting.identity.version}".strip())


def _what_happens(finding: Finding) -> str:
    told = [_sentence(visible(finding.summary))]
    if finding.flaky is not None:
        rate = f"{finding.flaky.failed} of {finding.flaky.of}"
        told.append(f"It does not happen every time: {rate} fresh tries showed it.")
    if finding.pair is not None:
        told.append(
            "Two prompts that mean different things reach the model as the same thing. "
            "`case.json` is one; `pair.json` is the other, which differs in this:"
        )
        told.append(_code(_pair_lines(finding.case, finding.pair)))
    more = finding.explanation.removeprefix(finding.summary).strip()
    if more:
        told.append(_code(visible(more, lines=True).splitlines()))
    return "\n\n".join(told)


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}" + ("" if text.endswith((".", "!", "?")) else ".")


def _server_lines(case: Case) -> list[str]:
    lines = []
    if case.arguments or case.prompt.get("arguments"):
        declared = (
            visible(argument["name"]) + (" (required)" if argument.get("required") else "")
            for argument in case.prompt.get("arguments", ())
        )
        lines.append(f"prompt {one_line(case.prompt['name'])}, arguments: {', '.join(declared)}")
        lines.append(f"the user asks for {invocation_words(case.to_json())}")
    if case.error is not None:
        lines.append(
            f"{case.error['on']} is answered with error {case.error['code']}: "
            f"{one_line(case.error['message'], _WIDTH)}"
        )
        return lines
    if len(case.pages) > 1:
        lines.append(f"the listing has {len(case.pages)} pages")
    sent = materialise(case)["messages"]
    return lines + ([message_words(message, _WIDTH) for message in sent] or ["no messages"])


def _model_lines(finding: Finding) -> list[str]:
    if finding.observed.unsupported is not None:
        why = one_line(finding.observed.unsupported, _WIDTH)
        return ["nothing: the user has no way to ask for this", why]
    return observed_words(observed_to_json(finding.observed), _WIDTH)


def _pair_lines(case: Case, pair: Case) -> list[str]:
    here = [message_words(m, _WIDTH) for m in materialise(case)["messages"]]
    there = [message_words(m, _WIDTH) for m in materialise(pair)["messages"]]
    if here == there:
        return [f"case: {canonical(case.to_json())}", f"pair: {canonical(pair.to_json())}"]
    return [
        *(f"- {line}" for line in here if line not in there),
        *(f"+ {line}" for line in there if line not in here),
    ] or ["the order of the messages"]


def _server_received(finding: Finding) -> list[str]:
    """What the server was asked, where the rule is about that."""
    requests = requests_to_json(finding.observed)
    if not requests or not finding.fault.rule.startswith(("arguments.", "list.", "errors")):
        return []
    return ["## What the server was asked", _code(_request_line(r) for r in requests)]


def _request_line(request: Json) -> str:
    error = f" (answered with error {request['error']})" if "error" in request else ""
    return one_line(f"{request['method']} {canonical(request['params'])}", _WIDTH) + error


def _why(finding: Finding, setting: Setting) -> str:
    rule = RULES.get(finding.fault.rule)
    basis = {
        "kind": finding.basis.kind,
        "section": finding.basis.section,
        "revision": finding.basis.revision,
    }
    keeps = rule.keeps if rule else ""
    return (
        f"What should hold: {keeps[:1].lower()}{keeps[1:]} This {basis_words(basis)}.\n\n"
        f"Rule `{finding.fault.rule}`, severity {finding.severity}, protocol revision "
        f"{setting.revision}."
    )


def _see_it(plan: Plan) -> str:
    needs = " and ".join(plan.needs)
    first, second = plan.commands
    if plan.together:
        steps = (
            f"In this folder, with {needs}. No API key is needed: the model is a stand-in on this "
            "machine.\n\n"
            f"```sh\n{first}\n```\n\nand in a second terminal, in the same folder:\n\n"
            f"```sh\n{second}\n```"
        )
    else:
        steps = (
            f"In this folder, with {needs}. No API key is needed.\n\n```sh\n{first}\n{second}\n```"
        )
    files = (
        "`case.json` holds the prompt, `server.py` is an MCP server that offers it (standard "
        "input and output, any client), `model.py` stands in for the model and prints what it is "
        "sent. Both need Python alone."
    )
    return f"{steps}\n\n{plan.look_for}\n\n{files}"


def _versions(setting: Setting) -> str:
    identity = setting.identity
    rows = [f"- {visible(identity.name)} {visible(identity.version)}"]
    if identity.client is not None and identity.client != (identity.name, identity.version):
        introduced = " ".join(identity.client)
        rows.append(f"- introduces itself to servers as {visible(introduced)}")
    for name, word in (("harness", "mcp-prompt-fuzz"), ("python", "Python"), ("platform", "on")):
        told = setting.versions.get(name, "")
        if told[:1].isdigit() or name == "platform":
            rows.append(f"- {word} {visible(told)}")
    return "\n".join(rows)


def _code(lines: Iterable[str]) -> str:
    """A fenced block whose fence no line of it can close."""
    body: Sequence[str] = list(lines)
    longest = max((len(run) for line in body for run in _ticks(line)), default=0)
    fence = "`" * max(3, longest + 1)
    return "\n".join([f"{fence}text", *body, fence])


def _ticks(line: str) -> list[str]:
    return [run for run in "".join(c if c == "`" else " " for c in line).split() if run]
