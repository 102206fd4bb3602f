# mypy: ignore-errors
# Run in an environment of its own, where google-adk is installed; nowhere else.
"""google-adk: `McpInstructionProvider`, which makes an agent's instruction of a prompt.

Arguments are the session's state, from which the provider takes those that the prompt declares.
"""

import os

from driver_kit import serve


def load():
    # Otherwise each provider looks for Google's cloud around it, which takes seconds.
    os.environ["GOOGLE_API_USE_CLIENT_CERTIFICATE"] = "false"
    from google.adk.agents import LlmAgent  # noqa: PLC0415
    from google.adk.agents.invocation_context import InvocationContext  # noqa: PLC0415
    from google.adk.agents.mcp_instruction_provider import (  # noqa: PLC0415
        McpInstructionProvider,
    )
    from google.adk.agents.readonly_context import ReadonlyContext  # noqa: PLC0415
    from google.adk.sessions import InMemorySessionService  # noqa: PLC0415
    from google.adk.tools.mcp_tool.mcp_session_manager import (  # noqa: PLC0415
        StreamableHTTPConnectionParams,
    )

    class Client:
        async def connect(self, servers):
            self._servers = servers
            self._providers = []

        async def listing(self):
            return None

        async def invoke(self, server, name, arguments, model_url):
            connection = StreamableHTTPConnectionParams(url=self._servers[server]["url"])
            provider = McpInstructionProvider(connection_params=connection, prompt_name=name)
            self._providers.append(provider)
            agent = LlmAgent(name="lab", model="gemini-2.5-flash", instruction=provider)
            sessions = InMemorySessionService()
            session = await sessions.create_session(
                app_name="lab", user_id="user", state=dict(arguments)
            )
            context = InvocationContext(
                session_service=sessions, invocation_id="lab", agent=agent, session=session
            )
            said = await agent.canonical_instruction(ReadonlyContext(context))
            return reply(said[0] if isinstance(said, tuple) else said)

        async def close(self):
            for provider in getattr(self, "_providers", ()):
                await provider._mcp_session_manager.close()

    return Client


def reply(instruction):
    """One string, which the framework appends to its system instruction."""
    return {"messages": [{"role": "system", "content": instruction}]}


if __name__ == "__main__":
    serve("google-adk", load)
