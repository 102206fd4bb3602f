from __future__ import annotations

import json
import re
import shlex
import stat
from dataclasses import replace
from pathlib import Path

import pytest

from hypothesis_mcp.canaries import MARKER_FILE, MENTION_FILE
from mcp_prompt_fuzz.case import Case
from mcp_prompt_fuzz.finding import LEVELS, Fault, Finding
from mcp_prompt_fuzz.formats import read_case
from mcp_prompt_fuzz.reference import expected
from mcp_prompt_fuzz.renderer import Identity
from mcp_prompt_fuzz.rendering import Rendering, Request
from mcp_prompt_fuzz.repro.folder import write_repro
from mcp_prompt_fuzz.repro.for_opencode import OPENCODE as OPENCODE_PROGRAM
from mcp_prompt_fuzz.repro.setting import MODEL_PORT, Setting
from mcp_prompt_fuzz.repro.titles import title_of
from mcp_prompt_fuzz.rules import RULES, Severity
from mcp_prompt_fuzz.transcript import Turn, text_part

from .reprocases import BESIDE, PLAIN, SLOTS, said

VERSIONS = {"harness": "0.1.0", "python": "3.11.7", "platform": "Linux", "mcp": "2.3.0"}


def setting(spec: str) -> Setting:
    """The setting of a run of that renderer."""
    return Setting(Identity(spec, "the client", "1.2", "client", "server"), "2025-06-18", VERSIONS)


OPENCODE = setting("opencode")
LOST = Fault("image", "image", "lost")


def finding(
    case: Case = PLAIN,
    fault: Fault = LOST,
    severity: Severity = "loss",
    observed: Rendering | None = None,
) -> Finding:
    """A finding on that case."""
    sent = Rendering(turns=(Turn("user", (text_part("hello\n"),)),))
    basis = RULES[fault.rule].basis("2025-06-18")
    summary = "it is gone"
    return Finding(fault, severity, basis, summary, case, expected(case), observed or sent)


def report(told: Finding, folder: Path, under: Setting = OPENCODE) -> str:
    """The report of the folder that is written."""
    write_repro(told, under, folder)
    return (folder / "REPORT.md").read_text("utf-8")


def test_a_maintainer_finds_all_that_it_takes(tmp_path: Path) -> None:
    text = report(finding(), tmp_path)
    assert text.startswith("# the client 1.2: an image of an MCP prompt never reaches the model\n")
    for told in ("user: image image/png", 'user: "hello\\n"', "no violation", "Python 3.11.7"):
        assert told in text
    assert read_case(tmp_path / "case.json") == PLAIN
    blocks = re.findall(r"```sh\n(.*?)\n```", text, re.DOTALL)
    assert blocks[0] == "python3 model.py"
    assert blocks[1].endswith("opencode run --command main:look")


def test_opencode_is_configured_with_every_modality_and_server(tmp_path: Path) -> None:
    report(finding(BESIDE), tmp_path)
    config = json.loads((tmp_path / "opencode.json").read_text("utf-8"))
    assert config["mcp"]["main"]["command"] == ["python3", "server.py"]
    assert config["mcp"]["second"]["command"] == ["python3", "server.py", "second"]
    provider, model = config["model"].split("/")
    assert str(MODEL_PORT) in config["provider"][provider]["options"]["baseURL"]
    modalities = config["provider"][provider]["models"][model]["modalities"]["input"]
    assert modalities == ["text", "image", "audio", "pdf"]


def typed(**values: str) -> list[str]:
    """The words that follow the command's name for these values of `topic` and `style`."""
    _, command, _ = OPENCODE_PROGRAM.make(replace(SLOTS, arguments=values), "1")
    return shlex.split(command)[6:]


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("plain", ["plain"]),
        ("two words", ["two words"]),
        ("", ['""']),
        ("--k=v", ["--", "--k=v"]),
        ('say "x" now', ["'say", '"x"', "now'"]),
        ("a\nb", ['"a\nb"']),
        ("$1", ["$1"]),
    ],
)
def test_opencode_gets_a_value_as_one(value: str, words: list[str]) -> None:
    assert typed(topic=value) == words


def test_values_stand_in_the_order_of_declaration() -> None:
    assert typed(style="s", topic="t") == ["t", "s"]


def test_other_renderers_are_shown_by_this_project(tmp_path: Path) -> None:
    spec = 'driver:node "it\'s.js" $X'
    text = report(finding(), tmp_path, setting(spec))
    line = next(line for line in text.splitlines() if line.startswith("mcp-prompt-fuzz show"))
    assert shlex.split(line) == ["mcp-prompt-fuzz", "show", spec, "case.json"]
    assert "mcp-prompt-fuzz==0.1.0" in text


def test_unsafe_ones_open_with_the_advice_to_report_privately(tmp_path: Path) -> None:
    fault = Fault("inert", aspect="shell")
    text = report(finding(fault=fault, severity="unsafe"), tmp_path / "x")
    assert "is run by a shell" in text.splitlines()[0]
    assert text.splitlines()[2].startswith("> **Report this privately.**")
    assert stat.S_IMODE((tmp_path / "x").stat().st_mode) == 0o700
    assert "privately" not in report(finding(), tmp_path / "y")


def test_what_the_server_was_asked_is_told_where_the_rule_is_about_it(tmp_path: Path) -> None:
    request = Request("prompts/get", {"name": "look", "arguments": {"topic": "$1"}})
    observed = Rendering(error="no", requests=(request,))
    named = Fault("arguments.verbatim", None, "lost")
    text = report(finding(SLOTS, named, observed=observed), tmp_path)
    assert 'prompts/get {"arguments":{"topic":"$1"},"name":"look"}' in text
    assert "What the server was asked" not in report(finding(observed=observed), tmp_path)


def test_what_cant_be_asked_for_is_not_called_an_error(tmp_path: Path) -> None:
    observed = Rendering(unsupported="arguments.subsets: by position only")
    text = report(finding(SLOTS, Fault("arguments.subsets"), observed=observed), tmp_path)
    assert "the user has no way to ask for this" in text


def test_nothing_hostile_leaves_its_block(tmp_path: Path) -> None:
    hostile = replace(PLAIN, messages=(said("````\n# Head\x1b[2J\u202e <script>"),))
    text = report(finding(hostile), tmp_path)
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "\n# Head" not in text
    assert '`````text\nuser: "````\\n# Head' in text


def test_the_other_half_of_a_pair_comes_along(tmp_path: Path) -> None:
    other = replace(PLAIN, messages=(said("hello", "assistant"), PLAIN.messages[1]))
    text = report(replace(finding(fault=Fault("roles")), pair=other), tmp_path)
    assert read_case(tmp_path / "pair.json") == other
    assert '- user: "hello"\n+ assistant: "hello"' in text


@pytest.mark.parametrize("rule", RULES)
def test_every_fault_has_a_title(rule: str) -> None:
    for level in (*LEVELS, None):
        title = title_of(finding(fault=Fault(rule, "image", level, "trim")))
        assert "{" not in title
        assert title.endswith("(trim)")


def test_a_file_that_a_mention_names_is_there_to_be_read(tmp_path: Path) -> None:
    mention = replace(PLAIN, messages=(said(f"see @{MENTION_FILE[0]}"),))
    report(finding(mention, Fault("inert", aspect="mention"), "unsafe"), tmp_path / "x")
    assert (tmp_path / "x" / MENTION_FILE[0]).read_text("utf-8") == MENTION_FILE[1]
    shell = replace(PLAIN, messages=(said(f"!`touch {MARKER_FILE}`"),))
    text = report(finding(shell, Fault("inert", aspect="shell"), "unsafe"), tmp_path / "y")
    assert f"A file `{MARKER_FILE}` in this folder" in text
    assert not (tmp_path / "y" / MENTION_FILE[0]).exists()


def test_kilo_is_configured_as_its_origin_is(tmp_path: Path) -> None:
    text = report(finding(), tmp_path, setting("kilo"))
    assert json.loads((tmp_path / "kilo.json").read_text("utf-8"))["mcp"]["main"]
    assert "KILO_DISABLE_AUTOUPDATE=1 kilo run --command main:look" in text


def test_a_shipped_library_needs_the_extra(tmp_path: Path) -> None:
    text = report(finding(), tmp_path, setting("llama-index"))
    assert "pip install 'mcp-prompt-fuzz[clients]==0.1.0'" in text
    assert "mcp-prompt-fuzz show llama-index@1.2 case.json" in text
    assert "pip install mcp-prompt-fuzz==0.1.0" in report(finding(), tmp_path, setting("text-only"))
