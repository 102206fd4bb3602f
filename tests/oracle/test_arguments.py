"""What the server received, against what the user meant."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from tests.fakes.blocks import Reply, blocks_of
from tests.fakes.faulty import asking, case, said
from tests.fakes.renderers import Refused, decoded
from tests.fakes.shapes_messages import one_part_a_message
from tests.fakes.users import User, declared_names
from tests.fakes.wire import Wire

from mcp_prompt_fuzz.case import Case
from mcp_prompt_fuzz.finding import Fault
from mcp_prompt_fuzz.jsontypes import Json
from mcp_prompt_fuzz.rendering import Rendering

from .looking import Render, asked, faults, got, judgement, only

SLOTS = said(["about ", {"argument": "a"}, " and ", {"argument": "b"}])


def binding(bind: Callable[[Case], Json]) -> Render:
    """A session fake that sends what `bind` says."""

    class Binds(User):
        def bind(self, wire: Wire, case: Case) -> Json:
            return bind(case)

    return Binds(one_part_a_message)().render


def _values(change: Callable[[str], str]) -> Render:
    return binding(lambda c: {name: change(value) for name, value in c.arguments.items()})


FAITHFUL = binding(lambda c: dict(c.arguments))


@pytest.mark.parametrize("given", [{}, {"a": "x"}, {"b": "y", "a": "x"}, {"a": "", "b": " \n$1"}])
def test_a_faithful_user(given: dict[str, str]) -> None:
    assert faults(FAITHFUL, asking("a", "b", given=given, messages=[SLOTS]), "session") == []


def test_arguments_are_checked_once_whether_or_not_there_are_messages() -> None:
    for messages in ([], [SLOTS]):
        case_ = asking("a", "b", given={"a": "x", "b": "y"}, messages=messages)
        checks = judgement(FAITHFUL, case_, "session").checks
        for rule in ("arguments.named", "arguments.verbatim", "arguments.omitted"):
            assert checks[rule] == 1, rule
        assert checks["isolated"] == len(messages)


def test_a_value_under_another_name() -> None:
    swap = binding(lambda c: dict(zip(("b", "a"), c.arguments.values(), strict=True)))
    found = judgement(
        swap, asking("a", "b", given={"a": "x", "b": "y"}, messages=[SLOTS]), "session"
    ).found
    assert {f.fault for f in found} == {Fault("arguments.named")}
    assert found[0].severity == "loss"
    assert found[0].note == "the value given for 'a' is received as 'b'"


def test_a_value_that_is_never_received() -> None:
    placeholder = binding(lambda c: {name: f"<{name}>" for name in c.arguments})
    found = only(judgement(placeholder, asking("a", given={"a": "x"}), "session").found)
    assert found.fault == Fault("arguments.verbatim", None, "lost")
    assert found.severity == "loss"
    assert "'<a>'" in found.note
    nothing = binding(lambda c: {})
    found = only(judgement(nothing, asking("a", given={"a": "x"}), "session").found)
    assert found.fault == Fault("arguments.verbatim", None, "lost")
    assert found.note.endswith("the server gets nothing")


def test_a_value_that_is_received_inside_another() -> None:
    joined = binding(lambda c: {"a": "=".join(c.arguments.values())})
    found = judgement(joined, asking("a", "b", given={"a": "x", "b": "y"}), "session").found
    told = {f.fault: f.note for f in found}
    assert told[Fault("arguments.verbatim", None, "altered", "other")] == (
        "the value given for 'a' is received changed"
    )


@pytest.mark.parametrize(
    ("value", "change", "aspect"),
    [
        (" x ", str.strip, "trim"),
        ("two words", lambda v: v.split(" ")[0], "truncate"),
        ("a\nb", lambda v: v.replace("\n", " "), "newline"),
        ("a  b", lambda v: v.replace("  ", " "), "spaces"),
        ("<a>", lambda v: v.replace("<", "&lt;").replace(">", "&gt;"), "escape"),
        ("a$1b", lambda v: v.replace("$1", ""), "other"),
    ],
)
def test_a_value_that_is_changed(value: str, change: Callable[[str], str], aspect: str) -> None:
    found = only(judgement(_values(change), asking("a", given={"a": value}), "session").found)
    assert found.fault == Fault("arguments.verbatim", None, "altered", aspect)
    assert (found.sent, found.seen) == (value, change(value))
    assert found.severity == "distortion"
    assert found.note == "the value given for 'a' is received changed"


@pytest.mark.parametrize(("value", "level"), [("$1", "lost"), (" ", "altered")])
def test_a_value_that_becomes_empty(value: str, level: str) -> None:
    emptied = _values(lambda v: "" if v == value else v)
    found = only(judgement(emptied, asking("a", given={"a": value}), "session").found)
    assert (found.fault.rule, found.fault.level) == ("arguments.verbatim", level)


def test_a_value_that_is_dropped() -> None:
    dropped = binding(lambda c: {n: v for n, v in c.arguments.items() if v != "-x"})
    found = only(judgement(dropped, asking("a", given={"a": "-x"}), "session").found)
    assert found.fault == Fault("arguments.verbatim", None, "lost")
    assert found.note == "the value given for 'a' is never received"
    assert (found.sent, found.seen) == ("-x", "")


def test_an_empty_value_that_is_left_out() -> None:
    left_out = binding(lambda c: {n: v for n, v in c.arguments.items() if v})
    found = only(judgement(left_out, asking("a", given={"a": ""}), "session").found)
    assert found.fault == Fault("arguments.omitted", aspect="empty")
    assert found.severity == "distortion"
    told = "the argument 'a' is empty, and the server receives"
    assert found.note == f"{told} none of that name"
    filled = _values(lambda v: v or "x")
    assert only(judgement(filled, asking("a", given={"a": ""}), "session").found).note == (
        f"{told} 'x'"
    )


def test_one_empty_value_does_not_stand_for_another() -> None:
    left_out = binding(lambda c: {n: v for n, v in c.arguments.items() if n != "a"})
    found = faults(left_out, asking("a", "b", given={"a": "", "b": ""}), "session")
    assert found == [Fault("arguments.omitted", aspect="empty")]


def test_a_value_for_what_was_left_out() -> None:
    filled = binding(lambda c: {**dict.fromkeys(declared_names(c), ""), **c.arguments})
    found = only(judgement(filled, asking("a", "b", given={"a": "x"}), "session").found)
    assert found.fault == Fault("arguments.omitted", aspect="undue")
    assert found.note == "the argument 'b' was left out, and the server receives a value for it"


def _refusing(unless: Callable[[Case], bool]) -> Render:
    def bind(c: Case) -> Json:
        if not unless(c):
            raise Refused("fill in the form")
        return dict(c.arguments)

    return binding(bind)


def test_arguments_that_must_all_be_given() -> None:
    all_given = _refusing(lambda c: all(c.arguments.get(name) for name in declared_names(c)))
    found = only(judgement(all_given, asking("a", "b", given={"a": "x"}), "session").found)
    assert found.fault == Fault("arguments.subsets")
    assert found.note == "the prompt is refused because some optional arguments are left out"
    assert found.severity == "loss"
    assert faults(all_given, asking("a", given={"a": "x"}), "session") == []


def test_a_refusal_for_another_reason_is_not_about_subsets() -> None:
    never = _refusing(lambda c: not c.arguments and not declared_names(c))
    found = faults(never, asking("a", "b", given={"a": "x"}, messages=[said("m")]), "session")
    assert "arguments.subsets" not in [f.rule for f in found]


def test_what_is_left_out_is_judged_only_where_the_prompt_can_be_had() -> None:
    listing = replace(asked("prompts/list"), phase="list")

    def never(c: Case) -> Rendering:
        return Rendering(error="not connected", requests=(listing,))

    def when_all_are_given(c: Case) -> Rendering:
        given = FAITHFUL(c) if len(c.arguments) == 2 else Rendering(error="fill in the form")
        return replace(given, requests=(listing, got(**c.arguments)))

    optional = asking("a", "b", given={"a": "x"}, messages=[said("m")])
    required = asking("a", "b", required=["b"], given={"a": "x"}, messages=[said("m")])
    for case_, rule in ((optional, "arguments.subsets"), (required, "arguments.required")):
        assert rule not in judgement(never, case_, "server").checks
        assert judgement(when_all_are_given, case_, "server").checks[rule] == 1
        wanted = frozenset({"list.complete"})
        assert rule not in judgement(when_all_are_given, case_, "server", wanted=wanted).checks


def test_what_a_required_argument_lacks_is_no_matter_of_subsets() -> None:
    all_given = _refusing(lambda c: all(c.arguments.get(name) for name in declared_names(c)))
    assert faults(all_given, asking("a", "b", required=["a"], given={"b": "x"}), "session") == []


def _unsupported(when: Callable[[Case], bool]) -> Render:
    def render(c: Case) -> Rendering:
        return Rendering(unsupported="no way") if when(c) else FAITHFUL(c)

    return render


@pytest.mark.parametrize(
    ("when", "given", "rule"),
    [
        (lambda c: len(c.arguments) < 2, {"a": "x"}, "arguments.subsets"),
        (lambda c: c.arguments != {"a": "y", "b": "x"}, {"a": "y"}, "arguments.subsets"),
        (lambda c: bool(c.arguments), {"a": "x", "b": "y"}, "arguments.verbatim"),
        (lambda c: bool(c.arguments), {"a": "x"}, "arguments.verbatim"),
        (lambda c: True, {}, "list.reachable"),
    ],
)
def test_what_cannot_be_expressed(
    when: Callable[[Case], bool], given: dict[str, str], rule: str
) -> None:
    case_ = asking("a", "b", given=given, messages=[said("m")])
    found = only(judgement(_unsupported(when), case_, "session").found)
    assert found.fault.rule == rule
    assert found.note == "can't be expressed: no way"
    if rule == "arguments.verbatim":
        assert found.fault == Fault(rule, None, "lost", "inexpressible")


def _first_declared_leads(c: Case) -> Rendering:
    class Leads(User):
        def rendered(self, case: Case, result: Json) -> Reply:
            blocks = blocks_of({"messages": [said(" ".join(declared_names(case)))]})
            return one_part_a_message(blocks + blocks_of(result))

    return Leads(one_part_a_message).answer(c)


def test_the_order_of_declaration() -> None:
    two = asking("a", "b", given={"a": "x"}, messages=[said("m")])
    found = only(judgement(_first_declared_leads, two, "session").found)
    assert found.fault == Fault("arguments.order")
    assert found.note == (
        "the order in which arguments are declared changes what is received or rendered"
    )
    assert found.pair == replace(two, prompt=asking("b", "a").prompt)
    one = asking("a", given={"a": "x"}, messages=[said("m")])
    assert faults(_first_declared_leads, one, "session") == []


def test_the_order_of_declaration_is_tried_on_some_cases_only_unless_thorough() -> None:
    two = [asking("a", "b", given={"a": str(n)}, messages=[said("m")]) for n in range(40)]
    found = [faults(_first_declared_leads, one, "session", thorough=False) for one in two]
    assert 2 < found.count([Fault("arguments.order")]) < 20
    assert found.count([]) + found.count([Fault("arguments.order")]) == 40


def test_the_order_of_declaration_is_not_judged_where_a_value_is_lost() -> None:
    class Leads(User):
        def bind(self, wire: Wire, case: Case) -> Json:
            return {n: v.strip() for n, v in case.arguments.items()}

        def rendered(self, case: Case, result: Json) -> Reply:
            blocks = blocks_of({"messages": [said(" ".join(declared_names(case)))]})
            return one_part_a_message(blocks + blocks_of(result))

    lost = asking("a", "b", given={"a": " x"}, messages=[said("m")])
    found = faults(Leads(one_part_a_message).answer, lost, "session")
    assert found == [Fault("arguments.verbatim", None, "altered", "trim")]


def test_a_refusal_of_another_order_of_declaration_tells_nothing() -> None:
    in_order = _refusing(lambda c: declared_names(c) == sorted(declared_names(c)))
    two = asking("a", "b", given={"a": "x"}, messages=[said("m")])
    assert faults(in_order, two, "session") == []


def test_binding_by_position_is_about_names_and_not_about_order() -> None:
    by_position = binding(
        lambda c: dict(zip(declared_names(c), c.arguments.values(), strict=False))
    )
    given = asking("a", "b", given={"b": "y", "a": "x"}, messages=[SLOTS])
    assert {f.rule for f in faults(by_position, given, "session")} == {"arguments.named"}


def test_a_missing_required_argument_is_not_judged_in_a_session() -> None:
    lacking = asking("a", required=["a"], messages=[said("m")])
    assert faults(FAITHFUL, lacking, "session") == []


def test_texts_are_judged_by_what_the_server_sent() -> None:
    emptied = _values(lambda v: v.upper())
    given = asking("a", "b", given={"a": "Xy", "b": "z"}, messages=[SLOTS])
    assert {f.rule for f in faults(emptied, given, "session")} == {"arguments.verbatim"}


def _failing(error_shown: Callable[[str], Rendering]) -> Render:
    def render(c: Case) -> Rendering:
        rendering = FAITHFUL(c)
        assert rendering.error is not None
        return replace(error_shown(rendering.error), requests=rendering.requests)

    return render


FAILING = case(said("m"), error={"on": "prompts/get", "code": -32603, "message": "boom"})


def test_errors() -> None:
    assert faults(FAITHFUL, FAILING, "session") == []
    silent = only(judgement(_failing(lambda e: Rendering()), FAILING, "session").found)
    assert silent.fault == Fault("errors", aspect="silent")
    assert silent.note == "the server answers an error, and its user is shown nothing"
    told = _failing(lambda e: decoded({"text": e}))
    sent = only(judgement(told, FAILING, "session").found)
    assert (sent.fault, sent.severity) == (Fault("errors", aspect="sent"), "loss")
    assert sent.note == "the server answers an error, and the model is asked as if all were well"
    shown = _failing(lambda e: Rendering(shown=e))
    assert faults(shown, FAILING, "session") == []


def test_an_error_that_nobody_asked_for() -> None:
    listing = case(said("m"), error={"on": "prompts/list", "code": -32603, "message": "boom"})
    assert "errors" not in judgement(FAITHFUL, listing, "session").checks

    def cached(c: Case) -> Rendering:
        return replace(FAITHFUL(c), requests=(got(),))

    assert "errors" not in judgement(cached, FAILING, "session").checks


def test_a_form_that_cannot_be_left_explains_that_the_prompt_cannot_be_had() -> None:
    listing = replace(asked("prompts/list"), phase="list")

    def render(c: Case) -> Rendering:
        if len(c.arguments) < 2:
            return Rendering(error="fill in the form", requests=(listing,))
        return replace(FAITHFUL(c), requests=(listing, got(**c.arguments)))

    case_ = asking("a", "b", given={"a": "x"}, messages=[said("m")])
    assert faults(render, case_, "server") == [Fault("arguments.subsets")]
    assert faults(render, asking("a", "b", given={"a": "x", "b": "y"}), "server") == []


def test_a_value_under_another_name_explains_an_error() -> None:
    def render(c: Case) -> Rendering:
        return Rendering(error="no", requests=(got(b=c.arguments["a"]),))

    case_ = asking("a", "b", given={"a": "x"}, messages=[said("m")])
    assert faults(render, case_, "session") == [Fault("arguments.named")]


def test_a_value_that_is_right_hides_no_other() -> None:
    given = {"a": "x", "b": " y"}
    dropped = binding(lambda c: {n: v for n, v in c.arguments.items() if n != "b"})
    lost = Fault("arguments.verbatim", None, "lost")
    assert faults(dropped, asking("a", "b", given=given), "session") == [lost]
    trimmed = Fault("arguments.verbatim", None, "altered", "trim")
    assert faults(_values(str.strip), asking("a", "b", given=given), "session") == [trimmed]
