"""Environments of clients: made once, whole or not at all, without anything of the user's."""

from __future__ import annotations

import sys
import threading
from importlib import util
from pathlib import Path

import pytest

from mcp_prompt_fuzz.clients import SHIPPED, environments, open_client
from mcp_prompt_fuzz.renderer import RendererUnavailable, quiet


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MCP_PROMPT_FUZZ_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_the_user_names_the_cache(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert environments.cache_folder() == cache
    monkeypatch.delenv("MCP_PROMPT_FUZZ_CACHE")
    elsewhere = cache.parent / "elsewhere"
    monkeypatch.setenv("XDG_CACHE_HOME", str(elsewhere))
    if sys.platform == "linux":
        assert environments.cache_folder() == elsewhere / "mcp-prompt-fuzz"


def test_a_cache_that_cannot_be_written_says_how_to_name_another(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.write_text("no folder", encoding="utf-8")
    with pytest.raises(RendererUnavailable, match="can't be written") as refused:
        environments.cache_folder()
    assert "MCP_PROMPT_FUZZ_CACHE=DIR" in refused.value.next_step

    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("MCP_PROMPT_FUZZ_CACHE")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(Path, "home", homeless)
    with pytest.raises(RendererUnavailable, match="home directory"):
        environments.cache_folder()


def test_an_environment_is_made_once(cache: Path) -> None:
    told: list[str] = []
    made: list[Path] = []

    def install(folder: Path, variables: dict[str, str]) -> None:
        made.append(folder)
        (folder / "program").write_text("x", encoding="utf-8")
        assert Path(variables["HOME"]).is_dir()

    def make() -> Path:
        return environments._made_once("thing", install, told.append, "a thing")

    threads = [threading.Thread(target=make) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (make() / "program").exists()
    assert len(made) == 1
    assert [words.partition(" ")[0] for words in told] == ["installing", "installed"]


def test_half_an_installation_is_none(cache: Path) -> None:
    def breaks(folder: Path, variables: dict[str, str]) -> None:
        (folder / "half").write_text("x", encoding="utf-8")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        environments._made_once("thing", breaks, quiet, "a thing")
    assert [entry.name for entry in (cache / "clients").iterdir()] == ["thing.lock"]


def test_an_installer_learns_how_to_reach_a_registry_and_no_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("SOME_TOKEN", "NPM_CONFIG__AUTH", "PIP_INDEX_URL", "https_proxy", "SSL_CERT_FILE"):
        monkeypatch.setenv(name, "x")
    given = environments._installer_environment("/fresh")
    assert given["HOME"] == "/fresh"
    assert {"PIP_INDEX_URL", "https_proxy", "SSL_CERT_FILE"} <= set(given)
    assert not {"SOME_TOKEN", "NPM_CONFIG__AUTH"} & set(given)


def test_the_installed_version_is_checked() -> None:
    environments._check_version("p", "1.2", "1.2")
    with pytest.raises(RendererUnavailable, match=r"p 1\.2 was asked for, but 1\.1 was installed"):
        environments._check_version("p", "1.2", "1.1")


def test_a_failed_installer_is_quoted(tmp_path: Path) -> None:
    with pytest.raises(RendererUnavailable, match="npm failed: no luck") as failed:
        environments._run(["sh", "-c", "echo no luck >&2; exit 1"], tmp_path, {}, "npm")
    assert "registry" in failed.value.next_step


def test_without_the_extra_its_name_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(util, "find_spec", lambda name: None)
    with pytest.raises(RendererUnavailable) as missing:
        environments.require_extra("uv")
    assert missing.value.next_step == "pip install 'mcp-prompt-fuzz[clients]'"
    with pytest.raises(RendererUnavailable) as missing:
        open_client("opencode")
    assert missing.value.next_step == "pip install 'mcp-prompt-fuzz[clients]'"


def test_other_constraints_make_another_environment(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran: list[list[str]] = []

    def run(command: list[str], *_: object) -> str:
        ran.append(command)
        return "1.2\n"

    monkeypatch.setattr(environments, "_run", run)
    monkeypatch.setattr(environments, "require_extra", lambda *_: None)
    file = tmp_path / "constraints.txt"
    pythons = []
    for pin in ("other==1", "other==2", "other==2"):
        file.write_text(pin, encoding="utf-8")
        pythons.append(environments.python_environment("x", ["p==1.2"], constraints=file))
    assert pythons[0] != pythons[1] == pythons[2]
    installs = [command for command in ran if "install" in command]
    assert [command[-3:] for command in installs] == [["-c", str(file), "p==1.2"]] * 2


def test_a_name_that_does_not_ship_is_a_key_error() -> None:
    assert {"opencode", "kilo"} <= set(SHIPPED)
    with pytest.raises(KeyError):
        open_client("no-such-client")
