"""The pytest plugin, loaded in every project that merely has this package installed.

So it imports pytest alone: what a test module made with `mcp_prompt_fuzz.testing.prompt_tests`
brings its own tests along, and this module only sees to it that they are found and can be named.
"""

import pytest

_OURS = "mcp_prompt_subject"
"""The attribute by which a class that `prompt_tests` made is known without importing anything."""


def pytest_configure(config: pytest.Config) -> None:
    """Declare the marker, so that `--strict-markers` knows it."""
    config.addinivalue_line(
        "markers", "mcp_prompts: a test of how MCP prompts are rendered, made by mcp-prompt-fuzz"
    )


def pytest_pycollect_makeitem(
    collector: pytest.Module | pytest.Class, name: str, obj: object
) -> pytest.Class | None:
    """Collect what `prompt_tests` made under any name: tests that nobody runs help nobody."""
    if not _is_ours(obj):
        return None
    made: pytest.Class = pytest.Class.from_parent(collector, name=name, obj=obj)
    return made


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark our tests, and under `--dist loadgroup` keep those of one renderer on one worker."""
    cls = getattr(item, "cls", None)
    if not _is_ours(cls):
        return
    item.add_marker(pytest.mark.mcp_prompts)
    if item.config.pluginmanager.hasplugin("xdist"):
        item.add_marker(pytest.mark.xdist_group(item.nodeid.rpartition("::")[0]))


def _is_ours(obj: object) -> bool:
    return isinstance(obj, type) and any(_OURS in vars(each) for each in obj.__mro__)
