"""A real client as a renderer: publishes, invokes, reads what the model was sent, restarts.

Definitions are published many at once, since a change of the listing costs seconds while content
is fetched at each invocation. A case that says something about the listing itself gets a listing
of its own, for which the client connects afresh.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from mcp_prompt_fuzz.case import Case
from mcp_prompt_fuzz.dialects import DialectError, decode
from mcp_prompt_fuzz.jsontypes import Json, canonical
from mcp_prompt_fuzz.lab.host import LAB_FAILED, Address, Lab, LabError, Taken
from mcp_prompt_fuzz.lab.sandbox import Sandbox, reap_leftovers
from mcp_prompt_fuzz.renderer import Identity, Progress, RendererUnavailable, quiet
from mcp_prompt_fuzz.rendering import Breakage, Rendering, Request
from mcp_prompt_fuzz.transcript import canonical_transcript

from .environments import cache_folder, clients_folder
from .lab_environment import lab_python
from .program import Bench, Program, ProgramBroke, Shown, Unsupported

_MOST_PUBLISHED: Final = 300
_MOST_RESTARTS: Final = 3
_SETTLE: Final = 0.5
"""Seconds that a client gets to pick up an announced change."""

_QUIET: Final = 0.15
"""Seconds without a request after which a client is taken to be done."""

_FLOOD: Final = "it sends our servers more than anybody would read"
_PLAIN: Final = Case(title="", revision="", prompt={"name": ""}, messages=())
_READY: Final = replace(_PLAIN, prompt={"name": "ready"})


class ServedRenderer:
    """`renderer.Renderer` for one client program. Installs and starts it at once.

    Raises `RendererUnavailable` where it can't be installed or started, or is lost for good.
    """

    def __init__(
        self, program: Program, *, revision: str, timeout: float, progress: Progress = quiet
    ) -> None:
        self._program = program
        self._revision = revision
        self._timeout = timeout
        self._published: dict[str, Json] = {}
        self._lately: dict[str, Json] = {}
        self._coming: dict[str, Json] = {}
        self._on_stage: str | None = None
        self._seen: set[str] = set()
        self._restarts = 0
        self._client: tuple[str, str] | None = None
        self._negotiated: str | None = None
        self._listing: tuple[Json, ...] | None = None
        self._listed: tuple[Request, ...] = ()
        self._running = False
        reap_leftovers(self._record)
        lab = lab_python(progress)
        program.install(progress)
        progress(f"starting {program.name} {program.version}")
        self._sandbox = Sandbox(self._record)
        try:
            self._lab = Lab(self._sandbox, python=lab, see=[clients_folder()])
            self._bench = Bench(self._sandbox, self._lab, timeout)
            self._connect_to(_READY, ())
        except (LabError, ProgramBroke) as problem:
            self.close()
            raise RendererUnavailable(
                f"{program.name} could not be started: {problem}",
                "give it more time (--timeout S), or try another version (NAME@VERSION)",
            ) from None
        except BaseException:
            self.close()
            raise
        self._isolation = self._sandbox.isolation.description

    @property
    def _record(self) -> Path:
        return cache_folder() / "running"

    @property
    def identity(self) -> Identity:
        """Who is tested; how the client introduced itself is known once it has connected."""
        return Identity(
            spec=self._program.name,
            name=self._program.name,
            version=self._program.version,
            lane="client",
            view="server",
            client=self._client,
            revisions=(self._negotiated,) if self._negotiated else None,
            isolation=self._isolation,
            sandboxed=True,
        )

    def prepare(self, cases: Iterable[Case]) -> None:
        """Learn which definitions come next, so that one listing can hold them all."""
        for case in cases:
            if _shares_a_listing(case):
                for prompt in _definitions(case):
                    self._coming[prompt["name"]] = prompt

    def render(self, case: Case) -> Rendering:
        """Put the case before the client and read what the model was sent."""
        try:
            listed = self._list_for(case)
            for earlier in case.before:
                self._one(earlier, ())
            rendering = self._one(case, listed)
        except ProgramBroke as problem:
            taken = self._taken_anyway()
            if taken is not None and taken.flooded:
                problem = ProgramBroke("flood", f"{_FLOOD}; {problem.detail}")
            rendering = Rendering(
                broke=Breakage(problem.kind, problem.detail),
                requests=taken.requests if taken else (),
                ran=self._sandbox.take_markers(),
            )
            self._restart(problem)
        except LabError as problem:
            raise RendererUnavailable(f"the lab was lost: {problem}", LAB_FAILED) from None
        else:
            self._restarts = 0
        return rendering

    def close(self) -> None:
        """End every process and free every folder. May be called twice."""
        try:
            self._program.stop()
        finally:
            if hasattr(self, "_lab"):
                self._lab.close()
            self._sandbox.close()

    def _one(self, case: Case, listed: tuple[Request, ...]) -> Rendering:
        typed = self._program.express(case)
        if isinstance(typed, Unsupported):
            return Rendering(
                unsupported=typed.why,
                shown=typed.attempt,
                requests=listed,
                listing=self._listing if listed else None,
            )
        self._lab.serve(case, "invoke")
        shown = self._program.invoke(case, typed)
        taken = self._take()
        ran = self._sandbox.take_markers()
        requests = listed + taken.requests
        listing = self._listing if listed else None
        sent = [request for request in taken.models if self._program.is_of_the_case(request)]
        rendering = _read(sent, shown, requests, listing, ran)
        return replace(rendering, turns=self._program.steady(rendering.turns))

    def _list_for(self, case: Case) -> tuple[Request, ...]:
        """Have the client know the case's definitions; the requests of a listing of its own."""
        if not _shares_a_listing(case):
            listing = _own_listing(case)
            # Who renders the very same case again wants to see the listing happen again.
            if listing != self._on_stage or case.key in self._seen:
                self._connect_to(case, ())
                self._relist(case)
                self._on_stage = listing
            self._seen.add(case.key)
            return self._listed
        needed = {prompt["name"]: prompt for prompt in _definitions(case)}
        if all(self._published.get(name) == prompt for name, prompt in needed.items()):
            return ()
        chosen = self._choose(needed)
        first, *extra = chosen.values()
        self._connect_to(replace(_PLAIN, prompt=first), extra)
        self._published = self._lately = chosen
        return ()

    def _relist(self, case: Case) -> None:
        """Announce the case's changed listing, if it has one, and have it looked at again."""
        if case.relist is not None:
            self._lab.announce(case.relist)
            time.sleep(_SETTLE)
            self._listed += self._look().requests

    def _choose(self, needed: Mapping[str, Json]) -> dict[str, Json]:
        """What to publish: what is needed now, what comes next, what was published last.

        What stood there before a listing of some case's own, or before a restart, comes again.
        """
        chosen: dict[str, Json] = {}
        shadows: set[str] = set()
        coming = [*needed.items(), *self._coming.items(), *reversed(self._lately.items())]
        for name, prompt in coming:
            shadow = self._program.shadow(prompt)
            if shadow not in shadows and len(chosen) < _MOST_PUBLISHED:
                shadows.add(shadow)
                chosen[name] = prompt
        for name in [n for n, prompt in self._coming.items() if chosen.get(n) == prompt]:
            del self._coming[name]
        return chosen

    def _connect_to(self, listing: Case, extra: Iterable[Json]) -> None:
        """Put a listing on stage and have the client read it."""
        self._published, self._on_stage, self._seen = {}, None, set()
        servers = self._lab.stage(listing, list(extra), self._revision)
        own = None if listing.revision == "" else listing
        self._lab.serve(own, "list")
        self._lab.take()
        if self._running:
            self._program.connect(servers)
        else:
            self._start(servers)
        taken = self._look()
        self._listed = taken.requests
        self._client = taken.client or self._client
        self._negotiated = taken.negotiated or self._negotiated

    def _look(self) -> Taken:
        """Have the client's listing looked at; what was asked of the servers until now."""
        begun = time.monotonic()
        shown = self._program.listing()
        self._listing = None if shown is None else tuple(shown)
        # Some clients go on asking after they have shown their listing; a busy machine, for longer.
        quiet = max(_QUIET, (time.monotonic() - begun) / 4)
        self._lab.settle(quiet, self._timeout)
        return self._take()

    def _take(self) -> Taken:
        taken = self._lab.take()
        if taken.flooded:
            raise ProgramBroke("flood", _FLOOD)
        return taken

    def _start(self, servers: Mapping[str, Address]) -> None:
        self._program.start(self._bench, servers)
        self._running = True

    def _restart(self, problem: ProgramBroke) -> None:
        """Stop the program; the next listing starts it again.

        After three in a row it has to show that it still starts at all: a client may well break
        upon one case after the other. Raises `RendererUnavailable` where it doesn't.
        """
        self._stop()
        self._restarts += 1
        if self._restarts <= _MOST_RESTARTS:
            return
        try:
            self._connect_to(_READY, ())
        except ProgramBroke as last:
            self._stop()
            raise RendererUnavailable(
                f"{self._program.name} broke {self._restarts} times in a row, and then: "
                f"{last.detail}",
                "give it more time (--timeout S); what was found until then is in the reports",
            ) from problem
        self._restarts = 0

    def _stop(self) -> None:
        self._program.stop()
        self._running = False
        self._published, self._on_stage = {}, None

    def _taken_anyway(self) -> Taken | None:
        try:
            return self._lab.take()
        except LabError:
            return None


def _shares_a_listing(case: Case) -> bool:
    """Whether the case says nothing about the listing, so that others may stand beside it."""
    return (
        case.pages == _PLAIN.pages
        and case.relist is None
        and not case.beside
        and case.capabilities == _PLAIN.capabilities
        and not (case.error and case.error["on"] == "prompts/list")
        and not (case.rule or "").startswith("list.")
    )


def _own_listing(case: Case) -> str:
    """Equal for cases whose listings are: their twins, and whatever differs in content alone."""

    def offered(pages: Iterable[Json]) -> list[Json]:
        offers = [[o if o == "@" else o["prompt"] for o in page["prompts"]] for page in pages]
        return [{**page, "prompts": o} for page, o in zip(pages, offers, strict=True)]

    beside = {
        name: {**server, "pages": offered(server.get("pages", ()))}
        for name, server in case.beside.items()
    }
    failing = case.error if case.error and case.error["on"] == "prompts/list" else None
    relist = None if case.relist is None else offered(case.relist)
    shown = [_definitions(case), case.capabilities, offered(case.pages), relist, beside, failing]
    return canonical(shown)


def _definitions(case: Case) -> list[Json]:
    return [*(earlier.prompt for earlier in case.before), case.prompt]


def _read(
    sent: list[Json],
    shown: Shown,
    requests: tuple[Request, ...],
    listing: tuple[Json, ...] | None,
    ran: tuple[str, ...],
) -> Rendering:
    """The rendering that the first model request of an invocation amounts to."""
    if not sent:
        return Rendering(
            error=shown.error, shown=shown.text, requests=requests, listing=listing, ran=ran
        )
    try:
        decoded = decode(sent[0]["dialect"], sent[0]["body"])
    except DialectError as problem:
        broke = Breakage("garbage", f"the model request can't be read: {problem}")
        return Rendering(broke=broke, requests=requests, listing=listing, ran=ran)
    return Rendering(
        turns=canonical_transcript(decoded.turns),
        shown=shown.error or shown.text,
        requests=requests,
        listing=listing,
        ran=ran,
        dialect=sent[0]["dialect"],
        provider_notes=decoded.notes,
    )
