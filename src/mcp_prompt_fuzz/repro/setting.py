"""What a repro needs to know beside the finding: who was tested, under what."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from ..renderer import Identity
from ..renderers import BUILT_IN
from ..run_record import RunRecord

MODEL_PORT: Final = 8765
MODEL_URL: Final = f"http://127.0.0.1:{MODEL_PORT}/v1"
SERVER_COMMAND: Final = ("python3", "server.py")


@dataclass(frozen=True, slots=True)
class Setting:
    """The renderer under test, the run's revision, and the versions of what took part."""

    identity: Identity
    revision: str
    versions: Mapping[str, str]

    @classmethod
    def of_run(cls, record: RunRecord) -> Setting:
        """The setting of a finding of that run."""
        return cls(record.identity, record.revision, record.versions)


def is_shipped(spec: str) -> bool:
    """Whether the renderer is a client or library that this project installs."""
    return ":" not in spec and spec not in BUILT_IN


def spec_with_version(spec: str, version: str) -> str:
    """The renderer as a user names it: with the version where that can be asked for."""
    return f"{spec}@{version}" if is_shipped(spec) else spec
