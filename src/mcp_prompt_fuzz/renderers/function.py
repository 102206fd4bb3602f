"""`python:MODULE:CALLABLE`: a renderer in this process (contract, "`python:` renderers").

A function that blocks for ever can only be left behind in its thread: it is reported as a hang,
and holds what it holds (memory, a lock) until the process ends.
"""

from __future__ import annotations

import difflib
import functools
import importlib
import inspect
import sys
import typing
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias, cast

from hypothesis_mcp.extras import fresh

from ..case import Case, materialise
from ..formats import shortened
from ..jsontypes import Json
from ..renderer import Identity, RendererUnavailable
from ..rendering import Breakage, Rendering
from .errors import UsageError
from .hosts import Host, HungError, LoopHost, ThreadHost
from .reply import decode_reply
from .session import Responder, connected

Takes: TypeAlias = Literal["json", "model", "session"]
"""What a function is called with: plain JSON, the SDK's model, or (session, name, arguments)."""

PREFIX: Final = "python:"
_FORMS: Final = (
    "a renderer takes one parameter (the prompts/get result) or three (session, name, arguments)"
)


@dataclass(frozen=True, slots=True)
class Target:
    """A function under test, and how it wants to be called."""

    spec: str
    name: str
    version: str
    call: Callable[..., Any]
    takes: Takes
    is_async: bool


def load_target(spec: str) -> Target:
    """The function that `python:MODULE:CALLABLE` names.

    Raises `UsageError` for a spec that isn't one, or a callable that can't be a renderer, and
    `RendererUnavailable` where the module can't be imported.
    """
    module_name, colon, path = spec.removeprefix(PREFIX).partition(":")
    if not (module_name and colon and path):
        raise UsageError(
            f"{shortened(spec)}: expected python:MODULE:CALLABLE",
            "name a function, python:my_client.prompts:to_messages say",
        )
    here = str(Path.cwd())
    if sys.path[:1] != [here]:
        sys.path.insert(0, here)
    try:
        module = importlib.import_module(module_name)
    except Exception as error:
        raise RendererUnavailable(
            f"{spec}: importing {module_name} failed: {described(error)}",
            "The current folder is first on the path; is the module there, or installed?",
        ) from error
    try:
        function: Any = functools.reduce(getattr, path.split("."), cast(Any, module))
    except AttributeError:
        raise UsageError(f"{spec}: {module_name} has no {path}", _close(module, path)) from None
    version = getattr(sys.modules[module_name.partition(".")[0]], "__version__", None)
    named = version if isinstance(version, str) else "unknown"
    return make_target(function, spec, version=named)


def _close(module: object, path: str) -> str:
    """What to name instead of a function that there isn't."""
    named = [n for n in vars(module) if not n.startswith("_") and callable(getattr(module, n))]
    close = difflib.get_close_matches(path, named, 1)
    return f"did you mean {close[0]!r}?" if close else "name a function of that module"


def make_target(function: Callable[..., Any], spec: str, *, version: str) -> Target:
    """The function as a target. Raises `UsageError` if it can't be a renderer."""
    kind = takes(function)
    is_async = inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(
        getattr(function, "__call__", None)  # noqa: B004 - an object with an async __call__
    )
    call = _on_model(function) if kind == "model" else function
    return Target(spec, spec.removeprefix(PREFIX), version, call, kind, is_async)


def takes(function: object) -> Takes:
    """How the function wants to be called. Raises `UsageError` if that is none of the ways."""
    if not callable(function):
        raise UsageError(f"{function!r} can't be called", _FORMS)
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return "json"
    places = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    needed = [p for p in places if p.default is p.empty]
    if len(places) == 3 or len(needed) == 3:
        return "session"
    if len(needed) > 1 or not places:
        raise UsageError(f"{function!r} takes {len(needed)} parameters", _FORMS)
    return "model" if _wants_model(function, places[0]) else "json"


def _wants_model(function: Callable[..., Any], parameter: inspect.Parameter) -> bool:
    annotation = parameter.annotation
    if isinstance(annotation, str):
        try:
            annotation = typing.get_type_hints(function)[parameter.name]
        except Exception:  # a name that exists for type checkers only, say
            return str(annotation).rpartition(".")[2] == "GetPromptResult"
    if getattr(annotation, "__name__", "") != "GetPromptResult":
        return False
    from mcp import GetPromptResult  # noqa: PLC0415 - the SDK is loaded only by those who use it

    return annotation is GetPromptResult


def _on_model(function: Callable[..., Any]) -> Callable[[Json], Any]:
    from mcp import GetPromptResult  # noqa: PLC0415 - as above

    def call(result: Json) -> Any:
        return function(GetPromptResult.model_validate(result))

    return call


class FunctionRenderer:
    """Calls a function for each case. Hangs, exits and exceptions become renderings."""

    def __init__(
        self, target: Target, *, revision: str, timeout: float, spec: str | None = None
    ) -> None:
        self._target = target
        self._revision = revision
        self._timeout = timeout
        self._responder: Responder | None = None
        self._host: Host | None = None
        self._identity = Identity(
            spec=spec or target.spec,
            name=target.name,
            version=target.version,
            lane="function",
            view="session" if target.takes == "session" else "result",
        )

    @property
    def identity(self) -> Identity:
        return self._identity

    def prepare(self, cases: Iterable[Case]) -> None:
        """Nothing to do: nothing is published ahead."""

    def render(self, case: Case) -> Rendering:
        for earlier in case.before:
            self._one(case, earlier)
        return self._one(case, case)

    def close(self) -> None:
        host, self._host = self._host, None
        if host is not None:
            host.close()

    def _one(self, listed: Case, case: Case) -> Rendering:
        host = self._host = self._host or self._new_host()
        responder = self._responder
        if responder is None:
            # The function may change what it is given. (`deepcopy` takes five times as long.)
            return self._outcome(host, fresh(materialise(case)))
        responder.publish(listed, case)
        rendering = self._outcome(host, case.prompt["name"], dict(case.arguments))
        return replace(rendering, requests=responder.requests)

    def _outcome(self, host: Host, *arguments: Any) -> Rendering:
        try:
            returned = host.call(self._target.call, *arguments, timeout=self._timeout)
        except HungError:
            self._host = None
            return Rendering(broke=Breakage("hang", f"no answer within {self._timeout:g} s"))
        except KeyboardInterrupt:
            raise
        except SystemExit as error:
            return Rendering(broke=Breakage("exit", f"SystemExit: {error.code}"))
        except Exception as error:
            return Rendering(error=described(error))
        except BaseException as error:
            return Rendering(broke=Breakage("exception", described(error)))
        return decode_reply(as_reply(returned))

    def _new_host(self) -> Host:
        if self._target.takes != "session":
            if self._target.is_async:
                return LoopHost(timeout=self._timeout)
            return ThreadHost()
        # A session that was left behind must not write into the record of the next.
        responder = self._responder = Responder(self._revision)
        try:
            return LoopHost(lambda: connected(responder), timeout=self._timeout)
        except Exception as error:
            raise RendererUnavailable(
                f"the installed MCP SDK opened no session: {described(error)}",
                "mcp>=1.23,<3 is supported: pip show mcp tells what is installed.",
            ) from error


def as_reply(returned: object) -> object:
    """What a function returned as a reply: a string is its text, a list its messages."""
    if isinstance(returned, str):
        return {"text": returned}
    if isinstance(returned, (list, tuple)):
        return {"messages": list(returned)}
    return returned


def described(error: BaseException) -> str:
    """`ExceptionType: message`; for a group, that of each exception in it."""
    if isinstance(error, BaseExceptionGroup):
        return "; ".join(described(each) for each in error.exceptions)
    return f"{type(error).__name__}: {error}"
