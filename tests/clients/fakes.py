"""`small_client.py` as a `Program`, with the failures that a real one might have at its start."""

from __future__ import annotations

import json
import re
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from mcp_prompt_fuzz.case import Case
from mcp_prompt_fuzz.clients.program import Bench, ProgramBroke, Shown, Unsupported
from mcp_prompt_fuzz.jsontypes import Json
from mcp_prompt_fuzz.lab.child import Child
from mcp_prompt_fuzz.lab.host import Address, HttpReply
from mcp_prompt_fuzz.renderer import Progress
from mcp_prompt_fuzz.transcript import Transcript

SCRIPT = Path(__file__).with_name("small_client.py")


class SmallClient:
    """Faithful, but for the texts that it was taught to misbehave upon.

    `upon` is a kind of content and the word that it then acts upon.
    """

    name = "small"
    version = "1"

    def __init__(self, *, starts: int = 1_000) -> None:
        self.starts = starts
        self.upon: tuple[str, str] | None = None
        self.started = 0
        self.connected = 0
        self.child: Child | None = None

    def install(self, progress: Progress) -> None:
        progress("nothing to install")

    def start(self, bench: Bench, servers: Mapping[str, Address]) -> None:
        self.bench = bench
        self.started += 1
        if self.started > self.starts:
            raise ProgramBroke("exit", "it starts no more")
        self._configure(servers)
        command = [sys.executable, "-S", str(SCRIPT), str(self._servers_file), bench.model_url]
        self.child = bench.spawn(command, {})
        assert self.child.output is not None
        deadline = time.monotonic() + 20
        while not (found := re.search(r"at (\S+) ", self.child.output.text)):
            if self.child.exit_status is not None or time.monotonic() > deadline:
                raise ProgramBroke("exit", self.child.last_words())
            time.sleep(0.01)
        self.url = found[1]

    def connect(self, servers: Mapping[str, Address]) -> None:
        self.connected += 1
        self._configure(servers)
        self._call("POST", "/connect")

    def listing(self) -> Sequence[Json] | None:
        reply = self._call("GET", "/list")
        return reply.json() if reply.status == 200 else ()

    def shadow(self, prompt: Json) -> str:
        return str(prompt["name"]).lower()

    def express(self, case: Case) -> str | Unsupported:
        if "unspeakable" in case.arguments.values():
            return Unsupported("arguments.verbatim: nobody says that", "/look ?")
        return ""

    def invoke(self, case: Case, typed: str) -> Shown:
        asked = {"server": "main", "name": case.prompt["name"], "arguments": case.arguments}
        if self.upon and self.upon[0] in [m["content"]["type"] for m in case.messages]:
            asked["act"] = self.upon[1]
        reply = self._call("POST", "/invoke", asked)
        answer = reply.json()
        return Shown(error=answer["error"]) if reply.status == 400 else Shown(answer["said"])

    def is_of_the_case(self, request: Json) -> bool:
        return True

    def steady(self, turns: Transcript) -> Transcript:
        return turns

    def stop(self) -> None:
        if self.child is not None:
            self.child.end()

    @property
    def _servers_file(self) -> Path:
        return self.bench.sandbox.home / "servers.json"

    def _configure(self, servers: Mapping[str, Address]) -> None:
        urls = {name: address.url for name, address in servers.items()}
        self._servers_file.write_text(json.dumps(urls), encoding="utf-8")

    def _call(self, method: str, path: str, body: object = None) -> HttpReply:
        assert self.child is not None
        return self.bench.call(self.child, method, self.url + path, body)
