"""The stand-in for a library's driver, where a real one would stand."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from mcp_prompt_fuzz.clients.libraries import LIBRARIES


@pytest.fixture(scope="session")
def small_driver(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """`small_driver.py` beside the kit, which is taken from wherever the package stands.

    A sandbox tells a driver nothing of our own path, so that the kit has to be in its folder.
    """
    folder = tmp_path_factory.mktemp("drivers")
    drivers = next(iter(LIBRARIES.values())).driver.parent
    shutil.copy(drivers / "driver_kit.py", folder)
    return Path(shutil.copy(Path(__file__).with_name("small_driver.py"), folder))
