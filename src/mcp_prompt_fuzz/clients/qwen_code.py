"""qwen-code: a fork of gemini-cli that speaks to OpenAI's endpoints, driven at its terminal UI."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from typing import Final

from mcp_prompt_fuzz.case import Case
from mcp_prompt_fuzz.jsontypes import Json
from mcp_prompt_fuzz.lab.host import Address
from mcp_prompt_fuzz.lab.stage import MAIN

from .program import Bench
from .terminal import Menu
from .terminal_ui import TerminalProgram, lone_required, others_beside

VERSION: Final = "0.24.4"


class QwenCode(TerminalProgram):
    """`program.Program` for qwen-code (npm `@qwen-code/qwen-code`)."""

    name = "qwen-code"
    version = VERSION
    package = "@qwen-code/qwen-code"
    script = "cli-entry.js"
    settings_file = ".qwen/settings.json"
    menu = Menu(2, ("Loading suggestions",))
    own_words = re.compile(
        r"\s*(<system-reminder>(?:(?!</system-reminder>).)*</system-reminder>\s*)+", re.DOTALL
    )

    def __init__(self, version: str | None = None) -> None:
        super().__init__(version)
        self._edition = itertools.count(1)

    def settings(self, servers: Mapping[str, Address]) -> Json:
        """A key, the servers, and none of the requests that it makes beside the conversation's."""
        again = next(self._edition)
        return {
            "security": {"auth": {"selectedType": "openai"}, "folderTrust": {"enabled": False}},
            "privacy": {"usageStatisticsEnabled": False},
            "general": {"enableAutoUpdate": False},
            "memory": {
                "enableManagedAutoMemory": False,
                "enableManagedAutoDream": False,
                "enableAutoSkill": False,
            },
            "ui": {"enableFollowupSuggestions": False, "useTerminalBuffer": False},
            # It connects anew to a server whose settings have changed.
            "mcpServers": {
                name: {"httpUrl": f"{address.url}?again={again}"}
                for name, address in servers.items()
            },
        }

    def command_line(self, bench: Bench) -> tuple[Sequence[str], Mapping[str, str]]:
        """A model that it knows as one that takes images."""
        variables = {
            "OPENAI_API_KEY": "none",
            "OPENAI_BASE_URL": f"{bench.model_url}/v1",
            "OPENAI_MODEL": "gpt-4o",
        }
        return [], variables

    def reload(self, servers: Mapping[str, Address]) -> bool:
        """It watches its settings, and makes its commands a quarter of a second after that."""
        self.configure(servers)
        self.wait_until_asked(20.0, quiet=0.5)
        return True

    def shadow(self, prompt: Json) -> str:
        """Names are taken as they are."""
        return str(prompt["name"])

    def commands_for(self, case: Case) -> Sequence[str]:
        """The prompt's own name, spaces and all; its own commands of that name come first."""
        name = case.prompt["name"]
        if any(other == name for _, other in others_beside(case)):
            # Of two servers, the one that was slower gets the longer name.
            return [f"{MAIN}_{name}", name]
        return [name]

    def positional(self, case: Case) -> str | None:
        """A value without a name is the next required argument, else the next optional one."""
        return lone_required(case, or_optional=True)

    def is_of_the_case(self, request: Json) -> bool:
        """The conversation itself: requests beside it have another system prompt."""
        messages = request["body"].get("messages", ()) if isinstance(request["body"], dict) else ()
        first = messages[0].get("content") if messages else None
        return isinstance(first, str) and first.startswith("You are Qwen Code")
