"""`check`: greet a renderer, send two control cases, and explain in words what comes back."""

from __future__ import annotations

import argparse
import base64
import shlex
from collections.abc import Iterator
from contextlib import closing
from typing import Final

from ..case import NEWEST_REVISION, Case
from ..finding import observed_to_json
from ..renderer import Identity
from ..renderers import open_renderer
from ..rendering import Breakage, Rendering
from ..reports.escape import one_line
from ..reports.words import observed_words
from ..rules import RULES, observable
from . import options
from .interrupts import interruptible
from .outcome import BAD_INPUT, NOT_RUN, OK
from .terminal import Terminal, listed

DESCRIPTION: Final = """\
Greets a renderer, gives it one plain text and then a text with an image, and says in words what
came back and what is wrong with it. The first thing to run on a new driver."""

EXAMPLES: Final = """\
  mcp-prompt-fuzz check 'driver:python3 prompt_driver.py'
  mcp-prompt-fuzz check python:my_client.prompts:to_messages"""

_TEXT: Final = "The quick brown fox."
_PNG: Final = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGD4DwABBAEAX+XDSwAAAABJRU5E"
    "rkJggg=="
)
_ADVICE: Final[dict[str, str]] = {
    "exit": "the program ended: run it by hand, type a request, and look at its standard error",
    "hang": "no answer came in time: does it flush its output after each line? (--timeout S)",
    "garbage": "every line on standard output must be one JSON object; print the rest to standard "
    "error",
    "flood": "it printed more than the size limit allows",
    "protocol": "the answer does not fit the line protocol",
    "exception": "it raised where a rendering or an error was expected",
}


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    options.add_renderer(parser)
    options.add_reaching(parser)


def run(args: argparse.Namespace, terminal: Terminal) -> int:
    """Do it; returns the exit status."""
    revision = args.revision or NEWEST_REVISION
    with interruptible(), terminal.progress() as progress:
        opened = open_renderer(
            args.renderer, revision=revision, timeout=args.timeout, progress=progress.message
        )
        with closing(opened) as renderer:
            renderings = [(case, renderer.render(case)) for case in control_cases(revision)]
            identity = renderer.identity
    for line in _greeting(identity):
        terminal.say(line)
    for case, rendering in renderings:
        terminal.say(f"\n{case.title}:")
        for line in explained(case, rendering):
            terminal.say(f"  {line}")
    command = shlex.join(["mcp-prompt-fuzz", "fuzz", args.renderer])
    return _status(terminal, command, *(rendering for _, rendering in renderings))


def control_cases(revision: str) -> tuple[Case, Case]:
    """The two prompts that any renderer should be able to take."""
    text = {"role": "user", "content": {"type": "text", "text": _TEXT}}
    image = {"role": "user", "content": {"type": "image", "data": _PNG, "mimeType": "image/png"}}
    return (
        Case("Control 1, a plain text", revision, {"name": "control"}, (text,)),
        Case("Control 2, a text and an image", revision, {"name": "control"}, (text, image)),
    )


def _greeting(identity: Identity) -> Iterator[str]:
    yield f"{identity.name} {identity.version} answers ({identity.lane} lane)"
    if identity.isolation is not None:
        yield f"isolation: {identity.isolation}"
    if identity.revisions is not None:
        yield f"negotiates {listed(identity.revisions)}"
    shown = [rule for rule in RULES if observable(rule, identity.view, identity.rules)]
    yield f"can show {len(shown)} of {len(RULES)} rules: {listed(shown)}"


def explained(case: Case, rendering: Rendering) -> Iterator[str]:
    """What became of a control case, in words."""
    if rendering.broke is not None:
        yield from _broken(rendering.broke)
        return
    if rendering.unsupported is not None:
        yield f"it says that it can't express this: {one_line(rendering.unsupported, 300)}"
        return
    if rendering.error is not None:
        yield f"its user is shown an error: {one_line(rendering.error, 300)}"
        yield "nothing is sent to the model; a control case should render"
        return
    yield from _arrived(case, rendering)
    yield "what the model is sent:"
    yield from (f"  {line}" for line in observed_words(observed_to_json(rendering)))


def _broken(broke: Breakage) -> Iterator[str]:
    yield f"it broke ({broke.kind}): {one_line(broke.detail, 300)}"
    yield _ADVICE[broke.kind]


def _arrived(case: Case, rendering: Rendering) -> Iterator[str]:
    where = _role_of_text(rendering)
    if where is None:
        yield "the text does not reach the model"
    elif where:
        yield f"the text reaches the model, under the role {one_line(where)}"
    else:
        yield "the text reaches the model; no role is stated"
    if len(case.messages) > 1:
        if _image_arrived(rendering):
            yield "the image reaches the model"
        else:
            yield "the image does not reach the model: 'fuzz' will report that as a loss"


def _role_of_text(rendering: Rendering) -> str | None:
    for turn in rendering.turns:
        if any(_TEXT in part.text for part in turn.parts):
            return turn.role or ""
    return None


def _image_arrived(rendering: Rendering) -> bool:
    data = base64.b64decode(_PNG)
    parts = [part for turn in rendering.turns for part in turn.parts]
    return any(part.data == data or _PNG in part.text for part in parts)


def _status(terminal: Terminal, command: str, plain: Rendering, image: Rendering) -> int:
    terminal.say()
    if plain.broke is not None:
        terminal.say("not ready: mend that first, then check again")
        return NOT_RUN
    if not plain.sent or _role_of_text(plain) is None:
        terminal.say("not ready: a plain text should reach the model")
        return BAD_INPUT
    if image.broke is not None:
        terminal.say("ready, but an image breaks it: 'fuzz' will report that under robust")
        terminal.say(f"  {command}")
        return OK
    terminal.say(f"ready:  {command}")
    return OK
