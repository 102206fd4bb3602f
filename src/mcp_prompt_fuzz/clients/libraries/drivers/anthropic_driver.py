# mypy: ignore-errors
# Run in an environment of its own, where anthropic is installed; nowhere else.
"""anthropic: `mcp_message`, a pure function from a prompt's message to a request's."""

from driver_kit import RESULT, serve


def load():
    from anthropic.lib.tools.mcp import mcp_message  # noqa: PLC0415
    from mcp.types import GetPromptResult  # noqa: PLC0415

    def convert(result):
        messages = GetPromptResult.model_validate(result).messages
        body = {"messages": [mcp_message(message) for message in messages]}
        return {"dialect": "anthropic.messages", "body": body}

    return convert


if __name__ == "__main__":
    serve("anthropic", load, RESULT)
