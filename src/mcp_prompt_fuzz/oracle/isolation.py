"""`isolated`: one invocation leaves nothing behind in the next."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
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


def left_behind(lens: Lens, case: Case, earlier: Case) -> Found | None:
    """The fault of a renderer that, after `earlier`, puts something of it into the case.

    Both are rendered as plain twins that share no content.
    """
    before = plain_twin(replace(earlier, before=()), other=True)
    after = replace(plain_twin(case).case, before=(before.case,))
    rendering = lens.look_again(after)
    leaked = tokens_in(all_text(rendering.turns)) & set(before.by_anchor)
    if not leaked and not _medium_stands(before, rendering.turns):
        return None
    return Found(Fault("isolated"), _NOTE, case=after, rendering=rendering)


def _medium_stands(before: Twin, turns: Transcript) -> bool:
    return any(
        bytes_stand(data, turns)
        for hole in before.holes
        if isinstance(data := contents(before.case, hole, None), bytes)
    )


def check(sight: Sight) -> Iterator[Found]:
    """Something of a case's history; else tokens that no message of the case holds."""
    suspects = list(sight.case.before)
    if not suspects:
        known = tokens_in(str(sight.case.messages))
        seen = tokens_in(all_text(sight.rendering.turns)) | sight.template.foreign
        suspects = [sight.case, *sight.lens.recent] if seen - known else []
    for earlier in suspects:
        found = left_behind(sight.lens, sight.case, earlier)
        if found is not None:
            yield found
            return


def survey(lens: Lens, cases: Iterable[Case], conditions: Conditions) -> Found | None:
    """Look for state before anything else: each prompt twice, with other content each time."""
    if not conditions.wants("isolated"):
        return None
    found = (left_behind(lens, case, case) for case in cases)
    return next((fault for fault in found if fault is not None), None)


def varies(lens: Lens, case: Case) -> bool:
    """Whether two renderings of the same case differ by themselves."""
    return lens.look_again(case).turns != lens.look_again(case).turns
