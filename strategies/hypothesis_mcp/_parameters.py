"""What strategies are asked for, checked when they are made, and shown when they are printed."""

from collections.abc import Callable, Iterable
from inspect import signature
from typing import TypeVar

from hypothesis import strategies as st
from hypothesis.errors import InvalidArgument

from hypothesis_mcp._draws import Draw
from hypothesis_mcp.revisions import KINDS, REVISIONS, kinds_of

__all__ = ["kinds_asked", "number", "one_of", "revision_asked", "shown_as", "switch"]

T = TypeVar("T")


def one_of(name: str, value: object, allowed: Iterable[str]) -> str:
    """``value``, where it is one of ``allowed``."""
    if not isinstance(value, str) or value not in (allowed := tuple(allowed)):
        raise InvalidArgument(f"{name}={value!r} is not one of {', '.join(map(repr, allowed))}")
    return value


def revision_asked(revision: str) -> str:
    """``revision``, where it is one that is known."""
    return one_of("revision", revision, REVISIONS)


def kinds_asked(revision: str, kinds: Iterable[str] | None) -> tuple[str, ...]:
    """The kinds of content to draw, in the order of the table."""
    allowed = kinds_of(revision_asked(revision))
    if kinds is None:
        return allowed
    if isinstance(kinds, str):
        raise InvalidArgument(f"kinds={kinds!r} is one string: give a list, [{kinds!r}]")
    if not isinstance(kinds, Iterable):
        raise InvalidArgument(f"kinds={kinds!r} is not a collection of kinds")
    asked = {one_of("a kind in kinds", kind, KINDS) for kind in kinds}
    if not asked:
        raise InvalidArgument("kinds is empty: at least one kind of content is needed")
    if missing := sorted(asked - set(allowed)):
        raise InvalidArgument(f"revision {revision} has no content of kind {', '.join(missing)}")
    return tuple(kind for kind in allowed if kind in asked)


def number(name: str, value: int, least: int) -> int:
    """``value``, where it is an integer that isn't less than ``least``."""
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise InvalidArgument(f"{name}={value!r} is not an integer of at least {least}")
    return value


def switch(name: str, value: bool) -> bool:
    """``value``, where it is ``True`` or ``False``."""
    if not isinstance(value, bool):
        raise InvalidArgument(f"{name}={value!r} is neither True nor False")
    return value


def shown_as(
    function: Callable[..., object], **parameters: object
) -> Callable[[Callable[[Draw], T]], st.SearchStrategy[T]]:
    """A strategy out of what draws for it, printed as the call of ``function`` that made it.

    Parameters that have their default are left out, as one would leave them out.
    """
    usual = signature(function).parameters
    told = {key: value for key, value in parameters.items() if value != usual[key].default}

    def strategy(definition: Callable[[Draw], T]) -> st.SearchStrategy[T]:
        def drawn(draw: st.DrawFn, /, **_: object) -> T:
            return definition(Draw(draw))

        drawn.__name__ = function.__name__
        return st.composite(drawn)(**told)

    return strategy
