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

__all__ = ["FAITHFUL", "FAULTY", "NOT_SMALLEST_YET", "NOT_YET"]

FAULTY: Final[dict[str, FaultyFake]] = {
    **faults_of_texts.FAULTS,
    **faults_of_parts.FAULTS,
    **faults_of_wholes.FAULTS,
    **faults_of_programs.FAULTS,
    **faults_of_users.FAULTS,
    **faults_of_clients.FAULTS,
}
"""Renderers with one fault each."""

NOT_YET: Final[dict[str, str]] = {
    "attachments_last": "a document that is sent as a file counts as a text for `order`",
    "ids_in_every_line": "judging takes 100 ms an example: the patterns backtrack",
    "client_of_messages": "list.complete is blamed where the listing ended with an error",
    "client_of_chat_completions": "as client_of_messages",
    "client_with_a_command_line": "as client_of_messages",
    "wraps_at_80": "slow, as ids_in_every_line",
    "expands_dollar_braces": "slow, as ids_in_every_line",
    "expands_positional_variables": "a text that is nothing but $1 is called lost",
    "makes_the_marker_file": "what ran is seen only where the text is altered, too",
    "keeps_the_last_images": "media that are left behind are not seen",
    "refuses_sounds": "the refusal of an empty sound is called an error that no part explains",
    "lowercases_names_of_links": "a changed name is never seen",
    "cleans_names_into_one": "rare, and the smallest case does not list its prompt",
    "binds_by_position": "a text that holds a misbound value is blamed, too",
    "never_reads_again": "list.reachable is blamed, too",
    "forgets_on_change": "list.reachable is blamed, too",
}
"""Fakes on which the oracle is still wrong, each with what is wrong."""

NOT_SMALLEST_YET: Final[dict[str, str]] = {
    "removes_byte_order_marks": "a mark alone has another aspect than one in a text",
    "merges_equal_texts": "equal texts are not shortened together",
    "drops_vector_images": "a PNG file under another media type is no fair case",
    "breaks_the_protocol_on_svg": "as drops_vector_images",
    "cuts_sounds": "the smallest sound is called announced",
    "calls_every_image_png": "as drops_vector_images",
    "calls_every_sound_wav": "as drops_vector_images",
    "forgets_the_types_of_blobs": "the smallest file of another type is not tried",
    "keeps_the_last_prompt": "the history is shrunk away",
    "keeps_the_first_text": "the history is shrunk away",
    "cleans_names_and_keeps_the_first": "other prompts of a listing are not made plainer",
    "knows_names_only": "other servers are not made plainer",
}
"""Faulty fakes whose smallest case is not at its optimum yet, each with the reason."""
