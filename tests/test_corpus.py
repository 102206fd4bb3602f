"""The corpus that is shipped, and what is done with corpora."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.fakes import faults_of_users
from tests.fakes.blocks import Blocks, Reply
from tests.fakes.faulty import asking, said
from tests.fakes.faulty import case as a_case
from tests.fakes.renderers import OfResult
from tests.fakes.shapes_messages import one_part_a_message
from tests.fakes.users import User

from mcp_prompt_fuzz import corpus
from mcp_prompt_fuzz.campaign import judge_case
from mcp_prompt_fuzz.case import KINDS, NEWEST_REVISION, Case, kind_of
from mcp_prompt_fuzz.corpus import Corpus, find_corpus, load_corpus, save_finding, slug
from mcp_prompt_fuzz.finding import Fault, Finding
from mcp_prompt_fuzz.formats import check_case, edited, write_case
from mcp_prompt_fuzz.renderer import Renderer
from mcp_prompt_fuzz.renderers import open_renderer
from mcp_prompt_fuzz.rendering import Rendering
from mcp_prompt_fuzz.rules import RULES, Basis, Severity

TEXT = {"role": "user", "content": {"type": "text", "text": "a"}}
CASE = Case("A text, an image", "2025-06-18", {"name": "p"}, (TEXT,))


@pytest.fixture(scope="module")
def shipped() -> Corpus:
    """The corpus of this project, wherever the tests are run from."""
    package = Path(corpus.__file__).parent
    folders = [package / "shipped_corpus", package.parents[1] / "corpus"]
    return load_corpus([next(folder for folder in folders if folder.is_dir())])


def test_every_shipped_case_is_valid_and_says_what_it_is_for(shipped: Corpus) -> None:
    assert shipped.errors == ()
    assert len(shipped.cases) >= 25
    for path, case in ((kept.path, kept.case) for kept in shipped.cases):
        check_case(case.to_json(), str(path))
        assert case.title, path
        assert case.rule in RULES, path
        assert case.origin, path
        assert path.name == f"{slug(path.stem)}.json"
        assert path.parent.name == corpus.area_of(case.rule or ""), path


def test_no_two_shipped_cases_are_alike(shipped: Corpus) -> None:
    told = [(c.case.key, c.case.rule, str(c.case.edit)) for c in shipped.cases]
    assert len(set(told)) == len(told)
    titles = [c.case.title for c in shipped.cases]
    assert len(set(titles)) == len(titles)


def test_the_shipped_corpus_covers_rules_kinds_and_shapes(shipped: Corpus) -> None:
    cases = [kept.case for kept in shipped.cases]
    assert {case.rule for case in cases} == set(RULES)
    messages = [message for case in cases for message in case.messages]
    assert {kind_of(message["content"]) for message in messages} == set(KINDS)
    assert {message["role"] for message in messages} == {"user", "assistant"}
    for member in ("before", "edit", "error", "relist", "beside", "input"):
        assert any(getattr(case, member) for case in cases), member


@pytest.mark.parametrize("spec", ["reference", "text-only"])
def test_the_built_in_renderers_get_through_the_shipped_corpus(spec: str, shipped: Corpus) -> None:
    with contextlib.closing(open_renderer(spec, revision=NEWEST_REVISION, timeout=20)) as renderer:
        renderings = {kept.case.title: renderer.render(kept.case) for kept in shipped.cases}
    assert {title for title, rendering in renderings.items() if rendering.broke} == set()
    sent = [title for title, rendering in renderings.items() if rendering.sent]
    assert len(sent) > len(renderings) * 0.9


def test_a_bad_file_is_an_error_and_the_rest_is_loaded(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    write_case(tmp_path / "b" / "second.json", CASE)
    write_case(tmp_path / "first.json", replace(CASE, title="first"))
    (tmp_path / "a.json").write_text("{")
    (tmp_path / "c.json").write_text('{"format": "mcp-prompt-case/1"}')
    (tmp_path / "notes.txt").write_text("not a case")
    loaded = load_corpus([tmp_path, tmp_path / "first.json", tmp_path / "missing.json"])
    assert [kept.path.name for kept in loaded.cases] == ["second.json", "first.json"]
    assert [Path(error.source).name for error in loaded.errors] == [
        "a.json",
        "c.json",
        "missing.json",
    ]


def test_the_findings_of_a_run_can_be_replayed(tmp_path: Path) -> None:
    """In the folder of a finding stand settings of its client, too, which are no bad cases."""
    case = Case("t", "2025-06-18", {"name": "p"}, ())
    for folder in (tmp_path, tmp_path / "image-lost-1"):
        folder.mkdir(exist_ok=True)
        write_case(folder / "case.json", case)
    write_case(tmp_path / "other.json", case)
    (tmp_path / "image-lost-1" / "REPORT.md").write_text("# Lost\n", "utf-8")
    for settings in (".acme/settings.json", "acme.json"):
        path = tmp_path / "image-lost-1" / settings
        path.parent.mkdir(exist_ok=True)
        path.write_text('{"model": "none"}', "utf-8")
    loaded = load_corpus([tmp_path])
    assert not loaded.errors
    names = [kept.path.relative_to(tmp_path).as_posix() for kept in loaded.cases]
    assert names == ["case.json", "image-lost-1/case.json", "other.json"]


def test_a_corpus_here_comes_before_the_shipped_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert load_corpus().cases, "the shipped one"
    assert find_corpus().is_absolute()
    (tmp_path / "corpus").mkdir()
    write_case(tmp_path / "corpus" / "own.json", CASE)
    assert [kept.path for kept in load_corpus().cases] == [Path("corpus/own.json")]


def finding(case: Case = CASE, severity: Severity = "loss", **members: Any) -> Finding:
    rule = members.pop("rule", "image")
    fault = Fault(rule, aspect=members.pop("aspect", None))
    return Finding(fault, severity, Basis("fidelity"), "s", case, (), Rendering(), **members)


def test_a_finding_is_kept_once(tmp_path: Path) -> None:
    path = save_finding(tmp_path, finding(), "goose 1.2")
    assert path == tmp_path / "image" / "a-text-an-image.json"
    kept = load_corpus([path]).cases[0].case
    assert (kept.rule, kept.origin) == ("image", "found by fuzzing goose 1.2")
    before = path.read_bytes()
    renamed = finding(replace(CASE, title="another title"))
    assert save_finding(tmp_path, renamed, "opencode 1.0") == path
    assert path.read_bytes() == before
    assert len(list(tmp_path.rglob("*.json"))) == 1


def test_another_case_of_that_title_overwrites_nothing(tmp_path: Path) -> None:
    first = save_finding(tmp_path, finding(), "r")
    before = first.read_bytes()
    second = save_finding(tmp_path, finding(replace(CASE, messages=(TEXT, TEXT))), "r")
    assert (first.name, second.name) == ("a-text-an-image.json", "a-text-an-image-2.json")
    assert first.read_bytes() == before
    assert save_finding(tmp_path, finding(rule="roles"), "r").parent.name == "roles"


def test_what_is_unsafe_names_no_client(tmp_path: Path) -> None:
    path = save_finding(tmp_path, finding(severity="unsafe", rule="inert"), "goose 1.2")
    assert b"goose" not in path.read_bytes()


def test_a_collision_is_kept_with_its_other_half(tmp_path: Path) -> None:
    other = replace(CASE, title="other", messages=(TEXT, {**TEXT, "role": "assistant"}))
    collision = finding(pair=other, rule="distinct", aspect="role")
    path = save_finding(tmp_path, collision, "r")
    kept = load_corpus([path]).cases[0].case
    assert kept.edit is not None
    assert (kept.edit["kind"], kept.edit["changes_meaning"]) == ("role", True)
    assert Case.from_json(edited(kept.to_json())).messages == other.messages
    assert save_finding(tmp_path, collision, "r") == path
    reordered = finding(pair=other, rule="arguments.order")
    kept = load_corpus([save_finding(tmp_path, reordered, "r")]).cases[0].case
    assert kept.edit is not None
    assert kept.edit["changes_meaning"] is False


def _said_at_once(separator: str, blocks: Blocks) -> Reply:
    return {"messages": [{"role": "user", "content": separator.join(b.text for b in blocks)}]}


@pytest.mark.parametrize(
    ("fault", "mended", "case"),
    [
        (
            faults_of_users.NAMES["takes_the_first_for_the_subject"].make(),
            User(one_part_a_message)(),
            asking("a", "b", given={"a": "x"}, messages=[said("m")]),
        ),
        (
            OfResult(lambda blocks: _said_at_once("", blocks))(),
            OfResult(lambda blocks: _said_at_once(" | ", blocks))(),
            a_case(said("one"), said("two")),
        ),
    ],
)
def test_a_collision_shows_from_the_corpus_until_it_is_mended(
    tmp_path: Path, fault: Renderer, mended: Renderer, case: Case
) -> None:
    (found,) = judge_case(fault, case)[0]
    kept = load_corpus([save_finding(tmp_path, found, "r")]).cases[0].case
    assert [each.fault.rule for each in judge_case(fault, kept)[0]] == [found.fault.rule]
    assert judge_case(mended, kept)[0] == []


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("An image, between two texts", "an-image-between-two-texts"),
        ("  Café № 5: $1 ", "cafe-no-5-1"),
        ("../../etc/passwd", "etc-passwd"),
        ("題", "case"),
        ("x" * 200, "x" * 60),
    ],
)
def test_slugs_are_file_names_everywhere(title: str, name: str) -> None:
    assert slug(title) == name
