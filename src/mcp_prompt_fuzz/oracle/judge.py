"""The oracle: what a rendering of a case breaks, by every rule that its renderer can show."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Final

from ..case import Case, declared_arguments
from ..finding import Fault
from . import arguments, blame, distinct, isolation, listing, metadata, order, presence, roles
from .checks import checked
from .found import Found, Judgement
from .lens import Lens
from .refusal import judge_refusal
from .sight import Conditions, Sight, settled

_NEEDED_BY: Final[dict[str, tuple[str, ...]]] = {
    "distinct": distinct.EXPLAINED_BY,
    "arguments.order": ("arguments.named", "arguments.verbatim"),
}
"""A finding of the first is made only where none of the others explains it."""

_ORDER_TURNED_IN: Final = 4
"""The arguments are declared the other way round in one case of so many only: a real client has to
read its listing anew for it."""

_CONTENT_RULES: Final = (
    "text.verbatim",
    "image",
    "audio",
    "resource.text",
    "resource.blob",
    "resource_link",
    "audience",
)


def judge(case: Case, lens: Lens, conditions: Conditions) -> Judgement:
    """Judge a renderer, seen through `lens`, on one case. Renders only what it needs."""
    wanted = conditions.wanted
    if wanted is not None:
        wider = wanted.union(*(_NEEDED_BY.get(rule, ()) for rule in wanted))
        judgement = _judge(case, lens, replace(conditions, wanted=frozenset(wider)))
        judgement.found = [f for f in judgement.found if f.fault.rule in wanted]
        return judgement
    return _judge(case, lens, conditions)


def _judge(case: Case, lens: Lens, conditions: Conditions) -> Judgement:
    seen = settled(case) if conditions.view == "result" else case
    sight = Sight(seen, lens, conditions)
    judgement = Judgement()
    judgement.checks["robust"] += 1
    broke = sight.rendering.broke
    if broke is not None:
        judgement.add(Found(Fault("robust", aspect=broke.kind), f"{broke.kind}: {broke.detail}"))
        return judgement
    if not case.strict or case.input is not None:
        return judgement
    if conditions.view == "server":
        _judge_listing(sight, judgement)
        if not listing.declares_prompts(sight):
            return judgement
    elif not listing.declares_prompts(sight):
        return judgement
    if _judge_outcome(sight, judgement):
        return judgement
    if sight.rendering.error is not None:
        found, rest = judge_refusal(sight)
        _add(judgement, conditions, found)
        if rest is None:
            return judgement
        sight = Sight(rest, lens, conditions)
    _judge_content(sight, judgement)
    return judgement


def _add(judgement: Judgement, conditions: Conditions, found: Iterable[Found]) -> None:
    for fault in found:
        if conditions.wants(fault.fault.rule):
            judgement.add(fault)


def _check(
    judgement: Judgement, conditions: Conditions, rule: str, check: Callable[[], Iterable[Found]]
) -> None:
    """Judge one rule that can be observed here, if it is wanted."""
    if conditions.wants(rule):
        judgement.checks[rule] += 1
        _add(judgement, conditions, check())


def _judge_listing(sight: Sight, judgement: Judgement) -> None:
    conditions = sight.conditions
    _check(judgement, conditions, "list.gated", lambda: listing.check_gated(sight))
    if not listing.declares_prompts(sight) or not listing.list_requests(sight):
        return
    _check(judgement, conditions, "list.complete", lambda: listing.check_complete(sight))
    if sight.rendering.listing is not None:
        _check(judgement, conditions, "list.described", lambda: listing.check_described(sight))
    if sight.case.relist is not None:
        _check(judgement, conditions, "list.fresh", lambda: listing.check_fresh(sight))


def _judge_outcome(sight: Sight, judgement: Judgement) -> bool:
    """Judge what needs no content, and say whether that is all that can be judged."""
    case, conditions = sight.case, sight.conditions
    if conditions.view == "result":
        return case.error is not None or not case.messages
    if case.error is not None:
        if listing.error_was_answered(sight):
            _check(judgement, conditions, "errors", lambda: listing.check_errors(sight))
        return True
    unsupported = sight.rendering.unsupported
    if unsupported is not None:
        _add(judgement, conditions, [_unsupported(sight, unsupported)])
        return True
    if arguments.lacks_required(case):
        if conditions.view == "server":
            _judge_left_out(sight, judgement, "arguments.required", arguments.check_required)
        return True
    if _judge_invocation(sight, judgement):
        return True
    if case.messages:
        return False
    _judge_arguments(sight, judgement)  # that nothing is rendered of no messages is fine
    return True


def _judge_invocation(sight: Sight, judgement: Judgement) -> bool:
    """Judge whether the prompt could be had at all, and say whether it couldn't."""
    case, conditions = sight.case, sight.conditions
    if sight.rendering.error is not None:
        misbound = list(arguments.check(sight))
        _add(judgement, conditions, misbound)
        if misbound:
            return True
    if len(case.arguments) < len(declared_arguments(case.prompt)):
        _judge_left_out(sight, judgement, "arguments.subsets", arguments.check_subsets)
        if judgement.broken("arguments.subsets"):
            return True
    if conditions.view != "server":
        return False
    if not judgement.broken("list.complete", "list.fresh") and listing.is_listed(sight):
        _check(judgement, conditions, "list.reachable", lambda: listing.check_reachable(sight))
    return not listing.invoked(sight)


def _judge_left_out(
    sight: Sight, judgement: Judgement, rule: str, check: Callable[[Sight], Iterable[Found]]
) -> None:
    """Judge a rule of arguments that were left out, where there is anything to be had."""
    if sight.conditions.wants(rule) and arguments.can_be_had(sight):
        _check(judgement, sight.conditions, rule, lambda: check(sight))


def _unsupported(sight: Sight, why: str) -> Found:
    """The fault of an invocation that the renderer's user can't express."""
    case = sight.case
    if not case.arguments:
        rule = "list.reachable"
    elif len(case.arguments) < len(declared_arguments(case.prompt)) and _is_expressible(sight):
        rule = "arguments.subsets"
    else:
        rule = "arguments.verbatim"
    fault = Fault(rule)
    if rule == "arguments.verbatim":
        fault = Fault(rule, None, "lost", "inexpressible")
    return Found(fault, f"can't be expressed: {why}")


def _is_expressible(sight: Sight) -> bool:
    """Whether the same invocation can be expressed once every declared argument is given."""
    return sight.lens.look(arguments.fuller(sight.case)).unsupported is None


def _judge_content(sight: Sight, judgement: Judgement) -> None:
    conditions = sight.conditions
    twin = sight.twin_rendering
    if twin.broke is not None:
        note = f"{twin.broke.kind}: {twin.broke.detail}"
        fault = Fault("robust", aspect=twin.broke.kind)
        judgement.add(Found(fault, note))
        return
    if not twin.sent:
        return
    if conditions.wants("isolated"):
        judgement.checks["isolated"] += 1
        for found in isolation.check(sight):
            judgement.add(found)
            return
    _judge_arguments(sight, judgement)
    for rule, times in checked(sight).items():
        if conditions.wants(rule):
            judgement.checks[rule] += times
    if conditions.wants(*_CONTENT_RULES, "inert", "metadata"):
        _add(judgement, conditions, presence.check(sight))
        if blame.is_called_for(sight):
            _add(judgement, conditions, blame.check(sight))
    for rule, check in _ON_THE_TWIN.items():
        if conditions.wants(rule):
            _add(judgement, conditions, check(sight))
    if conditions.wants("distinct"):
        _add(judgement, conditions, distinct.check(sight, judgement))
    _add(judgement, conditions, distinct.check_pair(sight, judgement))
    for note in twin.provider_notes[:1]:
        _add(judgement, conditions, [Found(Fault("provider"), note)])


_ON_THE_TWIN: Final = {
    "metadata": metadata.check,
    "order": order.check,
    "roles": roles.check,
}


def _judge_arguments(sight: Sight, judgement: Judgement) -> None:
    conditions = sight.conditions
    if conditions.view == "result":
        return
    if sight.case.arguments:
        judgement.checks["arguments.named"] += 1
        judgement.checks["arguments.verbatim"] += 1
    if declared_arguments(sight.case.prompt):
        judgement.checks["arguments.omitted"] += 1
    _add(judgement, conditions, arguments.check(sight))
    turned = conditions.thorough or sight.pick % _ORDER_TURNED_IN == 0
    if turned and len(declared_arguments(sight.case.prompt)) > 1:
        _check(
            judgement,
            conditions,
            "arguments.order",
            lambda: arguments.check_order(sight, judgement),
        )
