"""gemini-cli and its fork qwen-code: a settings file, and the prompt as a one-shot command."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from ..case import Case
from ..clients.gemini_cli import GeminiCli
from ..clients.program import Unsupported
from ..clients.qwen_code import QwenCode
from ..clients.terminal_ui import TerminalProgram
from ..formats import dump_json
from ..jsontypes import Json
from .setting import MODEL_URL, SERVER_COMMAND


@dataclass(frozen=True, slots=True)
class Flavour:
    """What tells one from the other."""

    program: str
    client: Callable[[], TerminalProgram]
    variables: Mapping[str, str]
    options: str

    def make(self, case: Case, version: str) -> tuple[Mapping[str, str], str, str]:
        """The files, the command, and how to install that version."""
        client = self.client()
        install = f"{client.name} {version} (`npm install -g {client.package}@{version}`)"
        files = {client.settings_file: dump_json(self._settings(case))}
        return files, self._command(case), install

    def _settings(self, case: Case) -> Json:
        servers = {"main": [*SERVER_COMMAND]}
        servers |= {name: [*SERVER_COMMAND, name] for name in case.beside}
        started = {
            name: {"command": command[0], "args": command[1:]} for name, command in servers.items()
        }
        return self.client().settings({}) | {"mcpServers": started}

    def _command(self, case: Case) -> str:
        typed = self.client().express(case)
        line = typed.attempt if isinstance(typed, Unsupported) else typed
        environment = " ".join(f"{name}={value}" for name, value in self.variables.items())
        # The folder is its home as well: a reader's own settings and servers stay out of it.
        return f'HOME="$PWD" {environment} {self.program} {self.options} -p {shlex.quote(line)}'


GEMINI_CLI: Final = Flavour(
    program="gemini",
    client=GeminiCli,
    variables={
        "GEMINI_API_KEY": "none",
        "GOOGLE_GEMINI_BASE_URL": MODEL_URL.removesuffix("/v1"),
    },
    options="--skip-trust -m gemini-2.5-flash",
)
QWEN_CODE: Final = Flavour(
    program="qwen",
    client=QwenCode,
    variables={"OPENAI_API_KEY": "none", "OPENAI_BASE_URL": MODEL_URL, "OPENAI_MODEL": "gpt-4o"},
    options="--auth-type openai",
)
