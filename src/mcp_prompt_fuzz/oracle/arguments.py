"""`arguments.*`: what the server received, against what the user meant."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from ..case import Case, declared_arguments, required_names
from ..finding import Fault
from .alteration import aspect_of
from .found import Found, Judgement
from .sight import Sight, received_arguments


def lacks_required(case: Case) -> bool:
    """Whether the user left out an argument that the prompt requires."""
    return bool(required_names(case.prompt) - set(case.arguments))


def check(sight: Sight) -> Iterator[Found]:
    """Values under another name, changed, or never received; names that were not given."""
    twin = sight.twin.case
    received = received_arguments(sight.twin_rendering, twin)
    if received is None:
        return
    misbound: set[str] = set()
    undue = set(received) - set(twin.arguments)
    for name, value in twin.arguments.items():
        if received.get(name) == value:
            continue
        misbound.add(name)
        elsewhere = _bound_to(value, received, twin.arguments)
        if elsewhere is not None:
            undue.discard(elsewhere)
            note = f"the value given for {name!r} is received as {elsewhere!r}"
            yield Found(Fault("arguments.named"), note)
        elif value:
            yield _not_received(name, value, received)
        elif name in _declared(twin):
            got = repr(received[name]) if name in received else "none of that name"
            note = f"the argument {name!r} is empty, and the server receives {got}"
            yield Found(Fault("arguments.omitted", aspect="empty"), note)
    for name in sorted(undue):
        note = f"the argument {name!r} was left out, and the server receives a value for it"
        yield Found(Fault("arguments.omitted", aspect="undue"), note)
    yield from _values(sight, misbound)


def _bound_to(value: str, received: Mapping[str, str], given: Mapping[str, str]) -> str | None:
    """The name under which a value was received, if it is another than that it was given for."""
    for other, got in received.items():
        if got == value and given.get(other) != value:
            return other
    return None


def _declared(case: Case) -> set[str]:
    return {argument["name"] for argument in declared_arguments(case.prompt)}


def _not_received(name: str, value: str, received: Mapping[str, str]) -> Found:
    if any(value in got for got in received.values()):
        note = f"the value given for {name!r} is received changed"
        return Found(Fault("arguments.verbatim", None, "altered", "other"), note)
    got_instead = received.get(name)
    told = "nothing" if got_instead is None else repr(got_instead)
    note = f"the value given for {name!r} is never received; the server gets {told}"
    return Found(Fault("arguments.verbatim", None, "lost"), note)


def _values(sight: Sight, misbound: set[str]) -> Iterator[Found]:
    """The real values, for names that are bound well in the twin."""
    received = received_arguments(sight.rendering, sight.case)
    if received is None:
        return
    for name, value in sight.case.arguments.items():
        got = received.get(name)
        if not value or name in misbound or got == value:
            continue
        if got is None or (not got and value.strip()):
            fault = Fault("arguments.verbatim", None, "lost")
            note = f"the value given for {name!r} is never received"
        else:
            fault = Fault("arguments.verbatim", None, "altered", aspect_of(value, got))
            note = f"the value given for {name!r} is received changed"
        yield Found(fault, note, sent=value, seen=got or "")


def fuller(case: Case) -> Case:
    """The case with a value for every declared argument."""
    return replace(case, arguments={**dict.fromkeys(_declared(case), "x"), **case.arguments})


def can_be_had(sight: Sight) -> bool:
    """Whether the prompt is rendered, at least once every declared argument is given.

    Where it isn't, its being refused says nothing about the arguments that were left out.
    """
    return sight.rendering.sent or sight.lens.look(fuller(sight.case)).sent


def check_required(sight: Sight) -> Iterator[Found]:
    """A required argument is missing, and yet a request to the model goes out."""
    rendering = sight.rendering
    if lacks_required(sight.case) and rendering.sent and rendering.turns:
        note = "a required argument is missing, and the model is asked as if all were well"
        yield Found(Fault("arguments.required"), note)


def check_order(sight: Sight, judgement: Judgement) -> Iterator[Found]:
    """The twin with its arguments declared the other way round."""
    declared = declared_arguments(sight.case.prompt)
    if len(declared) < 2 or judgement.broken("arguments.named", "arguments.verbatim"):
        return
    twin = sight.twin.case
    turned = _turned(twin)
    rendering = sight.lens.look(turned)
    if not rendering.sent or not sight.twin_rendering.sent:
        return
    if any(check(Sight(turned, sight.lens, sight.conditions))):
        return  # declared so, a value is bound wrongly: that fault has a rule of its own
    received = received_arguments(rendering, turned)
    before = received_arguments(sight.twin_rendering, twin)
    if received != before or not sight.alike(turned):
        note = "the order in which arguments are declared changes what is received or rendered"
        yield Found(Fault("arguments.order"), note, pair=_turned(sight.case))


def _turned(case: Case) -> Case:
    declared = declared_arguments(case.prompt)
    return replace(case, prompt={**case.prompt, "arguments": list(reversed(declared))})


def check_subsets(sight: Sight) -> Iterator[Found]:
    """An invocation that fails, though it succeeds with every argument: see `can_be_had`."""
    if not sight.rendering.sent:
        note = "the prompt is refused because some optional arguments are left out"
        yield Found(Fault("arguments.subsets"), note)
