"""What every library's driver shares, spoken to over the line protocol."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

SERVERS = {"main": {"url": "http://127.0.0.1:9/", "command": []}}


class Spoken:
    """A driver in a process of its own."""

    def __init__(self, program: Path, *arguments: str, **variables: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, str(program), *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, **variables},
            text=True,
        )

    def ask(self, op: str, **members: Any) -> Any:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"op": op, **members}) + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())

    def list(self, number: int = 1) -> Any:
        return self.ask("list", id=number, servers=SERVERS)

    def render(self, name: str, number: int = 2, **more: Any) -> Any:
        invoke = {"server": "main", "name": name, "arguments": {}}
        asked = {"servers": SERVERS, "invoke": invoke, "model": {"url": ""}, **more}
        return self.ask("render", id=number, **asked)

    def end(self, line: str = '{"op": "bye"}\n') -> int:
        self._process.communicate(line, timeout=10)
        return self._process.returncode


@pytest.fixture
def driver(small_driver: Path) -> Iterator[Spoken]:
    spoken = Spoken(small_driver)
    yield spoken
    assert spoken.end() == 0


def told(reply: Any) -> dict[str, str]:
    lines = reply["messages"][0]["content"].splitlines()
    return dict(line.split("=", 1) for line in lines if "=" in line)


def test_it_tells_the_version_that_is_installed(driver: Spoken) -> None:
    hello = driver.ask("hello", protocol=1)
    assert hello["protocol"] == 1
    assert (hello["name"], hello["version"]) == ("hypothesis", version("hypothesis"))
    assert hello["accepts"] == "server"


def test_replies_carry_their_id_and_prints_are_kept_out(driver: Spoken) -> None:
    assert driver.list(7) == {"id": 7, "prompts": [{"server": "main", "name": "connection 1"}]}
    assert driver.render("x", 8)["id"] == 8


def test_a_connection_lasts_until_definitions_change(driver: Spoken) -> None:
    driver.list()
    assert told(driver.render("x"))["connections"] == "1"
    assert told(driver.render("x"))["connections"] == "1"
    driver.list()  # after an invocation: a new stage
    assert told(driver.render("x"))["connections"] == "3"
    driver.list()
    driver.list()  # after a listing: an announced change, which the old connection heard of
    assert told(driver.render("x"))["connections"] == "5"


def test_where_nothing_is_listed_each_invocation_connects(small_driver: Path) -> None:
    driver = Spoken(small_driver, LISTS="never")
    assert "prompts" not in driver.list()
    assert [told(driver.render("x"))["connections"] for _ in "12"] == ["3", "5"]
    driver.end()


def test_what_listing_raises_is_what_an_invocation_shows(small_driver: Path) -> None:
    driver = Spoken(small_driver, LISTS="fails")
    assert driver.list()["prompts"] == []
    assert driver.render("x")["error"] == "ValueError: no list today"
    driver.end()


@pytest.mark.parametrize(
    ("name", "reply"),
    [
        ("unsupported", {"unsupported": "arguments.verbatim: nobody says that", "shown": "/x"}),
        ("group", {"error": "ValueError: inside"}),
    ],
)
def test_what_goes_wrong_is_a_reply(driver: Spoken, name: str, reply: dict[str, Any]) -> None:
    assert driver.render(name) == {"id": 2, **reply}
    assert "messages" in driver.render("x")


def test_a_cancelled_connection_is_an_error_and_is_made_anew(driver: Spoken) -> None:
    assert "error" in driver.render("cancelled")
    assert "messages" in driver.render("x")


def test_a_connection_that_fails_is_an_error(driver: Spoken) -> None:
    refusing = {"refusing": SERVERS["main"]}
    assert driver.render("x", servers=refusing)["error"] == "OSError: connection refused"
    assert "messages" in driver.render("x")


def test_it_ends_with_its_input(small_driver: Path) -> None:
    assert Spoken(small_driver).end("") == 0


def test_loading_alone_ends_at_once(small_driver: Path) -> None:
    assert Spoken(small_driver, "--load").end("") == 0


def test_a_pure_function_is_given_the_result(small_driver: Path) -> None:
    driver = Spoken(small_driver, ACCEPTS="result")
    assert driver.ask("hello", protocol=1)["accepts"] == "result"
    result = {"messages": [{"role": "user", "content": {"type": "text", "text": "\ud800"}}]}
    assert driver.ask("render", id=3, result=result) == {"id": 3, "text": "\ud800"}
    driver.end()
