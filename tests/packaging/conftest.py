"""The distribution, built once and installed into an environment of its own."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LIMIT = 3600
"""Seconds for one command: a whole suite is run by one."""


@dataclass(frozen=True)
class Environment:
    """A virtual environment, and what runs in it. Nothing of this checkout is on its path."""

    folder: Path

    @property
    def programs(self) -> Path:
        return self.folder / ("Scripts" if sys.platform == "win32" else "bin")

    def run(
        self, *command: str, cwd: Path, status: int = 0, more: Mapping[str, str] | None = None
    ) -> str:
        """What a program of the environment prints, its exit status being `status`."""
        ours = ("PYTHONPATH", "VIRTUAL_ENV", "PYTEST_ADDOPTS", "CI")
        environment = {n: v for n, v in os.environ.items() if n not in ours} | dict(more or {})
        environment["PATH"] = os.pathsep.join([str(self.programs), environment.get("PATH", "")])
        ran = subprocess.run(
            [str(self.programs / command[0]), *command[1:]],
            cwd=cwd,
            env=environment,
            capture_output=True,
            text=True,
            timeout=LIMIT,
            check=False,
        )
        assert ran.returncode == status, ran.stdout[-6000:] + ran.stderr[-6000:]
        return ran.stdout

    def install(self, *words: str, constraints: Path = ROOT / "constraints.txt") -> None:
        """Install with pip, in the versions that this project knows to work."""
        pins = ("-c", str(constraints))
        command = ("python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
        self.run(*command, *pins, *words, cwd=self.folder)


def new_environment(folder: Path) -> Environment:
    venv.create(folder, with_pip=True, symlinks=sys.platform != "win32")
    environment = Environment(folder)
    environment.install("pip")  # one that knows dependency groups
    return environment


@dataclass(frozen=True)
class Distribution:
    """What was built: a source distribution, and the wheel that was built from it."""

    sdist: Path
    wheel: Path


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Distribution:
    folder = tmp_path_factory.mktemp("built")
    builder = new_environment(folder / "builder")
    builder.install("build")
    builder.run("python", "-m", "build", "--outdir", str(folder / "dist"), str(ROOT), cwd=folder)
    (sdist,) = (folder / "dist").glob("*.tar.gz")
    (wheel,) = (folder / "dist").glob("*.whl")
    return Distribution(sdist, wheel)


@pytest.fixture(scope="session")
def installed(built: Distribution, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """A fresh environment that holds the wheel and what it asks for, nothing else."""
    environment = new_environment(tmp_path_factory.mktemp("fresh") / "env")
    environment.install(str(built.wheel))
    return environment


@pytest.fixture(scope="session")
def developers(built: Distribution, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """An environment that holds the wheel, and what it takes to test and to type-check."""
    environment = new_environment(tmp_path_factory.mktemp("developers") / "env")
    environment.install(str(built.wheel), "--group", f"{ROOT / 'pyproject.toml'}:dev")
    environment.install("pyright[nodejs]")
    return environment
