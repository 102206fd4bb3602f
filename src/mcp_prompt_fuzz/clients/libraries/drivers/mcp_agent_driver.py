# mypy: ignore-errors
# Run in an environment of its own, where mcp-agent is installed; nowhere else.
"""mcp-agent: `Agent.create_prompt`, then `OpenAIAugmentedLLM.generate_str`."""

import os
from contextlib import AsyncExitStack

from driver_kit import CAPTURED, NOTHING, listed, serve


def load():
    from mcp_agent.agents.agent import Agent  # noqa: PLC0415
    from mcp_agent.app import MCPApp  # noqa: PLC0415
    from mcp_agent.config import (  # noqa: PLC0415
        LoggerSettings,
        MCPServerSettings,
        MCPSettings,
        OpenAISettings,
        Settings,
    )
    from mcp_agent.mcp.mcp_aggregator import SEP  # noqa: PLC0415
    from mcp_agent.workflows.llm.augmented_llm_openai import (  # noqa: PLC0415
        OpenAIAugmentedLLM,
    )

    class Client:
        async def connect(self, servers):
            self._stack = AsyncExitStack()
            known = {
                name: MCPServerSettings(name=name, transport="streamable_http", url=server["url"])
                for name, server in servers.items()
            }
            settings = Settings(
                execution_engine="asyncio",
                logger=LoggerSettings(type="none", transports=["none"]),
                mcp=MCPSettings(servers=known),
            )
            running = MCPApp(name="lab", settings=settings).run()
            self._app = await self._stack.enter_async_context(running)
            agent = Agent(name="lab", instruction="You help.", server_names=list(servers))
            self._agent = await self._stack.enter_async_context(agent)
            self._servers = servers

        async def listing(self):
            shown = []
            for server in self._servers:
                for prompt in (await self._agent.list_prompts(server)).prompts:
                    # It is shown under its server's name and its own, joined.
                    entry = listed(server, prompt)
                    shown.append({**entry, "name": entry["name"].removeprefix(server + SEP)})
            return shown

        async def invoke(self, server, name, arguments, model_url):
            messages = await self._agent.create_prompt(
                prompt_name=name, arguments=arguments or None, server_names=[server]
            )
            os.environ["ANTHROPIC_BASE_URL"] = model_url
            self._app.context.config.openai = OpenAISettings(
                api_key="none", base_url=f"{model_url}/v1", default_model="gpt-4o"
            )
            # Attached anew, it starts a conversation of its own.
            llm = await self._agent.attach_llm(OpenAIAugmentedLLM)
            # Where its request fails, it logs the error and answers nothing.
            return CAPTURED if await llm.generate_str(messages) else NOTHING

        async def close(self):
            await self._stack.aclose()

    return Client


if __name__ == "__main__":
    serve("mcp-agent", load)
