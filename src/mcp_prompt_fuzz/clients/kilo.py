"""Kilo Code's command line: a fork of opencode with the same local API."""

from __future__ import annotations

import re
from typing import Final

from .opencode import Fork, Opencode

VERSION: Final = "7.7.7"

_ENVIRONMENT: Final = re.compile(
    r"\s*<environment_details>\nMessage time: (\S+)\n.*</environment_details>\s*", re.DOTALL
)

KILO: Final = Fork(
    "kilo", VERSION, "@kilocode/cli", "@kilocode/cli", "kilo", "kilo.json", "KILO", _ENVIRONMENT
)


def kilo(version: str | None = None) -> Opencode:
    """`program.Program` for Kilo (npm `@kilocode/cli`)."""
    return Opencode(version, KILO)
