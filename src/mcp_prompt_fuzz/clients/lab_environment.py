"""What the lab's process runs in: this environment, or its own where the SDK here is older.

The harness works with both majors of the SDK; the lab's servers speak both eras of the protocol,
which takes the second.
"""

from __future__ import annotations

import re
from importlib import metadata, resources, util
from pathlib import Path
from typing import Final

from mcp_prompt_fuzz.renderer import Progress, RendererUnavailable, quiet

from .environments import EXTRA, python_environment

_NEEDED: Final = 2
"""The SDK's major version that the lab's servers are written for."""


def lab_python(progress: Progress = quiet) -> Path | None:
    """The Python of the lab's own environment, None where this one will do.

    It is made on first use, in the versions that this project knows to work, and reused after,
    without any network. Raises `RendererUnavailable`.
    """
    installed = metadata.version("mcp")
    if int(installed.partition(".")[0]) >= _NEEDED:
        return None
    if util.find_spec("uv") is None:
        raise RendererUnavailable(
            f"the lab's servers need mcp {_NEEDED}.x, and mcp {installed} is installed; they would "
            "get an environment of their own, but uv, which makes it, is not installed",
            EXTRA,
        )
    constraints = shipped_constraints()
    pinned = re.search(r"^mcp==\S+", constraints.read_text("utf-8"), re.MULTILINE)
    assert pinned is not None
    return python_environment("the lab's servers", [pinned[0]], progress, constraints=constraints)


def shipped_constraints() -> Path:
    """The file of exact versions that this project knows to work together."""
    name = "constraints.txt"
    shipped = Path(str(resources.files("mcp_prompt_fuzz").joinpath(f"shipped_{name}")))
    # In a checkout nothing has been copied into the package yet.
    return shipped if shipped.is_file() else Path(__file__).parents[3] / name
