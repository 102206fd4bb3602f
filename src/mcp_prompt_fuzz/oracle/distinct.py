"""`distinct`: prompts that differ in meaning never render alike.

Reported only where no other rule explains the collision: lost content, roles and order have rules
of their own, and see to it. What is left is where one part ends and the next one begins.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import jsonpatch

from ..case import Case, template_text, with_text
from ..finding import Fault
from .found import Found, Judgement
from .sight import Sight, with_content

EXPLAINED_BY = (
    "text.verbatim",
    "image",
    "audio",
    "resource.text",
    "resource.blob",
    "resource_link",
    "roles",
    "order",
    "audience",
    "inert",
    "metadata",
)


def check(sight: Sight, judgement: Judgement) -> Iterator[Found]:
    """Two neighbouring texts that could as well be cut elsewhere."""
    for one, other in pairwise(range(len(sight.case.messages))):
        explained = judgement.blames(one) or judgement.blames(other)
        if explained or not _touch(sight, one, other):
            continue
        moved = _letter_moved(sight.twin.case, one, other)
        if moved is not None and sight.alike(moved):
            yield Found(
                Fault("distinct", aspect="boundary"),
                "where one text ends and the next one begins can't be told",
                one,
                pair=_letter_moved(sight.case, one, other),
            )
            return


def _touch(sight: Sight, one: int, other: int) -> bool:
    """Whether, somewhere in the twin's rendering, the one text ends where the other one begins.

    With anything between them, a letter moved from the one to the other is seen to have moved: no
    rendering is needed to tell.
    """
    if not sight.is_plain_text(one) or not sight.is_plain_text(other):
        return False
    length = len(sight.twin.case.messages[one]["content"]["text"])
    ends = {(o.place, o.offset + length) for o in sight.whole(one)}
    return any((o.place, o.offset) in ends for o in sight.whole(other))


def _letter_moved(case: Case, one: int, other: int) -> Case | None:
    first = template_text(case.messages[one]["content"])
    second = template_text(case.messages[other]["content"])
    if not isinstance(first, str) or not isinstance(second, str):
        return None
    shorter = with_content(case, one, with_text(case.messages[one]["content"], first[:-1]))
    longer = with_text(case.messages[other]["content"], first[-1] + second)
    return with_content(shorter, other, longer)


def edited(case: Case) -> Case:
    """The other half of a case that comes as a pair: its `edit` applied to it."""
    assert case.edit is not None
    plain = case.to_json()
    del plain["edit"]
    return Case.from_json(jsonpatch.apply_patch(plain, case.edit["patch"]))


def check_pair(sight: Sight, judgement: Judgement) -> Iterator[Found]:
    """The pair of a case and its edit: equal renderings of different meanings, or the reverse."""
    edit = sight.case.edit
    if edit is None:
        return
    other = edited(sight.case)
    one, two = sight.rendering, sight.lens.look(other)
    if not one.sent or not two.sent:
        return
    if edit["changes_meaning"]:
        explained = judgement.broken(*EXPLAINED_BY)
        if one.turns == two.turns and not explained:
            note = f"the prompt and its edit ({edit['kind']}) reach the model as the same thing"
            yield Found(Fault("distinct", aspect=edit["kind"]), note, pair=other)
    elif one.turns != two.turns and not judgement.broken("arguments.named"):
        note = "the order in which arguments are declared changes the rendering"
        yield Found(Fault("arguments.order"), note, pair=other)
