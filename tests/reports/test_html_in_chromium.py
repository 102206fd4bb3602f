"""The page as people use it: in a real Chromium, with a hostile run in it."""

from __future__ import annotations

import dataclasses
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mcp_prompt_fuzz.reports.html import run_html
from mcp_prompt_fuzz.reports.run_json import redacted, run_to_json

from .runs import CANARY, GATED, IMAGE, TEXT, UNSAFE, record

sync_api = pytest.importorskip("playwright.sync_api")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here")

SVG = (
    "PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciPjxzY3JpcHQ+YWxlcnQoMSk8L3NjcmlwdD48"
    "L3N2Zz4="
)


def _huge_and_scripted() -> Any:
    """The image finding with a megabyte of text and an SVG that holds a script."""
    text = {"role": "user", "content": {"type": "text", "text": "<b>\u202e" * 250_000}}
    svg = {"type": "image", "data": SVG, "mimeType": "image/svg+xml"}
    scripted = {"role": "user", "content": svg}
    case = dataclasses.replace(IMAGE.case, messages=(*IMAGE.case.messages, text, scripted))
    return dataclasses.replace(IMAGE, case=case)


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The page, opened; whatever the console said is in `page.said`."""
    path: Path = tmp_path_factory.mktemp("page") / "report.html"
    run = redacted(run_to_json(record(_huge_and_scripted(), TEXT, UNSAFE, GATED, known=(GATED,))))
    path.write_text(run_html(run), encoding="utf-8")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        opened = browser.new_page()
        opened.said = []
        opened.on("console", lambda message: opened.said.append(message.text))
        opened.on("pageerror", lambda error: opened.said.append(str(error)))
        opened.on("dialog", lambda dialog: opened.said.append(f"alert {dialog.message}"))
        opened.on("request", lambda request: opened.said.append(f"fetched {request.url}"))
        opened.goto(path.as_uri())
        assert opened.said.pop(0) == f"fetched {path.as_uri()}"
        yield opened
        assert [line for line in opened.said if not line.startswith("fetched data:")] == []
        browser.close()


def cell(page: Any, rule: str) -> Any:
    return page.locator(f'tr[data-rule="{rule}"] button.cell')


def test_a_cell_opens_its_smallest_case(page: Any) -> None:
    cell(page, "image").click()
    assert page.locator("dialog[open] h2").inner_text() == "image, driver:node x.js 1.0"
    sizes = page.evaluate(
        "Promise.all([...document.querySelectorAll('dialog img')].map("
        "async image => { await image.decode().catch(() => 0);"
        " return [image.naturalWidth, image.naturalHeight]; }))"
    )
    assert sizes[0] == [2, 3]
    assert "the first 20000 shown" in page.locator("dialog").inner_text()
    page.keyboard.press("Escape")
    assert page.locator("dialog[open]").count() == 0
    assert page.evaluate("document.activeElement.dataset.findings") == IMAGE.id


def test_differences_are_marked_with_invisible_characters_visible(page: Any) -> None:
    cell(page, "text.verbatim").click()
    marks = page.locator("dialog mark").all_inner_texts()
    assert "\\u202e" in page.locator("dialog .side").first.inner_text()
    assert len(marks) == 2
    assert marks[0] != marks[1]
    page.locator("#close").click()


def test_unsafe_shows_no_case(page: Any) -> None:
    cell(page, "inert").click()
    told = page.locator("dialog").inner_text()
    assert "private" in told
    assert CANARY not in page.content()
    page.keyboard.press("Escape")


def test_arrow_keys_move_between_cells(page: Any) -> None:
    cell(page, "text.verbatim").focus()
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.closest('tr').dataset.rule") == "image"
    page.keyboard.press("Enter")
    assert page.locator("dialog[open]").count() == 1
    page.keyboard.press("Escape")


def test_a_closing_that_is_told_late_takes_nothing_from_the_reader(page: Any) -> None:
    """The dialog's close event comes a task after it closed: the reader may have moved on."""
    cell(page, "inert").click()
    moved = """async () => {
        const dialog = document.querySelector("dialog");
        const [image, text] = ["image", "text.verbatim"].map(
            (rule) => document.querySelector(`tr[data-rule="${rule}"] button.cell`));
        dialog.close();
        text.focus();
        await new Promise((done) => setTimeout(done, 50));
        const focused = document.activeElement === text;
        image.click();
        dialog.close();
        text.click();
        await new Promise((done) => setTimeout(done, 50));
        return [focused, dialog.open, dialog.querySelectorAll(".sides").length > 0];
    }"""
    assert page.evaluate(moved) == [True, True, True]
    page.keyboard.press("Escape")


def test_filters_hide_rows(page: Any) -> None:
    page.fill("#filter-rule", "list, image")
    assert cell(page, "image").is_visible()
    assert not cell(page, "inert").is_visible()
    page.fill("#filter-rule", "")
    page.select_option("#filter-severity", label="violation")
    shown = page.locator("tbody tr:visible").all()
    assert [row.get_attribute("data-rule") for row in shown] == ["inert", "list.gated"]
    page.check("#filter-new")
    assert not cell(page, "list.gated").is_visible()
    assert page.locator("#count").inner_text() == "1 of 27 rules"
    page.uncheck("#filter-new")
    page.select_option("#filter-severity", value="")


def test_a_phone_scrolls_the_grid_and_not_the_page(page: Any) -> None:
    page.set_viewport_size({"width": 360, "height": 700})
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    cell(page, "image").click()
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    page.keyboard.press("Escape")
