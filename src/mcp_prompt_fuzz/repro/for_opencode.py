"""opencode: its configuration in the working folder, and its one-shot command."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from typing import Final

from ..case import Case, declared_arguments
from ..formats import dump_json
from .setting import MODEL_URL, SERVER_COMMAND

_MODALITIES: Final = ["text", "image", "audio", "pdf"]


def make(case: Case, version: str) -> tuple[Mapping[str, str], str, str]:
    """The files, the command, and how to install that version of opencode."""
    install = f"opencode {version} (`npm install -g opencode-ai@{version}`)"
    return {"opencode.json": dump_json(_config(case))}, _command(case), install


def _config(case: Case) -> object:
    """Every modality is declared: with less, a faithful client would look lossy."""
    servers = {"main": [*SERVER_COMMAND]}
    servers |= {name: [*SERVER_COMMAND, name] for name in case.beside}
    model = {
        "name": "stand-in",
        "attachment": True,
        "modalities": {"input": _MODALITIES, "output": ["text"]},
    }
    return {
        "$schema": "https://opencode.ai/config.json",
        "autoupdate": False,
        "model": "repro/model",
        "small_model": "repro/model",
        "provider": {
            "repro": {
                "npm": "@ai-sdk/openai-compatible",
                "options": {"baseURL": MODEL_URL, "apiKey": "none"},
                "models": {"model": model},
            }
        },
        "mcp": {
            name: {"type": "local", "command": command, "enabled": True}
            for name, command in servers.items()
        },
    }


def _command(case: Case) -> str:
    prompt = re.sub(r"[^a-zA-Z0-9_-]", "_", case.prompt["name"])
    typed = [f"main:{prompt}", *_typed_values(case)]
    words = " ".join(shlex.quote(word) for word in typed)
    environment = "OPENCODE_DISABLE_MODELS_FETCH=1 OPENCODE_DISABLE_AUTOUPDATE=1"
    return f"{environment} opencode run --command {words}"


def _typed_values(case: Case) -> list[str]:
    """The values in the order of declaration, which is the only way that opencode offers."""
    declared = [a["name"] for a in declared_arguments(case.prompt)]
    return [case.arguments[name] for name in declared if name in case.arguments]
