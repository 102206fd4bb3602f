"""A run as JUnit XML: one test case for each rule, with names that stay the same."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Sequence

from ..jsontypes import Json
from ..rules import at_least
from .escape import for_xml, visible
from .words import basis_words, case_line


def junit_xml(run: Json) -> str:
    """The run's rules as test cases: broken ones fail, unless each of their findings is known or
    milder than the run's `fail_on`; what was not checked is skipped."""
    suite = ET.Element("testsuite", name=for_xml(f"mcp-prompt-fuzz {run['renderer']}"))
    known = set(run["known"]["matched"])
    by_id = {finding["id"]: finding for finding in run["findings"]}
    threshold = run["options"].get("fail_on", "distortion")
    failures = skipped = 0
    for rule, outcome in run["rules"].items():
        test = ET.SubElement(
            suite,
            "testcase",
            classname=for_xml(f"mcp_prompt_fuzz.{visible(run['renderer'])}"),
            name=rule,
            time="0",
        )
        found = [by_id[i] for i in outcome["findings"] if i in by_id]
        new = [f for f in found if f["id"] not in known and at_least(f["severity"], threshold)]
        if new:
            failures += 1
            failure = ET.SubElement(test, "failure", message=for_xml(_message(new)))
            failure.text = for_xml("\n\n".join(_told(f) for f in new))
        elif outcome["verdict"] == "broken":
            ET.SubElement(test, "system-out").text = for_xml("\n\n".join(_told(f) for f in found))
        elif outcome["verdict"] != "kept":
            skipped += 1
            ET.SubElement(test, "skipped", message=outcome["verdict"].replace("_", " "))
    errors = _errors(suite, run["errors"])
    suite.set("tests", str(len(run["rules"]) + errors))
    suite.set("failures", str(failures))
    suite.set("errors", str(errors))
    suite.set("skipped", str(skipped))
    suite.set("timestamp", for_xml(run["started"]))
    suite.set("time", f"{run['counts']['seconds']:.3f}")
    suites = ET.Element("testsuites")
    suites.append(suite)
    ET.indent(suites)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(suites, "unicode") + "\n"


def _message(findings: Sequence[Json]) -> str:
    return "; ".join(visible(finding["summary"]) for finding in findings)


def _told(finding: Json) -> str:
    lines = [
        f"{finding['severity']}: {visible(finding['summary'])}",
        f"smallest case: {case_line(finding['case'], 300)}",
        f"basis: {basis_words(finding['basis'])}",
        f"repro: {finding['repro']}",
    ]
    return "\n".join(lines)


def _errors(suite: ET.Element, errors: Sequence[str]) -> int:
    for number, error in enumerate(errors, 1):
        test = ET.SubElement(
            suite, "testcase", classname="mcp_prompt_fuzz.run", name=f"error {number}", time="0"
        )
        ET.SubElement(test, "error", message=for_xml(visible(error)))
    return len(errors)
