"""Reading, checking and writing the files of the contract, with errors that say where.

The shape of each format is a JSON Schema under `schemas/`; what a schema can't say about a case
stands here as code.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

import jsonpatch
from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError, best_match
from referencing import Registry, Resource

from .case import Case
from .case_checks import Problem, case_problems
from .jsontypes import Json

SchemaName: TypeAlias = Literal[
    "case",
    "known",
    "run",
    "matrix",
    "line-request",
    "line-hello",
    "line-listing",
    "line-reply",
]
_SCHEMAS: Final = (
    "mcp",
    "case",
    "known",
    "run",
    "matrix",
    "line-request",
    "line-hello",
    "line-listing",
    "line-reply",
)
_PROBLEM_LENGTH: Final = 300
_SURROGATES: Final = re.compile("[\ud800-\udfff]")


class FormatError(ValueError):
    """A file or message that breaks its format.

    `source` names the file (or whatever the data came from, may be empty), `json_path` the place
    in it, `problem` what is wrong there. All three stand in the text of the exception.
    """

    def __init__(self, source: str, json_path: str, problem: str) -> None:
        self.source = source
        self.json_path = json_path
        self.problem = problem
        super().__init__(f"{source + ': ' if source else ''}{json_path}: {problem}")

    def of(self, source: str) -> FormatError:
        """The same error, told of another source."""
        return FormatError(source, self.json_path, self.problem)


def schema(name: str) -> Json:
    """The JSON Schema of that name, as shipped."""
    text = resources.files(__package__).joinpath("schemas", f"{name}.json").read_text("utf-8")
    loaded: Json = json.loads(text)
    return loaded


@cache
def _validator(name: str) -> Draft202012Validator:
    contents = [schema(each) for each in _SCHEMAS]
    registry: Registry[Any] = Registry().with_resources(
        (content["$id"], Resource.from_contents(content)) for content in contents
    )
    return Draft202012Validator(contents[_SCHEMAS.index(name)], registry=registry)


def check(data: object, schema_name: SchemaName, source: str = "") -> None:
    """Raise `FormatError` for the most telling thing that breaks that schema, if any does."""
    error = best_match(_validator(schema_name).iter_errors(data))
    if error is not None:
        raise FormatError(source, json_path(error.absolute_path), _told(error))


def check_case(data: object, source: str = "") -> None:
    """Raise `FormatError` if `data` is no valid case: by schema, then by what a schema can't say.

    With `"strict": false` the prose of the specification (base64, media types, URIs) is not asked
    for.
    """
    check(data, "case", source)
    assert isinstance(data, dict)  # the schema says so
    for problem in case_problems(data):
        raise FormatError(source, json_path(problem.path), problem.text)
    for problem in _edit_problems(data):
        raise FormatError(source, json_path(problem.path), problem.text)


def edited(data: Mapping[str, Any]) -> Json:
    """The other half of a pair: the case with its `edit` applied (and left out).

    Raises `FormatError` if the patch does not apply.
    """
    patch = data["edit"]["patch"]
    try:
        changed = jsonpatch.apply_patch(dict(data), patch)
    except (jsonpatch.JsonPatchException, jsonpatch.JsonPointerException, TypeError) as error:
        raise FormatError("", "$.edit.patch", f"does not apply: {shortened(str(error))}") from None
    if not isinstance(changed, dict):
        raise FormatError("", "$.edit.patch", "leaves no case")
    changed.pop("edit", None)
    return changed


def read_case(path: str | Path) -> Case:
    """The case in that file. Raises `FormatError`."""
    data = read_json(path)
    check_case(data, str(path))
    return Case.from_json(data)


def write_case(path: str | Path, case: Case) -> None:
    """Write the case as a file of its own. Raises `FormatError` if it isn't valid."""
    data = case.to_json()
    check_case(data, str(path))
    write_json(path, data)


def read_json(path: str | Path) -> Any:
    """The JSON value in that file. Raises `FormatError`, for a file that can't be read too."""
    try:
        text = Path(path).read_bytes().decode("utf-8")
    except OSError as error:
        raise FormatError(str(path), "$", f"can't be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise FormatError(str(path), "$", f"not UTF-8 at byte {error.start}") from error
    return parse_json(text, str(path))


def parse_json(text: str, source: str = "") -> Any:
    """The JSON value that is spelt by `text`. Raises `FormatError`."""
    try:
        return _DECODER.decode(text)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise FormatError(source, "$", f"not JSON: {error.msg} ({place})") from None
    except (ValueError, RecursionError) as error:
        raise FormatError(source, "$", f"not JSON: {shortened(str(error))}") from None


def dump_json(data: object) -> str:
    """JSON as our files hold it: two-space indent, a newline at the end, and readable.

    A lone surrogate stays an escape, since UTF-8 has no bytes for it.
    """
    text = json.dumps(data, indent=2, ensure_ascii=False)
    return _SURROGATES.sub(lambda found: f"\\u{ord(found[0]):04x}", text) + "\n"


def write_json(path: str | Path, data: object) -> None:
    """Write `data` to that file as `dump_json` spells it."""
    Path(path).write_bytes(dump_json(data).encode("utf-8"))


def json_path(steps: Sequence[str | int]) -> str:
    """A JSON path, `$.messages[1].content` say, from member names and indices."""
    path = "$"
    for step in steps:
        if isinstance(step, int):
            path += f"[{step}]"
        elif re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", step):
            path += f".{step}"
        else:
            path += f"[{json.dumps(step)}]"
    return path


def shortened(text: str, length: int = _PROBLEM_LENGTH) -> str:
    """One line of printable text, at most `length` long: fit for a message to a terminal."""
    shown = "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in text)
    if len(shown) <= length:
        return shown
    return f"{shown[: length // 2]} ... {shown[-(length // 3) :]}"


def _no_constant(word: str) -> Any:
    raise ValueError(f"{word} is no JSON value")


_DECODER: Final = json.JSONDecoder(parse_constant=_no_constant)


def _told(error: ValidationError) -> str:
    """The library's words, or better ones where those only recite the schema."""
    value: Any = error.validator_value
    rules: Any = error.schema
    if error.validator == "not":
        return "not allowed here"
    if error.validator == "const":
        return f"must be {json.dumps(value)}"
    if error.validator == "additionalProperties" and isinstance(error.instance, dict):
        known = rules["properties"]
        return f"no such member: {shortened(', '.join(sorted(set(error.instance) - set(known))))}"
    if error.validator in ("anyOf", "oneOf"):
        choices = [each["required"][0] for each in value if "required" in each]
        return f"must hold {' or '.join(choices)}"
    return shortened(error.message)


def _edit_problems(data: Json) -> Iterator[Problem]:
    """An edit must apply, and leave a valid case: both halves are rendered."""
    if "edit" not in data:
        return
    try:
        check_case(edited(data))
    except FormatError as error:
        text = error.problem
        if error.json_path != "$.edit.patch":
            text = f"leaves an invalid case: {error.json_path}: {error.problem}"
        yield Problem(("edit", "patch"), text)
