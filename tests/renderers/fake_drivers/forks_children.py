"""Leaves two children behind that hold its pipes and outlive it; says their process ids.

The second one is in a session of its own.
"""

import os
import signal
import sys
import time
from typing import Any

from .wire import HELLO, faithful, say, serve, texts


def left_behind(*, outside: bool) -> int:
    child = os.fork()
    if child == 0:
        if outside:
            os.setsid()
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        time.sleep(3600)
    return child


children = [left_behind(outside=outside) for outside in (False, True)]


def answer(request: dict[str, Any]) -> None:
    if "exit" in texts(request):
        sys.exit(3)
    say(faithful(request))


serve(answer, HELLO | {"version": " ".join(map(str, children))})
