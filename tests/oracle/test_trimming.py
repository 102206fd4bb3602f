"""What a language takes for white space is trimmed by its own rules, and is one fault."""

from __future__ import annotations

import pytest

from mcp_prompt_fuzz.case import Case
from mcp_prompt_fuzz.oracle import Conditions, Lens, judge
from mcp_prompt_fuzz.rendering import Rendering
from mcp_prompt_fuzz.transcript import Turn, text_part


def _rendered(case: Case, change: str) -> Rendering:
    """Texts as they are, but for byte order marks: trimmed like white space, or all removed."""
    turns = []
    for message in case.messages:
        text = message["content"]["text"]
        text = text.strip(" \n\ufeff\u3000") if change == "trimmed" else text.replace("\ufeff", "")
        turns.append(Turn(message["role"], (text_part(text),)))
    return Rendering(turns=tuple(turns))


@pytest.mark.parametrize(("change", "aspect"), [("trimmed", "trim"), ("removed", "control")])
@pytest.mark.parametrize("text", ["\ufeff", "\ufeffword", "word\ufeff"])
def test_a_mark_at_the_edge(change: str, aspect: str, text: str) -> None:
    said = {"role": "user", "content": {"type": "text", "text": text}}
    case = Case("", "2026-07-28", {"name": "p"}, (said,))
    lens = Lens(lambda asked: _rendered(asked, change))
    found = judge(case, lens, Conditions("result", "2026-07-28")).found
    assert [(f.fault.rule, f.fault.level, f.fault.aspect) for f in found] == [
        ("text.verbatim", "altered", aspect)
    ]


@pytest.mark.parametrize(
    "text", ["a\ufeff\u3000", "\u4f60\ufeff ", " \ufeff\u4f60", "a \ufeff", "\ufeff a"]
)
def test_marks_and_spaces_at_the_edge(text: str) -> None:
    said = {"role": "user", "content": {"type": "text", "text": text}}
    case = Case("", "2026-07-28", {"name": "p"}, (said,))
    lens = Lens(lambda asked: _rendered(asked, "trimmed"))
    (found,) = judge(case, lens, Conditions("result", "2026-07-28")).found
    assert (found.fault.level, found.fault.aspect) == ("altered", "trim")
