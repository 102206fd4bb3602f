"""Faulty fakes of a live session: arguments on their way to the server, and its errors."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from mcp_prompt_fuzz.case import Case
from mcp_prompt_fuzz.finding import Level
from mcp_prompt_fuzz.jsontypes import Json
from mcp_prompt_fuzz.rendering import Rendering
from mcp_prompt_fuzz.serving import RpcError

from . import shapes_dialects as dialects
from . import shapes_messages as messages
from . import shapes_strings as strings
from .blocks import Reply, Shape, blocks_of
from .faulty import FaultyFake, asking, case, said
from .renderers import Refused, decoded
from .users import User, declared_names
from .wire import Wire

Binding = Callable[[Case], Json]


class _Binds(User):
    def __init__(self, shape: Shape, binding: Binding) -> None:
        super().__init__(shape)
        self._binding = binding

    def bind(self, wire: Wire, case: Case) -> Json:
        return self._binding(case)


def _with_values(change: Callable[[str], str]) -> Binding:
    return lambda case: {name: change(value) for name, value in case.arguments.items()}


def _by_position(case: Case) -> Json:
    names = declared_names(case) or list(case.arguments)
    return dict(zip(names, case.arguments.values(), strict=False))


def _first_two_swapped(case: Case) -> Json:
    names, values = list(case.arguments), list(case.arguments.values())
    values[:2] = reversed(values[:2])
    return dict(zip(names, values, strict=True))


def _only_if_all_are_given(case: Case) -> Json:
    if set(declared_names(case)) - set(case.arguments):
        raise Refused("all fields must be filled in")
    return dict(case.arguments)


def _empty_left_out(case: Case) -> Json:
    return {name: value for name, value in case.arguments.items() if value}


def _all_filled_in(case: Case) -> Json:
    return {**dict.fromkeys(declared_names(case), ""), **case.arguments}


def _verbatim(
    binding: Binding, level: Level, shape: Shape, value: str, *aspects: str | None
) -> FaultyFake:
    smallest = asking("a", given={"a": value})
    fake = _Binds(shape, binding)
    return FaultyFake(fake, "arguments.verbatim", smallest, aspects, level=level)


VALUES: Final[dict[str, FaultyFake]] = {
    "sends_placeholders": FaultyFake(
        _Binds(
            messages.one_part_a_message,
            lambda case: {name: f"<{name}>" for name in case.arguments},
        ),
        "arguments.verbatim",
        asking("a", given={"a": "x"}),
        level="lost",
        also=frozenset({"arguments.omitted"}),  # an empty value does not stay empty
    ),
    "sends_the_first_word": _verbatim(
        _with_values(lambda v: v.partition(" ")[0] or v), "altered", strings.tagged_roles, "x y"
    ),
    "strips_quotes": _verbatim(
        _with_values(lambda v: v.strip("\"'")), "altered", dialects.openai_chat, "'a'"
    ),
    "expands_variables_in_values": _verbatim(
        _with_values(lambda v: v.replace("$1", "x")), "altered", messages.merged_neighbours, "$1"
    ),
    "joins_lines_of_values": _verbatim(
        _with_values(lambda v: v.replace("\n", " ")),
        "altered",
        messages.merged_neighbours,
        "a\nb",
        "newline",
    ),
    "takes_what_follows_an_equals_sign": _verbatim(
        _with_values(lambda v: re.sub("^[a-z-]+=", "", v)), "altered", strings.tagged_roles, "a=b"
    ),
}
"""Each changes values."""


class _SkipsNoName(User):
    """Its user gives values in order, so that none can be left out before another."""

    def invoke(self, wire: Wire, case: Case) -> Rendering:
        names = [name for name in declared_names(case) if name in case.arguments]
        if names != declared_names(case)[: len(names)]:
            return decoded({"unsupported": "an earlier argument must be given first"})
        return super().invoke(wire, case)


class _NamesWhatIsDeclared(User):
    """Begins with a line that names the arguments, in the order of their declaration."""

    def rendered(self, case: Case, result: Json) -> Reply:
        reply = self.shape(blocks_of(result))
        assert isinstance(reply, str)
        return f"Arguments: {', '.join(declared_names(case))}\n{reply}"


class _TakesTheFirstForTheSubject(User):
    """A system message has the value of the first declared argument as the subject."""

    def rendered(self, case: Case, result: Json) -> Reply:
        reply = self.shape(blocks_of(result))
        assert isinstance(reply, dict)
        subject = "".join(case.arguments.get(name, "") for name in declared_names(case)[:1])
        first = {"role": "system", "content": f"Subject: {subject or 'none'}"}
        return {"messages": [first, *reply["messages"]]}


NAMES: Final[dict[str, FaultyFake]] = {
    "binds_by_position": FaultyFake(
        _Binds(messages.one_part_a_message, _by_position),
        "arguments.named",
        asking("a", "b", given={"b": "x"}),
        also=frozenset({"arguments.omitted"}),
    ),
    "swaps_two_arguments": FaultyFake(
        _Binds(strings.tagged_roles, _first_two_swapped),
        "arguments.named",
        asking("a", "b", given={"a": "x", "b": "y"}),
    ),
    "leaves_empty_values_out": FaultyFake(
        _Binds(dialects.openai_chat, _empty_left_out),
        "arguments.omitted",
        asking("a", given={"a": ""}),
        ("empty",),
    ),
    "sends_empty_values_for_what_is_left_out": FaultyFake(
        _Binds(messages.merged_neighbours, _all_filled_in),
        "arguments.omitted",
        asking("a"),
        ("undue",),
    ),
    "wants_every_argument": FaultyFake(
        _Binds(messages.merged_neighbours, _only_if_all_are_given),
        "arguments.subsets",
        asking("a"),
    ),
    "skips_no_argument": FaultyFake(
        _SkipsNoName(strings.questions_and_answers),
        "arguments.subsets",
        asking("a", "b", given={"b": "x"}),
    ),
    "names_what_is_declared": FaultyFake(
        _NamesWhatIsDeclared(strings.tagged_roles), "arguments.order", asking("a", "b")
    ),
    "takes_the_first_for_the_subject": FaultyFake(
        _TakesTheFirstForTheSubject(messages.one_part_a_message),
        "arguments.order",
        asking("a", "b", given={"a": "x"}),
    ),
}
"""Each mixes up which arguments are given."""


class _ShowsNothing(User):
    def failed(self, error: RpcError) -> Rendering:
        return Rendering()


class _TellsTheModel(User):
    def failed(self, error: RpcError) -> Rendering:
        return decoded(self.shape(blocks_of({"messages": [said(f"Error: {error.message}")]})))


_FAILING: Final = case(error={"on": "prompts/get", "code": 0, "message": "e"})

ERRORS: Final[dict[str, FaultyFake]] = {
    "shows_an_empty_prompt_for_an_error": FaultyFake(
        _ShowsNothing(messages.one_part_a_message), "errors", _FAILING, ("silent",)
    ),
    "tells_the_model_of_an_error": FaultyFake(
        _TellsTheModel(strings.tagged_roles), "errors", _FAILING, ("sent",)
    ),
}
"""Each hides an error of the server."""

FAULTS: Final = {**VALUES, **NAMES, **ERRORS}
