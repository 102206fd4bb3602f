"""The libraries: what is installed for each, and which script in `drivers/` speaks for it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final


@dataclass(frozen=True, slots=True)
class Library:
    """A client that is a Python library.

    `distribution` is what its registry knows it by, with extras; `companions` are what must stand
    beside it, pinned as they were seen working.
    """

    version: str
    summary: str
    distribution: str
    script: str
    companions: tuple[str, ...] = ()
    needs: tuple[str, ...] = ("uv",)

    def requirements(self, version: str | None = None) -> tuple[str, ...]:
        """What to install. Beside another version than ours, companions keep only their major
        version, since ours may be more than that one can stand."""
        own = f"{self.distribution}=={version or self.version}"
        if version in (None, self.version):
            return (own, *self.companions)
        return (own, *(_same_major(companion) for companion in self.companions))

    @property
    def driver(self) -> Path:
        """The script that runs inside the environment."""
        return Path(__file__).parent / "drivers" / self.script


def _same_major(pin: str) -> str:
    found = re.fullmatch(r"(.+)==(\d+)\..+", pin)
    return f"{found[1]}>={found[2]},<{int(found[2]) + 1}" if found else pin


LIBRARIES: Final[Mapping[str, Library]] = {
    "langchain-mcp-adapters": Library(
        version="0.3.2",
        summary="LangChain's adapters: MultiServerMCPClient.get_prompt",
        distribution="langchain-mcp-adapters",
        script="langchain_driver.py",
        companions=("mcp==1.30.0",),
    ),
    "anthropic": Library(
        version="2.14.0",
        summary="Anthropic's SDK: mcp_message on each message",
        distribution="anthropic",
        script="anthropic_driver.py",
        companions=("mcp==2.3.0",),
    ),
    "pydantic-ai": Library(
        version="2.68.0",
        summary="Pydantic AI: MCPToolset.get_prompt",
        distribution="pydantic-ai-slim[mcp]",
        script="pydantic_ai_driver.py",
    ),
    "llama-index-tools-mcp": Library(
        version="0.6.0",
        summary="LlamaIndex: BasicMCPClient.get_prompt",
        distribution="llama-index-tools-mcp",
        script="llama_index_driver.py",
    ),
    "google-adk": Library(
        version="2.13.0",
        summary="Google's ADK: McpInstructionProvider",
        distribution="google-adk",
        script="google_adk_driver.py",
        companions=("mcp==2.3.0",),
    ),
    "agent-framework": Library(
        version="1.23.0",
        summary="Microsoft's Agent Framework: MCPStreamableHTTPTool.get_prompt",
        distribution="agent-framework-core",
        script="agent_framework_driver.py",
        companions=("mcp==2.3.0", "tenacity==9.2.1"),
    ),
    "semantic-kernel": Library(
        version="1.45.0",
        summary="Semantic Kernel: an MCP plugin's get_prompt, then its OpenAI connector",
        distribution="semantic-kernel[mcp]",
        script="semantic_kernel_driver.py",
    ),
    "mcp-agent": Library(
        version="0.2.6",
        summary="mcp-agent: Agent.create_prompt, then its OpenAI model",
        distribution="mcp-agent[openai]",
        script="mcp_agent_driver.py",
        companions=("mcp==1.30.0",),
    ),
    "mcp-client-for-ollama": Library(
        version="0.35.1",
        summary="ollmcp: /SERVER:PROMPT in its chat, an OpenAI-compatible model",
        distribution="mcp-client-for-ollama",
        script="ollama_driver.py",
    ),
}
"""Every library that ships, by the name that the command line knows it by."""
