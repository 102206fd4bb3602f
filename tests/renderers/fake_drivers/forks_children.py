"""Leaves a child behind that holds its pipes and outlives it; says that child's process id."""

import os
import signal
import sys
import time
from typing import Any

from .wire import HELLO, faithful, say, serve, texts

child = os.fork()
if child == 0:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    time.sleep(3600)


def answer(request: dict[str, Any]) -> None:
    if "exit" in texts(request):
        sys.exit(3)
    say(faithful(request))


serve(answer, HELLO | {"version": str(child)})
