"""The faithful fakes by name."""

from __future__ import annotations

from typing import Final

from . import shapes_dialects, shapes_messages, shapes_strings
from .blocks import Blocks, Reply
from .clients import Client, ClientWithACommandLine, ClientWithoutAListing
from .renderers import Fake, OfResult, Refused
from .users import User, UserWhoReadsTheListing


def no_messages_refused(blocks: Blocks) -> Reply:
    """A prompt without messages is an error that the user is shown."""
    if not blocks:
        raise Refused("this prompt has no messages")
    return shapes_messages.merged_neighbours(blocks)


_SHAPES: Final = (
    shapes_messages.one_part_a_message,
    shapes_messages.merged_neighbours,
    shapes_messages.documents_inlined,
    shapes_messages.metadata_as_json_before_each_part,
    shapes_messages.attachments_last,
    shapes_messages.long_texts_in_chunks,
    shapes_messages.long_texts_as_files,
    shapes_messages.same_image_as_above,
    shapes_messages.empty_texts_skipped,
    shapes_messages.user_only_parts_withheld,
    shapes_messages.with_preamble_and_postamble,
    shapes_messages.with_volatile_system_message,
    shapes_messages.assistant_media_in_user_turns,
    shapes_messages.speakers_named_in_one_turn,
    shapes_messages.whole_prompt_as_system_message,
    shapes_messages.checksums_beside_media,
    shapes_messages.first_words_as_title,
    shapes_messages.as_tool_result,
    no_messages_refused,
    shapes_strings.tagged_roles,
    shapes_strings.questions_and_answers,
    shapes_strings.markdown_with_growing_fences,
    shapes_strings.xml_with_escaped_attributes,
    shapes_strings.base64_wrapped_at_76,
    shapes_strings.base64_for_urls,
    shapes_strings.bytes_in_hexadecimal,
    shapes_strings.ids_in_every_line,
    shapes_strings.counters_and_lengths,
    shapes_strings.json_lines_with_native_texts,
    shapes_dialects.openai_chat,
    shapes_dialects.openai_responses,
    shapes_dialects.anthropic_messages,
    shapes_dialects.gemini_contents,
    shapes_dialects.ollama_chat,
)

FAITHFUL: Final[dict[str, Fake]] = {
    **{shape.__name__: OfResult(shape) for shape in _SHAPES},
    "user_of_messages": User(shapes_messages.one_part_a_message),
    "user_of_a_tagged_string": User(shapes_strings.tagged_roles),
    "user_who_reads_the_listing": UserWhoReadsTheListing(shapes_dialects.anthropic_messages),
    "client_of_messages": Client(shapes_messages.merged_neighbours),
    "client_of_chat_completions": Client(shapes_dialects.openai_chat),
    "client_with_a_command_line": ClientWithACommandLine(shapes_strings.tagged_roles),
    "client_without_a_listing": ClientWithoutAListing(shapes_messages.with_preamble_and_postamble),
}
"""Renderers that keep every rule."""
