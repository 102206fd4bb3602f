"""The other end of a crew: a process, here or on another machine, that does one task at a time.

Whatever goes in or out is a JSON text. Renderers are kept open from task to task, one for each
thread that works, and closed once their campaign has ended.
"""

from __future__ import annotations

import atexit
import json
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any, Final

from ..jsontypes import Json
from ..renderer import Renderer, RendererUnavailable
from ..renderers import UsageError, open_renderer
from ..versions import versions
from .judging import Brief, Judge, surveyed
from .tasks import perform, task_from_json
from .wire import (
    Event,
    event_from_json,
    event_to_json,
    identity_to_json,
    options_from_json,
    options_to_json,
)

PATIENCE: Final = 5.0
"""Seconds after which a worker hands back what it has, so that little is lost with it."""

_LEAVING: Final = 3.0
"""Seconds that the example in hand gets when the process ends."""


@dataclass(frozen=True, slots=True)
class Opening:
    """How a worker opens the renderer. `campaign` tells one run's renderers from another's."""

    campaign: str
    spec: str
    revision: str
    timeout: float


class _Enough(Exception):
    """The worker has worked long enough, or is told to stop."""


@dataclass
class _Open:
    """A renderer that is open in this process, and whoever judges it."""

    renderer: Renderer
    lock: Any
    judge: Judge | None = None


_open: dict[tuple[Opening, int], _Open] = {}
_ended: set[str] = set()
_stopping = threading.Event()


@cache
def deciding_versions() -> dict[str, str]:
    """Versions of what decides which cases there are and how they are judged."""
    told = versions()
    return {name: told[name] for name in ("harness", "hypothesis")}


def brief_to_json(brief: Brief) -> Json:
    """What a worker must know, as JSON."""
    return {"options": options_to_json(brief.options), **event_to_json(brief.survey)}


def _brief_from_json(data: Mapping[str, Any]) -> Brief:
    survey: Any = event_from_json({"survey": data["survey"]})
    return Brief(options_from_json(data["options"]), survey)


def do(order_text: str) -> str:
    """Do what is ordered and return what it came to, as JSON; no exception leaves it.

    An order holds `opening` and one of: nothing (say who the renderer is), `look` (survey it under
    those options), `task` with `brief`.
    """
    order = json.loads(order_text)
    opening = Opening(**order["opening"])
    result: Json
    try:
        opened = _opened(opening)
        with opened.lock:
            result = _done(opened, order, opening.campaign)
        if opening.campaign in _ended:
            _forget(opening)
    except RendererUnavailable as lost:
        _forget(opening)
        result = {"unavailable": [lost.problem, lost.next_step]}
    except UsageError as error:
        result = {"usage": [error.problem, error.next_step]}
    except Exception as error:
        result = {"failed": f"{type(error).__name__}: {error}"}
    return json.dumps({**result, "versions": deciding_versions()})


def _done(opened: _Open, order: Json, campaign: str) -> Json:
    events: list[Event] = []
    if "look" in order:
        events = [surveyed(opened.renderer, options_from_json(order["look"]))]
    elif "task" in order:
        if opened.judge is None:
            opened.judge = Judge(opened.renderer, _brief_from_json(order["brief"]))
        enough = time.monotonic() + PATIENCE

        def tell(event: Event) -> None:
            events.append(event)
            if time.monotonic() > enough or _stopping.is_set() or campaign in _ended:
                raise _Enough

        with suppress(_Enough):
            perform(opened.judge, task_from_json(order["task"]), tell)
    identity = identity_to_json(opened.renderer.identity)
    return {"events": [event_to_json(event) for event in events], "identity": identity}


def _opened(opening: Opening) -> _Open:
    key = (opening, threading.get_ident())
    if key not in _open:
        renderer = open_renderer(opening.spec, revision=opening.revision, timeout=opening.timeout)
        _open[key] = _Open(renderer, threading.Lock())
    return _open[key]


def _forget(opening: Opening) -> None:
    """Close this thread's renderer: the next try gets a new one."""
    opened = _open.pop((opening, threading.get_ident()), None)
    if opened is not None:
        opened.renderer.close()


def order_for(opening: Opening, **rest: Any) -> str:
    """An order, as JSON."""
    return json.dumps({"opening": asdict(opening), **rest})


def stop() -> None:
    """Have the task under way end after the example in hand."""
    _stopping.set()


def end(campaign: str) -> None:
    """Close what a campaign has open in this process; a thread that is busy does so itself."""
    _ended.add(campaign)
    for key, opened in list(_open.items()):
        if key[0].campaign == campaign and opened.lock.acquire(blocking=False):
            _open.pop(key, None)
            opened.renderer.close()


def end_all() -> None:
    """Close whatever is open, since the process ends."""
    stop()
    while _open:
        _, opened = _open.popitem()
        opened.lock.acquire(timeout=_LEAVING)
        opened.renderer.close()


atexit.register(end_all)
