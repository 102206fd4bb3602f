"""What a repro needs to know beside the finding: who was tested, under what."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from ..renderer import Identity
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
