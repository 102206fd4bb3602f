"""Renderers, opened by the name that a user gives (contract, "Command line", RENDERER).

with contextlib.closing(open_renderer("driver:node my.js", revision=..., timeout=30)) as r:
    rendering = r.render(case)
"""

from __future__ import annotations

import difflib
import importlib
import shlex
from collections.abc import Callable, Iterable
from typing import Any, Final

from ..formats import shortened
from ..renderer import Progress, Renderer, quiet
from .errors import UsageError
from .text_only import REFERENCE, TEXT_ONLY, VERSION, ReferenceRenderer, text_only

__all__ = ["BUILT_IN", "UsageError", "function_renderer", "open_renderer"]

BUILT_IN: Final = {
    TEXT_ONLY: "a deliberately lossy sample: texts only, arguments by position",
    REFERENCE: "the reference renderer itself, the control",
}
"""The renderers that need nothing installed, and what each is."""


def open_renderer(
    spec: str,
    *,
    revision: str,
    timeout: float,
    progress: Progress = quiet,
) -> Renderer:
    """The renderer that `spec` names, ready to render: whoever opens it closes it.

    `revision` is what our server offers as its newest, `timeout` the seconds for one rendering;
    `progress` is told what is going on while a client is installed. Raises `UsageError` for a spec
    that names nothing, `RendererUnavailable` for one that can't be had.
    """
    if spec.startswith("python:"):
        from .function import FunctionRenderer, load_target  # noqa: PLC0415 - loads the SDK

        return FunctionRenderer(load_target(spec), revision=revision, timeout=timeout)
    if spec.startswith("driver:"):
        from .driver import open_driver  # noqa: PLC0415 - loaded only by those who use it

        return open_driver(spec, revision=revision, timeout=timeout, progress=progress)
    name, at, version = spec.partition("@")
    if at and not version:
        raise UsageError(
            f"{shortened(spec)}: no version is named", f"say {name}@VERSION, or {name}"
        )
    if name in BUILT_IN and version in ("", VERSION):
        if name == REFERENCE:
            return ReferenceRenderer(revision=revision)
        return function_renderer(
            text_only, spec=TEXT_ONLY, version=VERSION, revision=revision, timeout=timeout
        )
    shipped = _shipped_clients()
    if name in BUILT_IN or name not in shipped:
        raise UsageError(f"no renderer {shortened(spec)!r}", _instead_of(spec, shipped))
    clients: Any = importlib.import_module("mcp_prompt_fuzz.clients")
    opened: Renderer = clients.open_client(
        name,
        version or None,
        revision=revision,
        timeout=timeout,
        progress=progress,
    )
    return opened


def function_renderer(
    function: Callable[..., Any],
    *,
    revision: str,
    timeout: float,
    spec: str | None = None,
    version: str = "unknown",
) -> Renderer:
    """A renderer from a function at hand, as `python:` makes one. Raises `UsageError`."""
    from .function import FunctionRenderer, make_target  # noqa: PLC0415 - loads the SDK

    name = getattr(function, "__qualname__", type(function).__qualname__)
    named = spec or f"python:{function.__module__}:{name}"
    target = make_target(function, named, version=version)
    return FunctionRenderer(target, revision=revision, timeout=timeout)


def _instead_of(spec: str, shipped: Iterable[str]) -> str:
    """What to say instead of a name that nothing answers to."""
    name, _, version = spec.partition("@")
    if name in BUILT_IN and version:
        return f"{name} has one version alone: say {name}"
    names = (*BUILT_IN, *shipped)
    if close := difflib.get_close_matches(name, names, 1):
        return f"did you mean {close[0]!r}?"
    if " " in spec or "/" in spec:
        return f"is it a driver? Then say {shlex.quote(f'driver:{shortened(spec)}')}"
    forms = "NAME@VERSION, python:MODULE:CALLABLE or 'driver:COMMAND LINE'"
    return f"say {forms}, or one of {', '.join(names)}"


def _shipped_clients() -> tuple[str, ...]:
    """The names of the clients that are shipped."""
    clients: Any = importlib.import_module("mcp_prompt_fuzz.clients")
    return tuple(clients.SHIPPED)
