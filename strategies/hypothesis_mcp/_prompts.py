"""Prompt definitions, their arguments, and what a user gives for them."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, count
from types import MappingProxyType
from typing import Any, Final, Literal

from hypothesis_mcp._draws import Draw, Menu, choices, pick
from hypothesis_mcp.extras import fresh, icon_sets, metas
from hypothesis_mcp.names import ARGUMENT_NAMES, PLAIN_ARGUMENTS, PLAIN_PROMPTS, PROMPT_NAMES
from hypothesis_mcp.revisions import supports
from hypothesis_mcp.values import VALUES

__all__ = [
    "DESCRIPTIONS",
    "Asked",
    "Names",
    "draw_argument",
    "draw_prompt",
]

Json = dict[str, Any]
Names = Literal["plain", "odd"]

DESCRIPTIONS: Final = ("A", "", "What it is for.", "a\n\nb", "<b>a</b>", "\u540d\u524d", "d" * 300)
"""Descriptions and titles. They stand in listings, so nothing in them may be live either."""

_VALUES: Final = tuple(VALUES.values())
_ODD_PROMPTS: Final = tuple(PROMPT_NAMES.values())
_ODD_ARGUMENTS: Final = tuple(ARGUMENT_NAMES.values())
_MANY: Final = 12
_MAX_CHANGES: Final = 3
_MAX_ITEMS: Final = 40  # a definition has five or so; this only bounds the loop

# Heads of an argument: what ``required`` says (absent and false mean the same and are often
# confused; a missing required argument has to be asked for), and whether a value is given. Ordered
# so that the fewest members stand before the more.
_FORMS: Final[Mapping[str, tuple[bool | None, bool]]] = MappingProxyType(
    {
        "omitted": (None, False),
        "given": (None, True),
        "required_omitted": (True, False),
        "required_given": (True, True),
        "optional_omitted": (False, False),
        "optional_given": (False, True),
        "many": (None, False),
    }
)
_ALONE: Final = tuple(form for form in _FORMS if form != "many")
"""The heads of an argument that stands alone."""

_ARGUMENTS: Final[Menu] = (
    *("omitted", "given") * 4,
    *("optional_omitted", "optional_given") * 2,
    *("required_omitted", "required_given") * 2,
    "many",
)


@dataclass
class Asked:
    """A prompt's definition, and what the user gives for its arguments, in the order of giving."""

    prompt: Json
    given: dict[str, str]

    @property
    def names(self) -> list[str]:
        """The declared names."""
        return [argument["name"] for argument in self.prompt.get("arguments", ())]


@lru_cache(maxsize=32)
def _extras(revision: str, names: Names) -> Menu:
    extras: Menu = ("description", "no_arguments", "other_name")
    if names == "odd":
        extras += ("odd_name", "odd_name")
    if supports(revision, "title"):
        extras += ("title", "_meta")
    if supports(revision, "icons"):
        extras += ("icons",)
    return extras


@lru_cache(maxsize=32)
def _changes(revision: str, names: Names) -> Menu:
    # Named after the argument, since the prompt's extras stand in the same menu.
    changes: Menu = ("argument.value",) * 14
    if names == "odd":
        changes += ("argument.name",) * 15
    changes += ("argument.description",)
    if supports(revision, "title"):
        changes += ("argument.title",)
    return changes


def _unused(taken: list[str]) -> str:
    numbered = (f"argument{number}" for number in count(1))
    return next(name for name in chain(PLAIN_ARGUMENTS, numbered) if name not in taken)


def _change_argument(
    draw: Draw, change: str, argument: Json, value: str | None, taken: list[str]
) -> str | None:
    """Draw what ``change`` asks for; the value given for the argument from then on."""
    if change == "argument.value":
        return pick(draw, _VALUES)
    if change == "argument.name":
        name = pick(draw, _ODD_ARGUMENTS)
        if name not in taken:
            argument["name"] = name
    else:
        argument[change.removeprefix("argument.")] = pick(draw, DESCRIPTIONS)
    return value


def _change_prompt(draw: Draw, change: str, prompt: Json) -> None:
    if change == "no_arguments":
        prompt.setdefault("arguments", [])
    elif change == "other_name":
        prompt["name"] = pick(draw, PLAIN_PROMPTS)
    elif change == "odd_name":
        prompt["name"] = pick(draw, _ODD_PROMPTS)
    elif change == "_meta":
        prompt["_meta"] = fresh(pick(draw, metas()))
    elif change == "icons":
        prompt["icons"] = fresh(pick(draw, icon_sets()))
    else:
        prompt[change] = pick(draw, DESCRIPTIONS)


def _argument(form: str, taken: list[str]) -> tuple[Json, str | None]:
    required, given = _FORMS[form]
    argument: Json = {"name": _unused(taken)}
    if required is not None:
        argument["required"] = required
    return argument, _VALUES[0] if given else None


def draw_argument(draw: Draw, revision: str, names: Names) -> Json:
    """The definition of one argument."""
    argument, value = _argument(pick(draw, _ALONE), [])
    for change in choices(draw, _changes(revision, names), _MAX_CHANGES):
        value = _change_argument(draw, change, argument, value, [])
    return argument


def draw_prompt(draw: Draw, revision: str, names: Names, max_arguments: int) -> Asked:
    """The definition of a prompt, and what is given for its arguments.

    One loop draws arguments, changes of the last one, and what else a definition has.
    """
    prompt: Json = {"name": PLAIN_PROMPTS[0]}
    declared: list[Json] = []
    values: list[str | None] = []
    plain = (*_ARGUMENTS, *_extras(revision, names))
    changing = plain + _changes(revision, names)
    for item in choices(draw, lambda: changing if declared else plain, _MAX_ITEMS):
        taken = [argument["name"] for argument in declared]
        if item.startswith("argument."):
            values[-1] = _change_argument(draw, item, declared[-1], values[-1], taken)
        elif item not in _FORMS:
            _change_prompt(draw, item, prompt)
        elif len(declared) < max_arguments:
            argument, value = _argument(item, taken)
            declared.append(argument)
            values.append(value)
            if item == "many":
                # As many as a form has fields: clients with a fixed layout run out of room.
                for _ in range(min(_MANY, max_arguments) - len(declared)):
                    declared.append({"name": _unused([a["name"] for a in declared])})
                    values.append(None)
    if declared:
        prompt["arguments"] = declared
    given = {
        argument["name"]: value
        for argument, value in zip(declared, values, strict=True)
        if value is not None
    }
    return Asked(prompt, given)
