"""The baseline: the same cases, spelled with ``fixed_dictionaries`` as one would at first.

It has the same key paths as ``cases(listings=False)`` and about the same mean size; what differs is
how much is drawn for it, and that it can't tell slots from names that aren't declared.
"""

from typing import Any, Final

from hypothesis import strategies as st

from hypothesis_mcp._cases import ERRORS, INPUTS
from hypothesis_mcp._prompts import DESCRIPTIONS
from hypothesis_mcp._texts import TEXTS
from hypothesis_mcp.extras import icon_sets, metas
from hypothesis_mcp.media import AUDIO_TYPES, BLOB_TYPES, IMAGE_TYPES, TEXT_TYPES, base64_file_of
from hypothesis_mcp.names import ARGUMENT_NAMES, PROMPT_NAMES
from hypothesis_mcp.uris import LINK_NAMES, URIS
from hypothesis_mcp.values import VALUES

__all__ = ["baseline"]

Strategy = st.SearchStrategy[Any]

_DESCRIPTION: Final = st.sampled_from(DESCRIPTIONS)
_META: Final = st.sampled_from(metas())
_ICONS: Final = st.sampled_from(icon_sets())
_URI: Final = st.sampled_from(URIS)
_ANNOTATIONS: Final = st.fixed_dictionaries(
    {},
    optional={
        "audience": st.lists(st.sampled_from(["user", "assistant"]), unique=True),
        "priority": st.sampled_from([0, 0.5, 1]),
        "lastModified": st.just("2026-07-28T00:00:00Z"),
    },
)
_COMMON: Final[dict[str, Strategy]] = {"annotations": _ANNOTATIONS, "_meta": _META}
_SLOT: Final = st.fixed_dictionaries({"argument": st.sampled_from("abc")})
_TEXT: Final = st.sampled_from(TEXTS) | st.lists(st.sampled_from(TEXTS) | _SLOT, max_size=3)


def _media(kind: str, types: tuple[str, ...]) -> Strategy:
    return st.sampled_from(types).flatmap(
        lambda mime_type: st.fixed_dictionaries(
            {
                "type": st.just(kind),
                "data": st.sampled_from([base64_file_of(mime_type, n) for n in (0, 1)] + [""]),
                "mimeType": st.just(mime_type),
            },
            optional=_COMMON,
        )
    )


def _resource(inner: Strategy) -> Strategy:
    return st.fixed_dictionaries({"type": st.just("resource"), "resource": inner}, optional=_COMMON)


def _blob(mime_type: str) -> Strategy:
    return st.fixed_dictionaries(
        {
            "uri": _URI,
            "mimeType": st.just(mime_type),
            "blob": st.sampled_from([base64_file_of(mime_type, n) for n in (0, 1)] + [""]),
        },
        optional={"_meta": _META},
    )


_BLOCK: Final = st.one_of(
    st.fixed_dictionaries({"type": st.just("text"), "text": _TEXT}, optional=_COMMON),
    _media("image", IMAGE_TYPES),
    _media("audio", AUDIO_TYPES),
    _resource(
        st.fixed_dictionaries(
            {"uri": _URI, "mimeType": st.sampled_from(TEXT_TYPES), "text": _TEXT},
            optional={"_meta": _META},
        )
    ),
    _resource(st.sampled_from(BLOB_TYPES).flatmap(_blob)),
    st.fixed_dictionaries(
        {
            "type": st.just("resource_link"),
            "uri": _URI,
            "name": st.sampled_from(LINK_NAMES),
        },
        optional={
            **_COMMON,
            "title": _DESCRIPTION,
            "description": _DESCRIPTION,
            "mimeType": st.sampled_from(TEXT_TYPES),
            "size": st.integers(0, 2**53),
            "icons": _ICONS,
        },
    ),
)
_ARGUMENT: Final = st.fixed_dictionaries(
    {"name": st.sampled_from([*"abc", *ARGUMENT_NAMES.values()])},
    optional={"required": st.booleans(), "title": _DESCRIPTION, "description": _DESCRIPTION},
)
_RARELY: Final = {
    "error": st.fixed_dictionaries(
        {
            "on": st.sampled_from(["prompts/get", "prompts/list"]),
            "code": st.sampled_from([code for code, _ in ERRORS]),
            "message": st.sampled_from([message for _, message in ERRORS]),
        }
    ),
    "input": st.sampled_from(INPUTS),
    "capabilities": st.sampled_from([{}, {"prompts": {"listChanged": True}}]),
    "result": st.fixed_dictionaries({}, optional={"description": _DESCRIPTION, "_meta": _META}),
}


def baseline(max_messages: int) -> Strategy:
    """Cases with up to ``max_messages``, which sets their mean size."""
    message = st.fixed_dictionaries(
        {"role": st.sampled_from(["user", "assistant"]), "content": _BLOCK}
    )
    prompt = st.fixed_dictionaries(
        {"name": st.sampled_from(["p", *PROMPT_NAMES.values()])},
        optional={
            "title": _DESCRIPTION,
            "description": _DESCRIPTION,
            "arguments": st.lists(_ARGUMENT, max_size=2),
            "icons": _ICONS,
            "_meta": _META,
        },
    )
    return st.fixed_dictionaries(
        {
            "format": st.just("mcp-prompt-case/1"),
            "title": st.just("a case"),
            "revision": st.just("2026-07-28"),
            "prompt": prompt,
            "messages": st.lists(message, max_size=max_messages),
        },
        optional={
            "arguments": st.dictionaries(
                st.sampled_from("abc"), st.sampled_from(list(VALUES.values())), max_size=2
            ),
            **_RARELY,
        },
    )
