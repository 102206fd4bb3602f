"""A library as a renderer: its driver, in its own environment, inside a sandbox.

The line protocol and the lab are those of every driver; what stands here is where the driver
runs: beside the lab in a network namespace of their own, with an environment built from nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Final

from mcp_prompt_fuzz.case import Case
from mcp_prompt_fuzz.lab.host import LAB_FAILED, Lab, LabError
from mcp_prompt_fuzz.lab.process_table import TOKEN_VARIABLE
from mcp_prompt_fuzz.lab.sandbox import Sandbox, reap_leftovers
from mcp_prompt_fuzz.renderer import Identity, Progress, RendererUnavailable, quiet
from mcp_prompt_fuzz.renderers.driver import Connection, DriverRenderer, Exchange, ResultExchange
from mcp_prompt_fuzz.renderers.server_exchange import ServerExchange
from mcp_prompt_fuzz.rendering import Rendering

from ..environments import cache_folder, clients_folder, python_environment
from ..lab_environment import lab_python
from .catalogue import Library

_LOAD_LIMIT: Final = 300.0
"""Seconds for the first import, which compiles the library."""

_STARTS: Final = 2
"""How often a library may try to answer at all: importing it takes a busy machine its time."""


class LibraryRenderer:
    """`renderer.Renderer` for one library. Installs it and starts its driver at once.

    Raises `RendererUnavailable` where it can't be installed or started, or is lost for good.
    """

    def __init__(
        self,
        name: str,
        library: Library,
        version: str | None = None,
        *,
        revision: str,
        timeout: float,
        progress: Progress = quiet,
    ) -> None:
        lab = lab_python(progress)
        python = python_environment(name, library.requirements(version), progress)
        record = cache_folder() / "running"
        reap_leftovers(record)
        progress(f"starting {name} {version or library.version}")
        self._name = name
        self._sandbox = Sandbox(record)
        self._lab: Lab | None = None
        try:
            self._lab = Lab(
                self._sandbox, python=lab, see=[clients_folder(), library.driver.parent]
            )
            self._load_once(python, library.driver, progress)
            connection = Connection(name, self._command(python, library.driver), timeout)
            hello = connection.start()
            exchange: Exchange = ResultExchange()
            if hello["accepts"] == "server":
                exchange = ServerExchange(self._lab, revision, timeout)
            self._driver = DriverRenderer(connection, hello, exchange)
            self._meet(exchange, connection)
        except LabError as problem:
            self.close()
            raise RendererUnavailable(
                f"the lab could not be started: {problem}", LAB_FAILED
            ) from None
        except BaseException:
            self.close()
            raise

    @property
    def identity(self) -> Identity:
        """Who is tested, and which revision its client negotiates."""
        return replace(
            self._driver.identity,
            spec=self._name,
            isolation=self._sandbox.isolation.description,
            sandboxed=True,
        )

    def prepare(self, cases: Iterable[Case]) -> None:
        """Nothing to do: a listing is cheap for a library."""

    def render(self, case: Case) -> Rendering:
        """Have the library render the case, and see whether anything was run meanwhile."""
        rendering = self._driver.render(case)
        return replace(rendering, ran=self._sandbox.take_markers())

    def close(self) -> None:
        """End every process and free every folder. May be called twice."""
        try:
            if hasattr(self, "_driver"):
                self._driver.close()
        finally:
            if self._lab is not None:
                self._lab.close()
            self._sandbox.close()

    def _meet(self, exchange: Exchange, connection: Connection) -> None:
        problem = ""
        for _ in range(_STARTS):
            broke = exchange.meet(connection)
            if broke is None:
                return
            problem = broke.detail
        raise RendererUnavailable(
            f"{self._name} could not be started: {problem}",
            f"give it more time (--timeout S), or remove {cache_folder()} to install it anew",
        )

    def _command(self, python: Path, script: Path) -> list[str]:
        """The driver's command line, with the way into the sandbox before it."""
        # The token of the sandbox's first process: whatever ends that one ends this one, too.
        marked = {TOKEN_VARIABLE: f"{self._sandbox.token}.1"}
        variables = [f"{k}={v}" for k, v in self._sandbox.environment(marked).items()]
        inside = self._sandbox.isolation.prefix(self._sandbox.work)
        own = [str(python), str(script), str(self._sandbox.work)]
        return [*inside, "/usr/bin/env", "-i", *variables, *own]

    def _load_once(self, python: Path, script: Path, progress: Progress) -> None:
        """Have the library compiled before anybody waits for an answer."""
        done = python.parents[2] / "loaded"
        if done.exists():
            return
        progress(f"loading {self._name} for the first time")
        child = self._sandbox.spawn([str(python), str(script), "--load"])
        status = child.wait(_LOAD_LIMIT)
        *_, words = ["", *child.last_words().splitlines()]
        child.end()
        if status != 0:
            raise RendererUnavailable(
                f"{self._name} can't be imported: {words}",
                f"try another version (NAME@VERSION), or remove {python.parents[2]} and try again",
            )
        done.touch()
