"""Models of the installed SDK, for tests that never heard of the harness."""

from typing import Any

import mcp.types
from hypothesis import HealthCheck, given, settings

from hypothesis_mcp import sdk
from hypothesis_mcp.revisions import REVISIONS

few = settings(
    max_examples=100, deadline=None, database=None, suppress_health_check=list(HealthCheck)
)


def test_the_default_revision_is_one_that_the_sdk_speaks() -> None:
    assert sdk.SDK_REVISION in REVISIONS
    assert sdk.SDK_REVISION <= mcp.types.LATEST_PROTOCOL_VERSION


@given(sdk.get_prompt_results())
@few
def test_results_are_models_with_their_content(result: Any) -> None:
    assert isinstance(result, mcp.types.GetPromptResult)
    again = mcp.types.GetPromptResult.model_validate_json(
        result.model_dump_json(by_alias=True, exclude_none=True)
    )
    assert len(again.messages) == len(result.messages)


@given(sdk.prompt_messages(kinds=["image"]))
@few
def test_a_message_with_an_image_is_one(message: Any) -> None:
    assert isinstance(message, mcp.types.PromptMessage)
    assert isinstance(message.content, mcp.types.ImageContent)


@given(sdk.content_blocks(kinds=["resource.text", "resource_link"]))
@few
def test_blocks_are_of_the_class_for_their_kind(block: Any) -> None:
    assert isinstance(block, mcp.types.EmbeddedResource | mcp.types.ResourceLink)


@given(sdk.prompts(), sdk.prompt_arguments())
@few
def test_definitions_are_models(prompt: Any, argument: Any) -> None:
    assert isinstance(prompt, mcp.types.Prompt)
    assert isinstance(argument, mcp.types.PromptArgument)


@given(sdk.listings())
@few
def test_listings_are_pages_of_models(pages: Any) -> None:
    assert all(isinstance(page, mcp.types.ListPromptsResult) for page in pages)
