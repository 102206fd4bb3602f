"""opencode: its own server is kept running, and commands are given over its local API.

A prompt is the command `SERVER:PROMPT`, both cleaned up; arguments are words after it, by position.
"""

from __future__ import annotations

import json
import platform
import re
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from mcp_prompt_fuzz.case import Case, declared_arguments
from mcp_prompt_fuzz.jsontypes import Json
from mcp_prompt_fuzz.lab.child import Child
from mcp_prompt_fuzz.lab.host import Address, HttpReply
from mcp_prompt_fuzz.lab.stage import MAIN
from mcp_prompt_fuzz.renderer import Progress, RendererUnavailable
from mcp_prompt_fuzz.transcript import Part, Transcript

from .environments import npm_environment
from .program import Bench, ProgramBroke, Shown, Unsupported

VERSION: Final = "1.18.33"


@dataclass(frozen=True, slots=True)
class Fork:
    """What tells one fork of opencode from another: names, and nothing else.

    `program` is the stem of the packages that hold the program for one platform. `changing`
    matches a whole text that it adds to a message, and groups in it what changes by itself.
    """

    name: str
    version: str
    package: str
    program: str
    binary: str
    settings_file: str
    variables: str
    changing: re.Pattern[str] | None = None


OPENCODE: Final = Fork(
    "opencode", VERSION, "opencode-ai", "opencode", "opencode", "opencode.json", "OPENCODE"
)

_READY: Final = re.compile(r"listening on (http://127\.0\.0\.1:\d+)")
# None of these touches a prompt. Without a catalogue of models, a watcher and a search index, a
# changed listing costs half as much.
_SWITCHES: Final = (
    "DISABLE_MODELS_FETCH",
    "DISABLE_AUTOUPDATE",
    "DISABLE_LSP_DOWNLOAD",
    "DISABLE_DEFAULT_PLUGINS",
    "DISABLE_FFF",
    "EXPERIMENTAL_DISABLE_FILEWATCHER",
)


class Opencode:
    """`program.Program` for opencode (npm `opencode-ai`) and its forks."""

    def __init__(self, version: str | None = None, fork: Fork = OPENCODE) -> None:
        self.name = fork.name
        self.version = version or fork.version
        self._fork = fork
        self._binary = Path()
        self._child: Child | None = None
        self._url = ""

    def install(self, progress: Progress) -> None:
        """Install the npm package; its platform package holds the program itself."""
        modules = npm_environment(self._fork.package, self.version, progress) / "node_modules"
        machine = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64"}
        cpu = machine.get(platform.machine().lower(), platform.machine().lower())
        system = "darwin" if sys.platform == "darwin" else "linux"
        for variant in _variants():
            package = modules / f"{self._fork.program}-{system}-{cpu}{variant}"
            binary = package / "bin" / self._fork.binary
            if not binary.exists():
                continue
            found = json.loads((package / "package.json").read_text(encoding="utf-8"))["version"]
            if found == self.version:
                self._binary = binary
                return
        raise RendererUnavailable(
            f"{self.name} {self.version} has no program for this machine",
            "try another version (NAME@VERSION), or another machine",
        )

    def start(self, bench: Bench, servers: Mapping[str, Address]) -> None:
        """Start its `serve` on a port of the system's choice."""
        self._bench = bench
        self._configure(servers)
        command = [str(self._binary), "serve", "--port", "0", "--hostname", "127.0.0.1"]
        catalogue = bench.sandbox.home / "models.json"
        catalogue.write_text("{}", encoding="utf-8")
        variables = {f"{self._fork.variables}_{name}": "1" for name in _SWITCHES}
        variables[f"{self._fork.variables}_MODELS_PATH"] = str(catalogue)
        self._child = bench.spawn(command, variables)
        assert self._child.output is not None
        deadline = time.monotonic() + max(bench.timeout, 60.0)
        while time.monotonic() < deadline:
            found = _READY.search(self._child.output.text)
            if found:
                self._url = found[1]
                return
            if self._child.exit_status is not None:
                break
            time.sleep(0.02)
        raise ProgramBroke(
            "hang" if self._child.exit_status is None else "exit",
            f"{self.name} did not start: {self._child.last_words()}",
        )

    def connect(self, servers: Mapping[str, Address]) -> None:
        """Have the instance read its configuration, and so the listings, again."""
        self._configure(servers)
        self._call("POST", "/instance/dispose")

    def listing(self) -> Sequence[Json] | None:
        """The commands that stand for prompts, as its terminal UI lists them."""
        commands = self._call("GET", "/command").json()
        shown = []
        for command in commands if isinstance(commands, list) else ():
            if command.get("source") == "mcp":
                server, _, name = str(command.get("name")).partition(":")
                told: Json = {"server": server, "name": name}
                if command.get("description") is not None:
                    told["description"] = command["description"]
                told["arguments"] = [{"name": hint} for hint in command.get("hints", ())]
                shown.append(told)
        return shown

    def shadow(self, prompt: Json) -> str:
        """Names that are equal after its clean-up are one command."""
        return _cleaned(prompt["name"])

    def express(self, case: Case) -> str | Unsupported:
        """The arguments as its user types them: quoted words in the order of declaration."""
        command = f"/{MAIN}:{_cleaned(case.prompt['name'])}"
        names = [argument["name"] for argument in declared_arguments(case.prompt)]
        given = [name for name in names if name in case.arguments]
        words = [_quoted(case.arguments[name]) for name in given]
        attempt = " ".join([command, *(word or "?" for word in words)])
        if set(case.arguments) - set(names):
            return Unsupported("arguments.verbatim: only declared arguments have a place", attempt)
        if given != names[: len(given)]:
            skipped = next(name for name in names if name not in case.arguments)
            return Unsupported(
                f"arguments.subsets: arguments are filled in by position, so {skipped!r} "
                "can't be left out before a later one",
                attempt,
            )
        if None in words:
            return Unsupported(
                "arguments.verbatim: a value that holds both kinds of quotes can't be typed",
                attempt,
            )
        return " ".join(filter(None, words))

    def invoke(self, case: Case, typed: str) -> Shown:
        """Give the command in a session of its own."""
        session = self._call("POST", "/session", {"title": "case"}).json()
        if not isinstance(session, dict) or "id" not in session:
            raise ProgramBroke("garbage", f"{self.name} gave no session")
        command = f"{MAIN}:{_cleaned(case.prompt['name'])}"
        path = f"/session/{session['id']}/command"
        reply = self._call("POST", path, {"command": command, "arguments": typed})
        answer = reply.json()
        if reply.status >= 400:
            return Shown(error=_message(answer) or reply.text[:500])
        if isinstance(answer, dict):
            failed = answer.get("info", {}).get("error")
            if failed:
                return Shown(error=_message(failed) or json.dumps(failed))
        return Shown()

    def is_of_the_case(self, request: Json) -> bool:
        """Every request but the one for a title."""
        messages = request["body"].get("messages", ()) if isinstance(request["body"], dict) else ()
        first = messages[0].get("content") if messages else None
        return not (isinstance(first, str) and first.startswith("You are a title generator"))

    def steady(self, turns: Transcript) -> Transcript:
        """The same at any time of the day."""
        changing = self._fork.changing
        if changing is None:
            return turns

        def constant(part: Part) -> Part:
            found = changing.fullmatch(part.text)
            return replace(part, text=part.text.replace(found[1], "(now)")) if found else part

        return tuple(replace(t, parts=tuple(map(constant, t.parts))) for t in turns)

    def stop(self) -> None:
        """End the server and what it started."""
        if self._child is not None:
            self._child.end()
            self._child = None

    def _configure(self, servers: Mapping[str, Address]) -> None:
        model = {
            "name": "Lab",
            "attachment": True,
            "tool_call": True,
            "modalities": {"input": ["text", "image", "audio", "pdf"], "output": ["text"]},
            "limit": {"context": 1_000_000, "output": 8192},
        }
        settings = {
            "model": "lab/lab-model",
            "small_model": "lab/lab-model",
            "share": "disabled",
            "autoupdate": False,
            "snapshot": False,
            "enabled_providers": ["lab"],
            "provider": {
                "lab": {
                    "name": "Lab",
                    "npm": "@ai-sdk/openai-compatible",
                    "options": {"baseURL": f"{self._bench.model_url}/v1", "apiKey": "none"},
                    "models": {"lab-model": model},
                }
            },
            "mcp": {
                name: {"type": "remote", "url": address.url, "enabled": True, "oauth": False}
                for name, address in servers.items()
            },
        }
        path = self._bench.sandbox.work / self._fork.settings_file
        path.write_text(json.dumps(settings, indent=2), encoding="utf-8")

    def _call(self, method: str, path: str, body: object = None) -> HttpReply:
        assert self._child is not None
        return self._bench.call(self._child, method, self._url + path, body)


def _variants() -> list[str]:
    """The builds that this machine can run, the best first."""
    cpuinfo = Path("/proc/cpuinfo")
    old = cpuinfo.exists() and "x86" in platform.machine() and "avx2" not in cpuinfo.read_text()
    musl = sys.platform == "linux" and platform.libc_ver()[0] != "glibc"
    return [b + m for b in (["-baseline"] if old else ["", "-baseline"]) for m in ["-musl" * musl]]


def _cleaned(name: str) -> str:
    return re.sub(r"[^a-zA-Z0-9_-]", "_", name)


def _quoted(value: str) -> str | None:
    """The word that stands for a value, None where there is none."""
    if value and not re.search(r"[\s\"']", value):
        return value
    if '"' not in value:
        return f'"{value}"'
    return None if "'" in value else f"'{value}'"


def _message(answer: object) -> str | None:
    """The text of an error as opencode spells it, wherever it stands."""
    if isinstance(answer, dict):
        for member in ("message", "data", "error", "issues"):
            found = answer.get(member)
            text = found if isinstance(found, str) else _message(found)
            if text:
                return text
    if isinstance(answer, list) and answer:
        return _message(answer[0])
    return None
