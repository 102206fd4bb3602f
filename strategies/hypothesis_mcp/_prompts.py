"""Prompt definitions, their arguments, and what a user gives for them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final, Literal

from hypothesis_mcp._draws import Draw, Menu, choices, pick
from hypothesis_mcp.extras import fresh, icon_sets, metas
from hypothesis_mcp.names import ARGUMENT_NAMES, PLAIN_ARGUMENTS, PLAIN_PROMPTS, PROMPT_NAMES
from hypothesis_mcp.revisions import supports
from hypothesis_mcp.values import VALUES

__all__ = [
    "DESCRIPTIONS",
    "FORMS",
    "Asked",
    "Names",
    "draw_argument",
    "draw_arguments",
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
FORMS: Final = tuple(form for form in _FORMS if form != "many")
"""The heads of an argument that stands alone."""

_NEXT: Final[Menu] = (
    *("omitted", "given", "omitted", "given"),
    *("optional_omitted", "optional_given", "required_omitted", "required_given"),
    "many",
)


@dataclass
class Asked:
    """Declared arguments in order, and what the user gives, in the order of giving."""

    declared: list[Json] = field(default_factory=list)
    given: dict[str, str] = field(default_factory=dict)

    @property
    def names(self) -> list[str]:
        """The declared names."""
        return [argument["name"] for argument in self.declared]


@lru_cache(maxsize=16)
def _changes(revision: str, names: Names) -> Menu:
    changes: Menu = ("value",) * 8
    if names == "odd":
        changes += ("name",) * 8
    changes += ("description",)
    if supports(revision, "title"):
        changes += ("title",)
    return changes


def _unused(taken: list[str]) -> str:
    return next(name for name in PLAIN_ARGUMENTS if name not in taken)


def draw_argument(
    draw: Draw, revision: str, names: Names, form: str, taken: list[str]
) -> tuple[Json, str | None]:
    """One argument's definition and the value given for it, ``None`` where it isn't given.

    ``taken`` are the names that are in use: values travel as a map, so two equal names could not
    both be given.
    """
    required, given = _FORMS[form]
    argument: Json = {"name": _unused(taken)}
    if required is not None:
        argument["required"] = required
    value = _VALUES[0] if given else None
    for change in choices(draw, _changes(revision, names), _MAX_CHANGES):
        if change == "value":
            value = pick(draw, _VALUES)
        elif change == "name":
            name = pick(draw, _ODD_ARGUMENTS)
            if name not in taken:
                argument["name"] = name
        else:
            argument[change] = pick(draw, DESCRIPTIONS)
    return argument, value


def draw_arguments(draw: Draw, revision: str, names: Names, max_arguments: int) -> Asked:
    """The arguments of a prompt with what is given for them."""
    asked = Asked()
    for form in choices(draw, _NEXT, max_arguments):
        if len(asked.declared) == max_arguments:
            continue
        argument, value = draw_argument(draw, revision, names, form, asked.names)
        asked.declared.append(argument)
        if value is not None:
            asked.given[argument["name"]] = value
        if form == "many":
            # As many as a form has fields: clients with a fixed layout run out of room.
            for _ in range(min(_MANY, max_arguments) - len(asked.declared)):
                asked.declared.append({"name": _unused(asked.names)})
    return asked


@lru_cache(maxsize=32)
def _prompt_extras(revision: str, names: Names) -> Menu:
    extras: Menu = ("description", "no_arguments", "other_name")
    if names == "odd":
        extras += ("odd_name", "odd_name", "odd_name")
    if supports(revision, "title"):
        extras += ("title", "_meta")
    if supports(revision, "icons"):
        extras += ("icons",)
    return extras


def draw_prompt(draw: Draw, revision: str, names: Names, declared: list[Json]) -> Json:
    """A prompt definition with the arguments ``declared``."""
    prompt: Json = {"name": PLAIN_PROMPTS[0]}
    if declared:
        prompt["arguments"] = declared
    for extra in choices(draw, _prompt_extras(revision, names), _MAX_CHANGES):
        if extra == "no_arguments":
            prompt.setdefault("arguments", [])
        elif extra == "other_name":
            prompt["name"] = pick(draw, PLAIN_PROMPTS)
        elif extra == "odd_name":
            prompt["name"] = pick(draw, _ODD_PROMPTS)
        elif extra == "_meta":
            prompt["_meta"] = fresh(pick(draw, metas()))
        elif extra == "icons":
            prompt["icons"] = fresh(pick(draw, icon_sets()))
        else:
            prompt[extra] = pick(draw, DESCRIPTIONS)
    return prompt
