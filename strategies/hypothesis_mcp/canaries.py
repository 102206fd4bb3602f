"""Texts that a client might act upon: the only ones this package ever draws.

Real clients run what they are sent: some execute ``!`...` `` in a prompt, read the file after an
``@``, fill in ``$1`` or treat a leading ``/`` as a command. Probes for that are never random. They
come from this fixed list, every one harmless if run: a shell canary prints a word, or makes an
empty marker file in the current folder; a mention names a marker file.

Prompt text is data (all revisions say that prompt content is defined by the server), so a faithful
renderer passes each of these on verbatim.
"""

from dataclasses import dataclass
from typing import Final

__all__ = ["CANARIES", "MARKER_FILE", "MENTION_FILE", "Canary", "canaries_for"]

MENTION_FILE: Final = ("pfz-canary.txt", "pfz-7f3a-mentioned\n")
"""Name and content of the file that mention canaries name; whoever sandboxes a client makes it."""

MARKER_FILE: Final = "pfz-canary-ran"
"""The empty file that a sandboxed shell canary makes in the current folder when it is run."""

_MENTIONED: Final = "pfz-7f3a-mentioned"


@dataclass(frozen=True)
class Canary:
    """A text that a client might run, expand or read, and how one can tell.

    ``evidence`` is what appears in the output (or, for `MARKER_FILE`, the working folder) if the
    client acted, and can't appear otherwise; ``""`` where nobody can know. ``disarmed`` looks
    alike, and no client acts upon it.
    """

    name: str
    text: str
    aspect: str
    evidence: str
    needs_sandbox: bool
    disarmed: str


def _canary(
    name: str,
    text: str,
    aspect: str,
    disarmed: str,
    evidence: str = "",
    needs_sandbox: bool = False,
) -> Canary:
    return Canary(name, text, aspect, evidence, needs_sandbox, disarmed)


# The evidence differs from every substring of its text, so that an echo proves nothing.
CANARIES: Final[tuple[Canary, ...]] = (
    _canary("shell.bang", "!`echo pfz-$((6*7))-ran`", "shell", "! 'echo pfz-42'", "pfz-42-ran"),
    _canary(
        "shell.bang_brace", "!{echo pfz-$((6*8))-ran}", "shell", "! (echo pfz-48)", "pfz-48-ran"
    ),
    _canary("shell.dollar", "$(echo pfz-$((6*9))-ran)", "shell", "(echo pfz-54)", "pfz-54-ran"),
    _canary("shell.backtick", "`echo pfz-$((6*3))-ran`", "shell", "'echo pfz-18'", "pfz-18-ran"),
    _canary("shell.bang_line", "!echo pfz-$((6*5))-ran", "shell", "! echo pfz-30", "pfz-30-ran"),
    _canary("shell.marker", f"!`touch {MARKER_FILE}`", "shell", "! 'touch it'", MARKER_FILE, True),
    _canary(
        "shell.marker_brace",
        f"!{{touch {MARKER_FILE}}}",
        "shell",
        "! (touch it)",
        MARKER_FILE,
        True,
    ),
    _canary("mention.at", "@pfz-canary.txt", "mention", "pfz-canary.txt", _MENTIONED, True),
    _canary("mention.at_dot", "@./pfz-canary.txt", "mention", "./pfz-canary.txt", _MENTIONED, True),
    _canary(
        "mention.at_brace", "@{pfz-canary.txt}", "mention", "(pfz-canary.txt)", _MENTIONED, True
    ),
    _canary("mention.hash", "#[[file:pfz-canary.txt]]", "mention", "[file: pfz]", _MENTIONED, True),
    _canary("template.positional", "$1", "template", "1 $"),
    _canary("template.arguments", "$ARGUMENTS", "template", "ARGUMENTS $"),
    _canary("template.all", "$@", "template", "@ $"),
    _canary("template.match", "$&", "template", "& $"),
    _canary("template.mustache", "{{topic}}", "template", "( (topic) )"),
    _canary("template.args", "{{args}}", "template", "( (args) )"),
    _canary("template.mustache_sum", "{{7*6}}", "template", "( (7*6) )", "42"),
    _canary("template.mustache_raw", "{{{topic}}}", "template", "( ( (topic) ) )"),
    _canary("template.dollar_brace", "${topic}", "template", "$ (topic)"),
    _canary("template.dollar_name", "$topic", "template", "topic $"),
    _canary("template.brace", "{topic}", "template", "(topic)"),
    _canary("template.brace_index", "{0}", "template", "(0)"),
    _canary("template.percent", "%(topic)s", "template", "(topic) s, %"),
    _canary("template.percent_s", "%s", "template", "s, %"),
    _canary("template.erb", "<%= 7*6 %>", "template", "< %= 7*6 % >", "42"),
    _canary("template.jinja_block", "{% if topic %}b{% endif %}", "template", "( % topic % ) b"),
    _canary("template.jinja_comment", "{# gone #}", "template", "( # gone # )"),
    _canary("template.hash_brace", "#{7*6}", "template", "# (7*6)", "42"),
    _canary("template.angle", "<topic>", "template", "< topic >"),
    _canary("template.windows", "%TOPIC%", "template", "TOPIC, %"),
    _canary("template.include", "![[topic]]", "template", "! [topic]"),
    _canary("slash.help", "/help", "slash", "help /"),
    _canary("slash.clear_line", "/pfz-no-such-command a", "slash", "pfz-no-such-command / a"),
    _canary("escape.percent", "%20", "escape", "% 20"),
    _canary("escape.backslash_n", "\\n", "escape", "\\ n"),
    _canary("escape.unicode", "\\u0041", "escape", "\\ u0041"),
    _canary("escape.entity", "&amp;", "escape", "& amp ;"),
    _canary("escape.entity_number", "&#65;", "escape", "& #65 ;"),
    _canary("escape.plus", "a+b", "escape", "a + b"),
    _canary("escape.doubled", "a\\\\b", "escape", "a \\ b"),
    _canary("escape.quote", '\\"', "escape", '\\ "'),
    _canary("escape.braces", "{{{{", "escape", "(((("),
)
"""Every canary, in the order in which strategies shrink through them."""


def canaries_for(sandboxed: bool) -> tuple[Canary, ...]:
    """The canaries that may be drawn: without a sandbox, only those that at most print."""
    return tuple(canary for canary in CANARIES if sandboxed or not canary.needs_sandbox)
