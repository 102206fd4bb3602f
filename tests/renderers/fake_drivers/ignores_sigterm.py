"""Neither a signal, nor the end of its input, nor goodbye ends it; says its process id."""

import os
import signal
import time

from .wire import HELLO, faithful, say, serve

for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)
serve(lambda request: say(faithful(request)), HELLO | {"version": str(os.getpid())})
time.sleep(3600)
