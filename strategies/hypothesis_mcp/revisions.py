"""What each protocol revision lets a prompt hold.

One table of features with the revision that introduced each. Everything else in the package asks
it, so that a new revision is one line here. Source: the published ``schema.json`` of every
revision, and for links in prompts the schema alone (the pages say so from 2026-07-28 on).
"""

from typing import Final

__all__ = ["FEATURES", "KINDS", "NEWEST", "REVISIONS", "check_revision", "kinds_of", "supports"]

REVISIONS: Final = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28")
"""Every published revision with prompts and a dated schema, oldest first."""

NEWEST: Final = REVISIONS[-1]

KINDS: Final = ("text", "image", "audio", "resource.text", "resource.blob", "resource_link")
"""Every kind of content block; ``resource`` counts as two, since its two forms break apart."""

FEATURES: Final = {
    "text": "2024-11-05",
    "image": "2024-11-05",
    "resource.text": "2024-11-05",
    "resource.blob": "2024-11-05",
    "annotations": "2024-11-05",
    "result._meta": "2024-11-05",
    "audio": "2025-03-26",
    "resource_link": "2025-06-18",
    "title": "2025-06-18",
    "_meta": "2025-06-18",
    "lastModified": "2025-06-18",
    "icons": "2025-11-25",
    "input_required": "2026-07-28",
    "empty_cursor": "2026-07-28",
    "result_type": "2026-07-28",
}
"""Feature to the revision that introduced it; none was withdrawn so far.

``_meta`` is that of blocks, resource contents and prompt definitions. ``empty_cursor`` means that
the revision rules what ``""`` as a cursor means (2026-07-28, pagination: not the end).
``result_type`` means that results name their type, and listings their lifetime and scope.
"""


def check_revision(revision: str) -> str:
    """Give ``revision`` back, or raise ``ValueError`` naming the known ones."""
    if revision not in REVISIONS:
        raise ValueError(f"unknown revision {revision!r}: one of {', '.join(REVISIONS)}")
    return revision


def supports(revision: str, feature: str) -> bool:
    """Whether ``revision`` knows ``feature`` (a key of `FEATURES`).

    >>> supports("2024-11-05", "audio"), supports("2025-03-26", "audio")
    (False, True)

    Raises ``ValueError`` for an unknown revision, ``KeyError`` for an unknown feature.
    """
    # Revision names are ISO dates, so they order as strings.
    return check_revision(revision) >= FEATURES[feature]


def kinds_of(revision: str) -> tuple[str, ...]:
    """The kinds of content block that a prompt message may hold under ``revision``.

    >>> kinds_of("2024-11-05")
    ('text', 'image', 'resource.text', 'resource.blob')
    """
    return tuple(kind for kind in KINDS if supports(revision, kind))
