"""When the user is shown an error and nothing reaches the model: which part is to blame."""

from __future__ import annotations

from dataclasses import replace

from ..case import Case
from ..finding import Fault
from .found import Found
from .presence import SPARE, rule_of
from .sight import Sight
from .tokens import token


def judge_refusal(sight: Sight) -> tuple[list[Found], Case | None]:
    """The faults behind an error, and the case without the guilty parts where that does render.

    A part is guilty if it is refused alone; else if the prompt renders without it. An error that no
    part explains counts against `robust`.
    """
    case = sight.case
    indices = range(len(case.messages))
    guilty = [m for m in indices if _refused(sight, replace(case, messages=(case.messages[m],)))]
    if not guilty:
        guilty = [m for m in indices if sight.lens.look(case.without_message(m)).sent][:1]
    plain = {"role": "user", "content": {"type": "text", "text": token(0, SPARE + 92)}}
    if not guilty or _refused(sight, replace(case, messages=(plain,))):
        note = f"an error that no part explains: {sight.rendering.error}"
        return [Found(Fault("robust", aspect="error"), note)], None
    found = []
    for message in guilty:
        kind = sight.kind(message)
        note = f"a {kind} part makes the renderer refuse the whole prompt"
        if message in sight.judged:  # an empty part is never judged, though it may be to blame
            found.append(Found(Fault(rule_of(kind), kind, "refused"), note, message))
    kept = tuple(m for index, m in enumerate(case.messages) if index not in guilty)
    rest = replace(case, messages=kept)
    return found, rest if kept and sight.lens.look(rest).sent else None


def _refused(sight: Sight, case: Case) -> bool:
    return sight.lens.look(case).error is not None
