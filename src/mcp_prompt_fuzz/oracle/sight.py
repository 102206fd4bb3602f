"""Everything the rules need to see of one case: its rendering, its twin's, and their comparison."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from zlib import crc32

from ..case import Case, Kind, fill, kind_of, materialise, template_text
from ..jsontypes import Json
from ..rendering import Rendering
from ..rules import View
from .atoms import Place, Value, all_text, atoms, joined
from .lens import Lens
from .pieces import Filling, Occurrence
from .template import Template, template_of
from .twin import Hole, Twin, contents, plain_twin
from .volatile import differs_in_words_alone


@dataclass(frozen=True)
class Conditions:
    """How a judgement is to be made.

    `volatile`: renderings differ by themselves, so each twin is rendered twice. `wanted` are the
    only rules to judge (None: all). `thorough` renders every edit that rarely shows anything, and
    not only those that the case's own key picks.
    """

    view: View
    revision: str
    volatile: bool = False
    wanted: frozenset[str] | None = None
    thorough: bool = True

    def wants(self, *rules: str) -> bool:
        return self.wanted is None or not self.wanted.isdisjoint(rules)


def received_arguments(rendering: Rendering, case: Case) -> Mapping[str, str] | None:
    """The arguments with which the server was last asked for the case's prompt, None if unseen."""
    for request in reversed(rendering.requests or ()):
        if (
            request.method == "prompts/get"
            and request.phase == "invoke"
            and request.server == "main"
            and request.params.get("name") == case.prompt["name"]
        ):
            given: Mapping[str, str] = request.params.get("arguments") or {}
            return given
    return None


@dataclass(frozen=True)
class Sight:
    """One case under the lens. `twin` and what follows from it is rendered when first asked for."""

    case: Case
    lens: Lens
    conditions: Conditions

    @cached_property
    def rendering(self) -> Rendering:
        return self.lens.look(self.case)

    @cached_property
    def twin(self) -> Twin:
        return plain_twin(self.case)

    @cached_property
    def twin_rendering(self) -> Rendering:
        return self.lens.look(self.twin.case)

    @cached_property
    def twin_text(self) -> str:
        """All text of the twin's rendering."""
        return all_text(self.twin_rendering.turns)

    @cached_property
    def twin_text_folded(self) -> str:
        """The same in lower case."""
        return self.twin_text.lower()

    @cached_property
    def _twin_again(self) -> Rendering | None:
        return self.lens.look_again(self.twin.case) if self.conditions.volatile else None

    @cached_property
    def template(self) -> Template:
        return self._template(run_together=False)

    @cached_property
    def joined_template(self) -> Template:
        return self._template(run_together=True)

    def _template(self, *, run_together: bool) -> Template:
        rendering, again = self.twin_rendering, self._twin_again
        shape = joined if run_together else (lambda turns: turns)
        return template_of(
            self.twin,
            shape(rendering.turns),
            received_arguments(rendering, self.twin.case),
            None if again is None or not again.sent else shape(again.turns),
        )

    def filling(self, case: Case, rendering: Rendering) -> Filling:
        """What stands for each hole in a variant of the case that has the same skeleton."""
        received = received_arguments(rendering, case)
        return lambda hole: contents(case, hole, received)

    def explains(self, case: Case, rendering: Rendering) -> bool:
        """Whether the twin's rendering, with the content of `case`, is that rendering of it."""
        if not rendering.sent:
            return False
        filling = self.filling(case, rendering)
        return self.template.fits(rendering.turns, filling) or self.joined_template.fits(
            joined(rendering.turns), filling
        )

    @cached_property
    def pick(self) -> int:
        """A number that is the case's own: it picks what is tried where not everything is."""
        return crc32(self.case.key.encode("utf-8", "surrogatepass"))

    def alike(self, variant: Case) -> bool:
        """Whether the variant of the twin reaches the model as the very same thing as the twin."""
        rendering = self.lens.look(variant)
        if not rendering.sent:
            return False
        if not self.template.varies:
            return rendering.turns == self.twin_rendering.turns
        return self.template.equals(
            rendering.turns, self.filling(self.twin.case, self.twin_rendering)
        )

    def same(self, one: Case, other: Case) -> bool:
        """Whether two cases reach the model as the very same thing, ids and times aside."""
        first, second = self.lens.look(one), self.lens.look(other)
        if not first.sent or not second.sent:
            return False
        if first.turns == second.turns:
            return True
        if not self.conditions.volatile:
            return False
        again = self.lens.look_again(one)
        rows = [list(atoms(rendering.turns)) for rendering in (first, again, second)]
        return len({len(row) for row in rows}) == 1 and all(
            _is_same(*row) for row in zip(*rows, strict=True)
        )

    def kind(self, message: int) -> Kind:
        return kind_of(self.case.messages[message]["content"])

    def main_hole(self, message: int) -> Hole | None:
        return self.twin.main_hole(message)

    def arrives(self, message: int) -> bool:
        """Whether the content of that message stands complete in the twin's rendering."""
        return bool(self.whole(message))

    def whole(self, message: int) -> list[Occurrence]:
        """Where the content of that message stands complete in the twin's rendering."""
        return self.template.whole(self.main_hole(message))

    def literal(self, message: int) -> str:
        """The literal text of that part, slots left out; empty for the other kinds."""
        return literal_text(self.case.messages[message]["content"])

    def has_text(self, message: int) -> bool:
        return template_text(self.case.messages[message]["content"]) is not None

    def is_plain_text(self, message: int) -> bool:
        """Whether the part is a text without slots, and not an empty one."""
        content = self.twin.case.messages[message]["content"]
        return (
            content["type"] == "text"
            and content["text"] not in ("", [])
            and isinstance(content["text"], str)
        )

    @cached_property
    def judged(self) -> tuple[int, ...]:
        """The messages that hold something, so that its absence would be a loss."""
        return tuple(
            index for index in range(len(self.case.messages)) if self.main_hole(index) is not None
        )


def _is_same(
    one: tuple[Place, Value], again: tuple[Place, Value], other: tuple[Place, Value]
) -> bool:
    """Whether that atom is the same in another rendering, as far as it is in the same one again."""
    (place, a), (place_again, b), (other_place, c) = one, again, other
    if not place == place_again == other_place:
        return False
    if isinstance(a, str) and isinstance(b, str) and isinstance(c, str):
        return differs_in_words_alone(a, b, c)
    return a == c


def literal_text(content: Json) -> str:
    """The literal text of a part, slots left out; empty for the other kinds."""
    return fill(template_text(content) or "", {})


def audience_of(message: Json) -> list[str] | None:
    """The audience that the part's annotations name, None where they name none."""
    audience: list[str] | None = (message["content"].get("annotations") or {}).get("audience")
    return audience


def may_be_withheld(message: Json) -> bool:
    """Whether the part is for the user alone (annotations are hints: Resources, Annotations)."""
    return audience_of(message) == ["user"]


def with_content(case: Case, message: int, content: Json) -> Case:
    """The case with another content in that message, whose role stays."""
    return case.with_message(message, {**case.messages[message], "content": content})


def settled(case: Case) -> Case:
    """The case with its slots filled, for renderers that are handed nothing but the result."""

    return replace(case, messages=tuple(materialise(case)["messages"]))


@dataclass(frozen=True)
class Suspect:
    """One part of a case under suspicion: its hybrid, the twin with that part real, rendered."""

    sight: Sight
    message: int
    case: Case
    rendering: Rendering

    @property
    def kind(self) -> Kind:
        return self.sight.kind(self.message)

    @property
    def hole(self) -> Hole:
        hole = self.sight.main_hole(self.message)
        assert hole is not None, "only a part that holds something is suspected"
        return hole

    def content(self, hole: Hole) -> tuple[str, ...] | bytes:
        """What was sent for the hole: bytes, or the texts that count as right."""
        return self.sight.filling(self.case, self.rendering)(hole) or ()

    def caught(self, hole: Hole) -> str | bytes | None:
        """What stands in the hole, None where the rest of the rendering isn't the twin's."""
        filling = self.sight.filling(self.case, self.rendering)
        caught = self.sight.template.capture(self.rendering.turns, filling, hole)
        if caught is None:
            turns = joined(self.rendering.turns)
            caught = self.sight.joined_template.capture(turns, filling, hole)
        return caught
