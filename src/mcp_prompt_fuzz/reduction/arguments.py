"""Fewer and plainer arguments, given and declared."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..case import Case, fill_message, slots, template_text, with_text
from ..jsontypes import Json, without
from .plain import BARE, WITH_ARGUMENTS
from .texts import shorter


def plainest_arguments(case: Case) -> Iterator[Case]:
    """Plain definitions of one to three arguments, some given, with nothing said."""
    if not case.prompt.get("arguments"):
        return
    values = ["a", *dict.fromkeys(case.arguments.values())]
    for prompt in WITH_ARGUMENTS:
        names = [argument["name"] for argument in prompt["arguments"]]
        for given in (names, names[-1:], names[:1], []):
            for value in values[:4] if given else ("a",):
                yield replace(
                    case,
                    prompt=prompt,
                    arguments=dict.fromkeys(given, value),
                    messages=(),
                    pages=({"prompts": ["@"]},),
                )


def fewer_given(case: Case) -> Iterator[Case]:
    """The same definition, one argument given alone, then all but one."""
    if len(case.arguments) > 1:
        for name, value in case.arguments.items():
            yield replace(case, arguments={name: value})
    for name in reversed(case.arguments):
        yield replace(case, arguments=without(case.arguments, name))


def plainer_values(case: Case) -> Iterator[Case]:
    """Shorter and plainer values of the arguments."""
    for name, value in case.arguments.items():
        for text in shorter(value):
            yield replace(case, arguments={**case.arguments, name: text})


def fewer_arguments(case: Case) -> Iterator[Case]:
    """Without an argument, not given, not declared; then each plainer."""
    declared: list[Json] = list(case.prompt.get("arguments", ()))
    if declared or case.arguments:
        filled = tuple(fill_message(message, case.arguments) for message in case.messages)
        plain = _declaring(case.prompt, [])
        yield replace(case, prompt=plain, arguments={}, messages=filled)
        yield replace(case, prompt=plain, arguments={})
    given = [a for a in declared if a["name"] in case.arguments or a.get("required")]
    if len(given) < len(declared):
        yield replace(case, prompt=_declaring(case.prompt, given))
    for argument in reversed(declared):
        name = argument["name"]
        prompt = _declaring(case.prompt, [a for a in declared if a is not argument])
        messages = tuple(without_slots(m, name) for m in case.messages)
        rest = without(case.arguments, name)
        yield replace(case, prompt=prompt, arguments=rest, messages=messages)
        yield replace(case, prompt=prompt, arguments=rest)
    for index, argument in enumerate(declared):
        for member in ("title", "description", "required"):
            if member in argument:
                plainer = [*declared[:index], without(argument, member), *declared[index + 1 :]]
                yield replace(case, prompt={**case.prompt, "arguments": plainer})
    yield from _renamed_arguments(case, declared)


def _declaring(prompt: Json, declared: list[Json]) -> Json:
    """The prompt with those arguments; the plainest one where it was a plain one and has none."""
    if declared:
        return {**prompt, "arguments": declared}
    return BARE if prompt in WITH_ARGUMENTS else without(prompt, "arguments")


def without_slots(message: Json, name: str | None = None) -> Json:
    """The message without slots (for the argument of that name, or for any)."""
    text = template_text(message["content"])
    if text is None or isinstance(text, str):
        return message
    pieces = [p for p in text if isinstance(p, str) or (name is not None and p["argument"] != name)]
    literal = all(isinstance(piece, str) for piece in pieces)
    return {
        **message,
        "content": with_text(message["content"], "".join(pieces) if literal else pieces),
    }


def _renamed_arguments(case: Case, declared: list[Json]) -> Iterator[Case]:
    names = [argument["name"] for argument in declared]
    plain = dict(zip(names, "abcdefghij", strict=False))
    if len(set(names)) != len(names) or all(name == new for name, new in plain.items()):
        return
    messages = [_with_renamed_slots(message, plain) for message in case.messages]
    yield replace(
        case,
        prompt={**case.prompt, "arguments": [{**a, "name": plain[a["name"]]} for a in declared]},
        arguments={plain.get(name, name): value for name, value in case.arguments.items()},
        messages=tuple(messages),
    )


def _with_renamed_slots(message: Json, names: dict[str, str]) -> Json:
    text = template_text(message["content"])
    if text is None or not any(slots(text)):
        return message
    pieces = [
        p if isinstance(p, str) else {"argument": names.get(p["argument"], p["argument"])}
        for p in text
    ]
    return {**message, "content": with_text(message["content"], pieces)}
