"""`isolated`: one invocation leaves nothing behind in the next."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..case import Case
from ..finding import Fault
from ..transcript import Transcript
from .atoms import all_text
from .found import Found
from .lens import Lens
from .presence import bytes_stand, tokens_in
from .sight import Conditions, Sight
from .twin import Twin, contents, plain_twin

_NOTE = "content of an earlier invocation stands in the rendering of a later one"


def left_behind(lens: Lens, twin: Twin, earlier: Case) -> Found | None:
    """The fault of a renderer that, after `earlier`, puts something of it into the twin."""
    before = plain_twin(earlier)
    after = replace(twin.case, before=(before.case,))
    rendering = lens.look_again(after)
    leaked = tokens_in(all_text(rendering.turns)) & set(before.by_anchor)
    own = {hole.anchor for hole in twin.holes}
    if not leaked - own and not _medium_stands(before, rendering.turns):
        return None
    return Found(Fault("isolated"), _NOTE, case=after, rendering=rendering)


def _medium_stands(before: Twin, turns: Transcript) -> bool:
    return any(
        bytes_stand(data, turns)
        for hole in before.holes
        if isinstance(data := contents(before.case, hole, None), bytes)
    )


def check(sight: Sight) -> Iterator[Found]:
    """Tokens of another twin, or of this one in the case's own rendering."""
    for earlier in sight.case.before:
        alone = replace(sight.twin.case, before=())
        found = left_behind(sight.lens, replace(sight.twin, case=alone), earlier)
        if found is not None:
            yield found
            return
    foreign = tokens_in(all_text(sight.rendering.turns)) | sight.template.foreign
    own = {a for m in sight.case.messages for a in tokens_in(str(m))}
    if foreign - own:
        for earlier in (sight.case, *sight.lens.recent):
            other = replace(earlier, title=earlier.title + ".", before=())
            found = left_behind(sight.lens, sight.twin, _renamed(other))
            if found is not None:
                yield found
                return


def _renamed(case: Case) -> Case:
    """The case with another description of its result, so that its twin has other tokens."""
    return replace(case, result={**case.result, "description": "another"})


def probe(lens: Lens, case: Case, conditions: Conditions) -> Found | None:
    """Look for state at once: the same prompt twice, with other content each time."""
    if conditions.wants("isolated"):
        return left_behind(lens, plain_twin(case), _renamed(case))
    return None


def varies(lens: Lens, case: Case) -> bool:
    """Whether two renderings of the same case differ by themselves."""
    return lens.look_again(case).turns != lens.look_again(case).turns
