"""Which versions a run was made with."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version


def versions() -> dict[str, str]:
    """Versions of the harness, of Hypothesis, of the MCP SDK, of Python, and the platform."""
    return {
        "harness": _version_of("mcp-prompt-fuzz"),
        "hypothesis": _version_of("hypothesis"),
        "mcp": _version_of("mcp"),
        "python": platform.python_version(),
        "platform": platform.system(),
    }


def _version_of(distribution: str) -> str:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return "not installed"
