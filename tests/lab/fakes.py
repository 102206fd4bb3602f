"""Programs that misbehave, one a name: `python fakes.py NAME [ARGUMENT]`. Standard library only."""

# ruff: noqa: T201 - printing is what they are for

import os
import signal
import subprocess
import sys
import time


def hangs() -> None:
    print("ready", flush=True)
    time.sleep(600)


def sleeps() -> None:
    """Never prints, so that it survives whoever was reading."""
    time.sleep(600)


def exits() -> None:
    print("some last words", file=sys.stderr)
    sys.exit(7)


def aborts() -> None:
    os.abort()


def ignores_sigterm() -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    hangs()


def floods_stdout() -> None:
    block = b"x" * 65536
    for _ in range(300 * 16):
        os.write(1, block)
    os.write(1, b"the end")
    hangs()


def prints_escapes() -> None:
    print("\x1b]0;title\x07\x1b[2Jred", flush=True)
    hangs()


def sits_at_a_terminal() -> None:
    size = os.get_terminal_size(0)
    print("terminal", *(os.isatty(n) for n in range(3)), size.lines, size.columns, flush=True)
    print("typed", repr(input()), file=sys.stderr, flush=True)
    hangs()


def forks_children() -> None:
    """A child in the group, one in a session of its own, and their pids on standard output."""
    sleeper = [sys.executable, "-S", "-c", "import time; time.sleep(600)"]
    inside = subprocess.Popen(sleeper)
    outside = subprocess.Popen(sleeper, start_new_session=True)
    print(f"pids {inside.pid} {outside.pid}", flush=True)
    hangs()


def leaves_children_behind() -> None:
    sleeper = [sys.executable, "-S", "-c", "import time; time.sleep(600)"]
    print(f"pids {subprocess.Popen(sleeper, start_new_session=True).pid}", flush=True)


def shows_environment() -> None:
    for name, value in sorted(os.environ.items()):
        print(f"{name}={value}")
    print("end", flush=True)


def reaches_out() -> None:
    import socket  # noqa: PLC0415

    try:
        socket.create_connection(("192.0.2.1", 80), timeout=2).close()
    except OSError as problem:
        print(f"refused: {type(problem).__name__} {problem.errno}", flush=True)


def looks_around() -> None:
    """Tries to read and to write each path that follows, and to take down what is in its way."""
    for path in sys.argv[2:]:
        subprocess.run(["umount", "/tmp"], check=False, stderr=subprocess.DEVNULL)
        for mode in ("r", "a"):
            try:
                with open(path, mode) as file:  # noqa: PTH123 - without waiting for an import
                    print(mode, path, file.read() if mode == "r" else file.write("x"))
            except OSError as problem:
                print(mode, path, type(problem).__name__)
    print("in", os.getcwd(), "end", flush=True)  # noqa: PTH109


if __name__ == "__main__":
    globals()[sys.argv[1]]()
