"""Every fake by its name."""

from __future__ import annotations

from typing import Final

from . import (
    faults_of_clients,
    faults_of_parts,
    faults_of_programs,
    faults_of_texts,
    faults_of_users,
    faults_of_wholes,
)
from .faithful import FAITHFUL
from .faulty import FaultyFake

__all__ = ["FAITHFUL", "FAULTY", "NOT_YET"]

FAULTY: Final[dict[str, FaultyFake]] = {
    **faults_of_texts.FAULTS,
    **faults_of_parts.FAULTS,
    **faults_of_wholes.FAULTS,
    **faults_of_programs.FAULTS,
    **faults_of_users.FAULTS,
    **faults_of_clients.FAULTS,
}
"""Renderers with one fault each."""

NOT_YET: Final[dict[str, str]] = {}
"""Fakes on which the oracle is still wrong, each with what is wrong."""
