"""Says a lot on standard error, where it may, and then exits on a prompt that says "exit"."""

import sys
from typing import Any

from .wire import faithful, say, serve, texts


def answer(request: dict[str, Any]) -> None:
    sys.stderr.write("noise\n" * 500_000)
    if "exit" in texts(request):
        sys.stderr.write("the last word\n")
        sys.exit(1)
    say(faithful(request))


serve(answer)
