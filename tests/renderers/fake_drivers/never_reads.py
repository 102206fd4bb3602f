"""Greets, and never reads again: a long request can't even be written."""

import time

from .wire import HELLO, say

input()
say(HELLO)
time.sleep(3600)
