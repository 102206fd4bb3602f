from __future__ import annotations

import json
import re
from html.parser import HTMLParser

from mcp_prompt_fuzz.reports.html import matrix_html, run_html
from mcp_prompt_fuzz.reports.run_json import redacted, run_to_json
from mcp_prompt_fuzz.rules import RULES

from .runs import CANARY, EVERYTHING, HOSTILE

RUN = redacted(run_to_json(EVERYTHING))
PAGE = run_html(RUN)


class Tags(HTMLParser):
    """Collects every tag with its attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))


def test_nothing_is_fetched_and_nothing_hostile_is_a_tag() -> None:
    tags = Tags(PAGE).seen
    assert sum(tag == "script" for tag, _ in tags) == 2
    assert not any(tag in {"img", "audio", "iframe", "object", "embed"} for tag, _ in tags)
    for _, attributes in tags:
        assert not any(name.startswith("on") for name in attributes)
        assert not any("//" in str(attributes.get(name)) for name in ("src", "href"))
    assert "onerror=alert(1)>" not in PAGE


def test_the_policy_allows_our_own_script_by_its_hash_alone() -> None:
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', PAGE)
    assert policy is not None
    text = policy[1]
    assert "default-src &#39;none&#39;" in text
    assert "unsafe-inline" not in text
    assert "script-src &#39;sha256-" in text


def test_every_rule_has_a_row_and_unsafe_shows_no_case() -> None:
    for rule in RULES:
        assert f'data-rule="{rule}"' in PAGE
    assert CANARY not in PAGE
    data = json.loads(re.search(r'id="data">(.*?)</script>', PAGE, re.DOTALL)[1])  # type: ignore[index]
    (run,) = data["runs"]
    by_severity = {f["severity"]: f for f in run["findings"].values()}
    assert by_severity["unsafe"]["evidence"] is None
    shown = by_severity["distortion"]["evidence"]["expected"][0]["content"][0]["text"]
    assert shown == HOSTILE


def test_a_huge_case_stays_small_on_the_page() -> None:
    run = json.loads(json.dumps(RUN))
    part = run["findings"][0]["case"]["messages"][0]["content"]
    assert part["type"] == "text"
    part["text"] = "x" * 1_000_000
    assert len(run_html(run)) < len(PAGE) + 100_000


def test_a_matrix_tells_what_could_not_run() -> None:
    rows = [RUN, {"renderer": "gone", "could_not_run": "no <such> client"}]
    page = matrix_html(rows, {"max_examples": 5, "time": None, "seed": 1}, ["runs/a", "runs/b"])
    assert "no &lt;such&gt; client" in page
    assert "runs/a/findings/" in page
    assert page.count(">did not run<") == len(RULES)
