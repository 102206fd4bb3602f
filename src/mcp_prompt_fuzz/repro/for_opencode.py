"""opencode and its fork Kilo: configuration in the working folder, and a one-shot command."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from hypothesis_mcp.canaries import MENTION_FILE

from ..case import Case, declared_arguments
from ..formats import dump_json
from ..jsontypes import Json, canonical
from .setting import MODEL_URL, SERVER_COMMAND

_MODALITIES: Final = ["text", "image", "audio", "pdf"]


@dataclass(frozen=True, slots=True)
class Flavour:
    """What tells the fork from its origin. `prefix` is that of its environment variables."""

    program: str
    package: str
    prefix: str
    schema: str | None = None

    def make(self, case: Case, version: str) -> tuple[Mapping[str, str], str, str]:
        """The files, the command, and how to install that version."""
        install = f"{self.program} {version} (`npm install -g {self.package}@{version}`)"
        head = {} if self.schema is None else {"$schema": self.schema}
        files = {f"{self.program}.json": dump_json(head | _config(case))}
        return files, _command(case, self), install


OPENCODE: Final = Flavour("opencode", "opencode-ai", "OPENCODE", "https://opencode.ai/config.json")
KILO: Final = Flavour("kilo", "@kilocode/cli", "KILO")


def _config(case: Case) -> Json:
    """Every modality is declared: with less, a faithful client would look lossy."""
    servers = {"main": [*SERVER_COMMAND]}
    servers |= {name: [*SERVER_COMMAND, name] for name in case.beside}
    model = {
        "name": "stand-in",
        "attachment": True,
        "tool_call": True,
        "modalities": {"input": _MODALITIES, "output": ["text"]},
        "limit": {"context": 1_000_000, "output": 8192},
    }
    return {
        "autoupdate": False,
        "share": "disabled",
        "snapshot": False,
        "enabled_providers": ["repro"],
        "model": "repro/model",
        "small_model": "repro/model",
        "provider": {
            "repro": {
                "npm": "@ai-sdk/openai-compatible",
                "options": {"baseURL": MODEL_URL, "apiKey": "none"},
                "models": {"model": model},
            }
        },
        "mcp": {
            name: {"type": "local", "command": command, "enabled": True}
            for name, command in servers.items()
        },
    }


def _command(case: Case, flavour: Flavour) -> str:
    prompt = re.sub(r"[^a-zA-Z0-9_-]", "_", case.prompt["name"])
    words = [word for value in _values(case) for word in _words(value)]
    if any(word.startswith("-") for word in words):
        words.insert(0, "--")
    typed = " ".join(shlex.quote(word) for word in (f"main:{prompt}", *words))
    switches = ("DISABLE_MODELS_FETCH", "DISABLE_AUTOUPDATE")
    environment = " ".join(f"{flavour.prefix}_{switch}=1" for switch in switches)
    # Files are looked up from the root of the repository, which is / where there is none.
    first = "git init --quiet && " if MENTION_FILE[0] in canonical(case.to_json()) else ""
    return f"{first}{environment} {flavour.program} run --command {typed}"


def _values(case: Case) -> list[str]:
    """The values in the order of declaration, which is the only way that opencode offers."""
    declared = [a["name"] for a in declared_arguments(case.prompt)]
    return [case.arguments[name] for name in declared if name in case.arguments]


def _words(value: str) -> list[str]:
    """The words on the command line that reach opencode as this one value.

    It puts a word that holds a space between double quotes, joins all words with spaces, and takes
    them apart again at white space outside of quotes.
    """
    if value and not re.search(r"""[^\S ]|["']""", value):
        return [value]
    quote = "'" if '"' in value else '"'
    return f"{quote}{value}{quote}".split(" ")
