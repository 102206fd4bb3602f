"""Makes a case as small as it can be while it still shows the same fault.

A reducer of our own over the case's JSON, and not the choices that drew it: it serves a case of the
sweep, of the corpus and of a strategy alike, and its result is judged by what a maintainer reads:
fewest messages, then fewest arguments and optional members, then the plainest text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Final, TypeAlias

from .case import Case, fill, kind_of, slots, template_text, with_text
from .jsontypes import Json, canonical, without
from .reference import data_of
from .sweep import plain_content

Shows: TypeAlias = Callable[[Case], bool]
"""Whether a case still shows the fault."""

CALLS: Final = 400
"""After so many calls the smallest case so far is taken."""

_WORTH_MORE: Final = ("annotations", "_meta", "icons", "title", "description", "size", "mimeType")


def size_of(case: Case) -> int:
    """JSON nodes, plus characters of text, plus bytes of data."""
    plain = without(case.to_json(), "title", "format", "revision", "rule", "origin", "issue")
    return _nodes(plain) + sum(
        len(data_of(m["content"]))
        if (text := template_text(m["content"])) is None
        else len(fill(text, {}))
        for m in case.messages
    )


def _nodes(value: Any) -> int:
    if isinstance(value, dict):
        return 1 + sum(_nodes(item) for item in value.values())
    if isinstance(value, list | tuple):
        return 1 + sum(_nodes(item) for item in value)
    return 1


def _rank(case: Case) -> tuple[int, int, int, int, str]:
    """The order in which cases are preferred, smallest first."""
    odd = sum(_oddity(message) for message in case.messages) + (not case.prompt["name"])
    return (
        len(case.messages) + len(case.before),
        len(case.prompt.get("arguments", ())) + len(case.arguments),
        odd,
        size_of(case),
        canonical([case.prompt, list(case.messages), case.arguments]),
    )


def _oddity(message: Json) -> int:
    """How much there is to wonder about: another role than the user's, an odd or invalid medium.

    The plainest real file of a kind is preferred to a smaller one that no program can show.
    """
    content = message["content"]
    kind = kind_of(content)
    said = message["role"] != "user"
    if kind in ("image", "audio"):
        return int(said) + int(content["mimeType"] != _PLAIN_TYPES[kind])
    return int(said)


_PLAIN_TYPES: Final[dict[str, str]] = {
    "image": plain_content("image")["mimeType"],
    "audio": plain_content("audio")["mimeType"],
}


def reduce(case: Case, shows: Shows, *, calls: int = CALLS) -> Case:
    """The smallest case found that still `shows` what `case` shows, which must hold for it."""
    best = case
    tried = {case.key}
    improved = True
    while improved and calls > 0:
        improved = False
        for pass_ in _PASSES:
            again = True
            while again and calls > 0:
                again = False
                for candidate in pass_(best):
                    if candidate.key in tried or _rank(candidate) >= _rank(best):
                        continue
                    tried.add(candidate.key)
                    calls -= 1
                    if shows(candidate):
                        best, again, improved = candidate, True, True
                        break
                    if calls <= 0:
                        break
    return best


def _plainest_arguments(case: Case) -> Iterator[Case]:
    """Plain definitions of one to three arguments, some given, with nothing said.

    Few, and shared by all faults: a real client has to read its listing anew for each definition.
    """
    if not case.prompt.get("arguments"):
        return
    values = ["a", *dict.fromkeys(case.arguments.values())]
    for count in (1, 2, 3):
        names = "abc"[:count]
        for required in ((), (names[-1],)):
            declared = [{"name": n, **({"required": True} if n in required else {})} for n in names]
            prompt = {"name": f"p{count}{'r' * len(required)}", "arguments": declared}
            for given in (names, names[-1], names[:1], ""):
                for value in values[:4] if given else ("a",):
                    yield replace(
                        case,
                        prompt=prompt,
                        arguments=dict.fromkeys(given, value),
                        messages=(),
                        pages=({"prompts": ["@"]},),
                    )


def _fewer_messages(case: Case) -> Iterator[Case]:
    """One message alone, then halves, then all but one."""
    count = len(case.messages)
    for index in range(count):
        yield replace(case, messages=(case.messages[index],))
    if count > 3:
        half = count // 2
        yield replace(case, messages=case.messages[:half])
        yield replace(case, messages=case.messages[half:])
    for index in reversed(range(count)):
        yield case.without_message(index)


def _bare(case: Case) -> Iterator[Case]:
    """The defaults in the place of optional members, all at once and one by one."""
    plain = Case(case.title, case.revision, case.prompt, case.messages)
    kept: dict[str, Any] = {"strict": case.strict, "rule": case.rule, "before": case.before}
    undressed = tuple(_undressed(message) for message in case.messages)
    yield replace(
        plain,
        **kept,
        prompt={"name": "p"},
        messages=tuple(_without_slots(message) for message in undressed),
    )
    yield replace(plain, **kept, arguments=case.arguments, messages=undressed)
    for name in ("result", "pages", "relist", "beside", "capabilities", "error", "input", "edit"):
        default = getattr(plain, name)
        if getattr(case, name) != default:
            yield replace(case, **{name: default})
    for index in range(len(case.before)):
        yield replace(case, before=case.before[:index] + case.before[index + 1 :])
    for index, earlier in enumerate(case.before):
        for smaller in (*_fewer_messages(earlier), *_plainer_parts(earlier)):
            if _rank(smaller) < _rank(earlier):
                history = (*case.before[:index], smaller, *case.before[index + 1 :])
                yield replace(case, before=history)


def _undressed(message: Json) -> Json:
    content = without(message["content"], *(m for m in _WORTH_MORE if m != "mimeType"))
    return {**message, "content": content}


def _without_slots(message: Json, name: str | None = None) -> Json:
    """The message without slots (for the argument of that name, or for any)."""
    text = template_text(message["content"])
    if text is None or isinstance(text, str):
        return message
    pieces = [p for p in text if isinstance(p, str) or (name is not None and p["argument"] != name)]
    literal = all(isinstance(piece, str) for piece in pieces)
    return {
        **message,
        "content": with_text(message["content"], "".join(pieces) if literal else pieces),
    }


def _fewer_arguments(case: Case) -> Iterator[Case]:
    """Without an argument, not given, not declared; then each plainer."""
    declared: list[Json] = list(case.prompt.get("arguments", ()))
    if declared:
        yield replace(case, prompt=without(case.prompt, "arguments"), arguments={})
    for argument in reversed(declared):
        name = argument["name"]
        others = [a for a in declared if a is not argument]
        prompt = {**case.prompt, "arguments": others}
        messages = tuple(_without_slots(m, name) for m in case.messages)
        given = without(case.arguments, name)
        yield replace(case, prompt=prompt, arguments=given, messages=messages)
        yield replace(case, prompt=prompt, arguments=given)
        if name in case.arguments:
            yield replace(case, arguments=given)
    for name in case.arguments:
        if all(argument["name"] != name for argument in declared):
            yield replace(case, arguments=without(case.arguments, name))
    for index, argument in enumerate(declared):
        for member in ("title", "description", "required"):
            if member in argument:
                plainer = [*declared[:index], without(argument, member), *declared[index + 1 :]]
                yield replace(case, prompt={**case.prompt, "arguments": plainer})
    yield from _renamed_arguments(case, declared)
    for name, value in case.arguments.items():
        for text in _shorter(value):
            yield replace(case, arguments={**case.arguments, name: text})


def _renamed_arguments(case: Case, declared: list[Json]) -> Iterator[Case]:
    names = [argument["name"] for argument in declared]
    plain = dict(zip(names, "abcdefghij", strict=False))
    if len(set(names)) != len(names) or all(name == new for name, new in plain.items()):
        return
    messages = [_with_renamed_slots(message, plain) for message in case.messages]
    yield replace(
        case,
        prompt={**case.prompt, "arguments": [{**a, "name": plain[a["name"]]} for a in declared]},
        arguments={plain.get(name, name): value for name, value in case.arguments.items()},
        messages=tuple(messages),
    )


def _with_renamed_slots(message: Json, names: dict[str, str]) -> Json:
    text = template_text(message["content"])
    if text is None or not any(slots(text)):
        return message
    pieces = [
        p if isinstance(p, str) else {"argument": names.get(p["argument"], p["argument"])}
        for p in text
    ]
    return {**message, "content": with_text(message["content"], pieces)}


def _plainer_prompt(case: Case) -> Iterator[Case]:
    for member in ("title", "description", "icons", "_meta"):
        if member in case.prompt:
            yield replace(case, prompt=without(case.prompt, member))
    if case.prompt.get("arguments") == []:
        yield replace(case, prompt=without(case.prompt, "arguments"))
    for name in _shorter(case.prompt["name"], plain="p"):
        if name:
            yield replace(case, prompt={**case.prompt, "name": name})
    if len(case.pages) > 1:
        for index in range(len(case.pages) - 1):
            yield replace(case, pages=case.pages[:index] + case.pages[index + 1 :])
    for index, page in enumerate(case.pages):
        for offer in page["prompts"]:
            if offer != "@":
                fewer = {**page, "prompts": [o for o in page["prompts"] if o != offer]}
                yield replace(case, pages=(*case.pages[:index], fewer, *case.pages[index + 1 :]))


def _plainer_parts(case: Case) -> Iterator[Case]:
    """Each part the plainest of its kind, then an empty or plain text, then without a member."""
    for index, message in enumerate(case.messages):
        content = message["content"]
        kind = kind_of(content)
        plainest = plain_content(kind, index)
        if kind in ("resource.text", "resource.blob"):
            document = without(plainest["resource"], "mimeType")
            yield case.with_message(
                index, {"role": "user", "content": {**plainest, "resource": document}}
            )
            yield case.with_message(
                index, {**message, "content": {**plainest, "resource": document}}
            )
        yield case.with_message(index, {"role": "user", "content": plainest})
        yield case.with_message(index, {**message, "content": plainest})
        if kind != "text":
            for text in ("", "a"):
                yield case.with_message(
                    index, {**message, "content": {"type": "text", "text": text}}
                )
        yield case.with_message(index, {**message, "role": "user"})
        for member in _WORTH_MORE:
            if member in content and not (member == "mimeType" and kind in ("image", "audio")):
                yield case.with_message(index, {**message, "content": without(content, member)})
        annotations = content.get("annotations", {})
        for member in annotations:
            fewer = {**content, "annotations": without(annotations, member)}
            yield case.with_message(index, {**message, "content": fewer})
        document = content.get("resource", {})
        for member in ("mimeType", "_meta"):
            if member in document:
                fewer = {**content, "resource": without(document, member)}
                yield case.with_message(index, {**message, "content": fewer})
        yield from _plainer_members(case, index)


def _plainer_members(case: Case, index: int) -> Iterator[Case]:
    message = case.messages[index]
    content = message["content"]
    plain = plain_content(kind_of(content), index)
    for member in ("uri", "name"):
        if member in content and member in plain:
            yield case.with_message(
                index, {**message, "content": {**content, member: plain[member]}}
            )
            for text in _shorter(content[member]) if member == "name" else ():
                if text:
                    shorter = {**content, member: text}
                    yield case.with_message(index, {**message, "content": shorter})
    for member in ("title", "description"):
        for text in _shorter(content.get(member, "")):
            yield case.with_message(index, {**message, "content": {**content, member: text}})
    if "resource" in content:
        document = {**content["resource"], "uri": plain["resource"]["uri"]}
        yield case.with_message(index, {**message, "content": {**content, "resource": document}})
    if "data" in content:
        yield case.with_message(index, {**message, "content": {**content, "data": plain["data"]}})


def _shorter_texts(case: Case) -> Iterator[Case]:
    for index, message in enumerate(case.messages):
        text = template_text(message["content"])
        if text is None:
            continue
        if not isinstance(text, str):
            filled = fill(text, case.arguments)
            yield case.with_message(
                index, {**message, "content": with_text(message["content"], filled)}
            )
            for at, piece in enumerate(text):
                fewer = [*text[:at], *text[at + 1 :]]
                yield case.with_message(
                    index, {**message, "content": with_text(message["content"], fewer)}
                )
                for shorter in _shorter(piece) if isinstance(piece, str) else ():
                    pieces = [*text[:at], shorter, *text[at + 1 :]]
                    yield case.with_message(
                        index, {**message, "content": with_text(message["content"], pieces)}
                    )
            continue
        for shorter in _shorter(text):
            yield case.with_message(
                index, {**message, "content": with_text(message["content"], shorter)}
            )


def _shorter(text: str, plain: str = "a") -> Iterator[str]:
    """Shorter and plainer texts, boldest first: one character, halves, chunks, plain letters."""
    if not text:
        return
    yield ""
    yield plain
    special = [c for c in dict.fromkeys(text) if not (c.isascii() and c.isalnum())][:6]
    for character in special:
        yield character
    for character in special:
        yield from (plain + character, character + plain, plain + character + plain)
    chunk = len(text) // 2
    while chunk >= 1 and len(text) > 1:
        step = max(chunk, len(text) // 16)
        for start in range(0, len(text), step):
            yield text[:start] + text[start + chunk :]
        chunk //= 2
    if text != plain * len(text):
        yield plain * len(text)
    for character in dict.fromkeys(text):
        if character != plain:
            yield text.replace(character, plain)


_PASSES: Final[tuple[Callable[[Case], Iterator[Case]], ...]] = (
    _plainest_arguments,
    _fewer_messages,
    _bare,
    _fewer_arguments,
    _plainer_parts,
    _plainer_prompt,
    _shorter_texts,
)
