"""Exceptions that nobody can catch: raised in a finalizer, or a callback of the collector.

A signal that comes there is lost, and Python would print a traceback of it.
"""

from __future__ import annotations

import sys
from typing import Any


def say_nothing_of(kind: type[BaseException]) -> None:
    """From here on nothing is printed of such an exception; of others what would be, as before."""
    before = sys.unraisablehook

    def hear(unraisable: Any) -> None:
        if not issubclass(unraisable.exc_type, kind):
            before(unraisable)

    sys.unraisablehook = hear
