"""gemini-cli: its terminal UI, where a prompt is a slash command with named arguments."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from mcp_prompt_fuzz.case import Case
from mcp_prompt_fuzz.jsontypes import Json
from mcp_prompt_fuzz.lab.host import Address
from mcp_prompt_fuzz.lab.stage import MAIN

from .program import Bench, ProgramBroke
from .terminal import AT_REST, Menu
from .terminal_ui import TerminalProgram, lone_required, names_on_main, others_beside

VERSION: Final = "0.61.0"

_BUILT_IN_NAMES: Final = (
    "about agents auth bug bug-memory chat clear commands compress copy corgi docs directory"
    " editor export-session extensions help footer shortcuts hooks rewind ide init mcp memory"
    " model permissions plan policies privacy quit restore resume stats theme tools skills"
    " settings gemma tasks vim setup-github terminal-setup voice upgrade"
)
_BUILT_IN: Final = frozenset(_BUILT_IN_NAMES.split())
"""Its own commands: a prompt of such a name is offered as `SERVER.NAME`."""


class GeminiCli(TerminalProgram):
    """`program.Program` for gemini-cli (npm `@google/gemini-cli`)."""

    name = "gemini-cli"
    version = VERSION
    package = "@google/gemini-cli"
    script = "bundle/gemini.js"
    settings_file = ".gemini/settings.json"
    # Drawn alone, with the menu of all its commands (of which Enter would give the first), and with
    # what fits.
    menu = Menu(3, ("Clear the screen and start a new session", "Loading suggestions"))
    own_words = re.compile(r"\s*<session_context>.*</session_context>\s*", re.DOTALL)

    def settings(self, servers: Mapping[str, Address]) -> Json:
        """A key, whose value nobody looks at, and the servers."""
        return {
            "security": {
                "auth": {"selectedType": "gemini-api-key"},
                "folderTrust": {"enabled": False},
            },
            "privacy": {"usageStatisticsEnabled": False},
            "general": {"enableAutoUpdate": False, "enableAutoUpdateNotification": False},
            "mcpServers": {name: {"httpUrl": address.url} for name, address in servers.items()},
        }

    def command_line(self, bench: Bench) -> tuple[Sequence[str], Mapping[str, str]]:
        """A model that it knows as one that takes every kind of media."""
        variables = {"GEMINI_API_KEY": "none", "GOOGLE_GEMINI_BASE_URL": bench.model_url}
        return ["--skip-trust", "-m", "gemini-2.5-flash"], variables

    def start(self, bench: Bench, servers: Mapping[str, Address]) -> None:
        """Start it, and have it read its commands again.

        It reads them once a server is connected, which may be before that server's prompts came.
        """
        super().start(bench, servers)
        if not self.reload(servers):
            raise ProgramBroke("hang", f"/mcp reload does nothing: {self.terminal.end()}")

    def reload(self, servers: Mapping[str, Address]) -> bool:
        """Its own command for that, which makes its commands anew and lists what it found."""
        terminal = self.terminal
        mark, _ = terminal.say("/mcp reload")
        if not terminal.comes_to_show("Reloading MCP servers", mark, 5.0):
            return False
        terminal.wait_for("Configured MCP servers", mark, 30.0)
        terminal.rest(mark, AT_REST, 5.0)
        return True

    def shadow(self, prompt: Json) -> str:
        """Names that are equal after its clean-up get numbers."""
        return cleaned(prompt["name"])

    def commands_for(self, case: Case) -> Sequence[str]:
        """As its menu would offer it."""
        name = case.prompt["name"]
        beside = list(others_beside(case))
        if any(other == name for _, other in beside):
            # Of two servers, the one that was slower gets the longer name.
            return [cleaned(f"{MAIN}_{name}"), cleaned(name)]
        offers = [(MAIN, own) for own in sorted(names_on_main(case))]
        commands = resolved([*offers, *sorted(beside)])
        return [commands.get((MAIN, name), f"{MAIN}.{cleaned(name)}")]

    def positional(self, case: Case) -> str | None:
        """A value without a name is the required argument that is still missing."""
        return lone_required(case, or_optional=False)


def cleaned(name: str) -> str:
    """The name of a prompt's command."""
    return re.sub(r"\s+", "-", name.strip())


def resolved(offers: Sequence[tuple[str, str]]) -> dict[tuple[str, str], str]:
    """The command for each prompt of each server, in the order in which they are read.

    Of two with one name, both get their server's before it, which may make them equal: the second
    then takes the place of the first.
    """
    commands: dict[str, tuple[str, str] | None] = dict.fromkeys(_BUILT_IN)
    met = set(_BUILT_IN)

    def longer(server: str, name: str) -> str:
        base = f"{server}.{name}"
        numbered = [base, *(f"{base}{n}" for n in range(1, len(commands) + 1))]
        return next(free for free in numbered if free not in commands)

    for server, prompt in offers:
        name = cleaned(prompt)
        if name not in met:
            met.add(name)
            commands[name] = (server, prompt)
            continue
        own = longer(server, name)
        owner = commands.get(name)
        if owner is not None:
            renamed = longer(owner[0], name)
            del commands[name]
            commands[renamed] = owner
        commands[own] = (server, prompt)
    return {owner: command for command, owner in commands.items() if owner is not None}
