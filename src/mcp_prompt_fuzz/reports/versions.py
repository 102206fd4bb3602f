"""The versions of what takes part in a run."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version


def version_of(distribution: str) -> str | None:
    """The installed version of a distribution, None where it isn't installed."""
    try:
        return version(distribution)
    except PackageNotFoundError:
        return None


def current_versions() -> dict[str, str | None]:
    """By the names that `run.json` gives them."""
    return {
        "harness": version_of("mcp-prompt-fuzz"),
        "hypothesis": version_of("hypothesis"),
        "mcp": version_of("mcp"),
        "python": platform.python_version(),
        "platform": f"{platform.system()} {platform.machine()}",
    }
