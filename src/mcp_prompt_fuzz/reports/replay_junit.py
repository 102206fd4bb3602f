"""A replay as JUnit XML: one test case for each case of the corpus, named by its file."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterable
from dataclasses import dataclass

from .escape import for_xml, visible


@dataclass(frozen=True, slots=True)
class ReplayTest:
    """One case of the corpus: its file, its title, and what became of it."""

    path: str
    title: str
    verdict: str
    detail: str


def replay_junit(renderer: str, tests: Iterable[ReplayTest]) -> str:
    """The replay as JUnit XML. NEW fails; SKIPPED and STILL FAILS are skipped."""
    suite = ET.Element("testsuite", name=for_xml(visible(f"mcp-prompt-fuzz replay {renderer}")))
    counts = {"tests": 0, "failures": 0, "errors": 0, "skipped": 0}
    for test in tests:
        counts["tests"] += 1
        element = ET.SubElement(
            suite,
            "testcase",
            classname=for_xml(visible(f"mcp_prompt_fuzz.replay.{renderer}")),
            name=for_xml(visible(test.path)),
            time="0",
        )
        told = for_xml(visible(f"{test.title}: {test.detail}"))
        if test.verdict == "NEW":
            counts["failures"] += 1
            ET.SubElement(element, "failure", message=told)
        elif test.verdict in {"SKIPPED", "STILL FAILS"}:
            counts["skipped"] += 1
            ET.SubElement(element, "skipped", message=f"{test.verdict}: {told}")
    for name, count in counts.items():
        suite.set(name, str(count))
    suites = ET.Element("testsuites")
    suites.append(suite)
    ET.indent(suites)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(suites, "unicode") + "\n"
