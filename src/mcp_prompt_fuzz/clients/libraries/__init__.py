"""Python libraries that fetch prompts, each driven by a script in an environment of its own."""

from __future__ import annotations

from .catalogue import LIBRARIES, Library

__all__ = ["LIBRARIES", "Library"]
