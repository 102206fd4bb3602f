"""How a finding is seen on its own renderer: the files and the commands that it takes."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from hypothesis_mcp.canaries import MARKER_FILE

from ..case import Case
from ..jsontypes import canonical
from ..renderer import Identity
from . import for_opencode, for_terminal_uis
from .setting import Setting, is_shipped, spec_with_version


@dataclass(frozen=True, slots=True)
class Plan:
    """What a reader does: have `needs` installed, run `commands`, look for `look_for`.

    `together` tells that the first command keeps running while the second is typed elsewhere.
    """

    needs: tuple[str, ...]
    commands: tuple[str, str]
    look_for: str
    together: bool = True
    files: Mapping[str, str] = field(default_factory=dict)


Maker: TypeAlias = Callable[[Case, str], tuple[Mapping[str, str], str, str]]
"""From a case and a version: the client's configuration files, its command, how to install it."""

_RAN: Final = f"A file `{MARKER_FILE}` in this folder tells that text of the prompt was run."

_CLIENTS: Final[Mapping[str, Maker]] = {
    "opencode": for_opencode.OPENCODE.make,
    "kilo": for_opencode.KILO.make,
    "gemini-cli": for_terminal_uis.GEMINI_CLI.make,
    "qwen-code": for_terminal_uis.QWEN_CODE.make,
}


def plan_for(case: Case, setting: Setting) -> Plan:
    """The plan for the renderer that the finding is about."""
    maker = _CLIENTS.get(setting.identity.spec)
    if maker is None:
        return _generic(setting)
    files, command, install = maker(case, setting.identity.version)
    return Plan(
        needs=("Python 3.9 or newer", install),
        commands=("python3 model.py", command),
        look_for=" ".join(
            ["The first terminal prints what the server was asked and what the model was sent."]
            + ([_RAN] if MARKER_FILE in canonical(case.to_json()) else [])
        ),
        files=files,
    )


def _generic(setting: Setting) -> Plan:
    """Nothing is known of the renderer but how it is named: this project shows it."""
    version = setting.versions.get("harness") or ""
    extra = "[clients]" if is_shipped(setting.identity.spec) else ""
    spec = spec_with_version(setting.identity.spec, setting.identity.version)
    pinned = f"mcp-prompt-fuzz{extra}" + (f"=={version}" if version[:1].isdigit() else "")
    return Plan(
        needs=("Python 3.11 or newer", _source_of(setting.identity)),
        commands=(
            f"python3 -m pip install {shlex.quote(pinned)}",
            shlex.join(["mcp-prompt-fuzz", "show", spec, "case.json"]),
        ),
        look_for="It prints what the server sends beside what reaches the model.",
        together=False,
    )


def _source_of(identity: Identity) -> str:
    if identity.spec.startswith("driver:"):
        return "the driver program, in the current folder"
    if identity.spec.startswith("python:"):
        return "the module of the renderer, importable from the current folder"
    return f"{identity.name} {identity.version} (installed by mcp-prompt-fuzz itself)"
