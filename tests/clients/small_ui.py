"""A program at a terminal whose menu is out of date for a while after each paste.

Drawn beneath a line: nothing, then the menu of what was there before, then what fits. Enter takes
the line only with the last of them on the screen; before, it picks from the menu, which ends the
program. With `SMALL_UI_PICKS=once` the first Enter replaces the line, whatever is on the screen;
with `never` none picks anything.

`/ask` is answered, `/fail` fails, `/end` ends it, `/dialog` leaves no line to type into.
"""

from __future__ import annotations

import io
import os
import sys
import time
import tty

GAP = 0.2
"""Seconds from one drawing to the next."""

ANSWERS = {"/ask": ["Noted."], "/fail": ["\u2715 boom"]}

PICKS = os.environ.get("SMALL_UI_PICKS", "quit")


def draw(*lines: str) -> None:
    sys.stdout.write("".join(f"\x1b[2K{line}\r\n" for line in lines))
    sys.stdout.flush()


def main() -> None:
    tty.setraw(sys.stdin.fileno())
    assert isinstance(sys.stdout, io.TextIOWrapper)
    sys.stdout.reconfigure(encoding="utf-8")
    draw("> Type your message")
    line, drawn_at, drawn, picked, dialog = "", 0.0, 3, False, False
    beneath = ["", "quit  Leave at once", "look  What fits"]
    os.set_blocking(sys.stdin.fileno(), False)
    while True:
        try:
            keys = os.read(sys.stdin.fileno(), 65536).decode()
        except BlockingIOError:
            keys = ""
        if drawn < 3 and time.monotonic() > drawn_at + drawn * GAP:
            draw(f"> {line}", beneath[drawn])
            drawn += 1
        if dialog:
            pass
        elif keys.startswith("\x1b[200~"):
            line += keys.removeprefix("\x1b[200~").removesuffix("\x1b[201~")
            drawn_at, drawn = time.monotonic(), 0
        elif keys == "\x7f" or (keys.isprintable() and keys):
            line = line[:-1] if keys == "\x7f" else line + keys
            draw(f"> {line or 'Type your message'}")
        elif keys == "\x03":
            line = ""
            draw("> Type your message")
        elif keys == "\r" and PICKS == "once" and not picked:
            line, picked = "/quit", True
            draw(f"> {line}")
        elif keys == "\r" and line:
            if drawn < 3 and PICKS == "quit":
                raise SystemExit(7)
            draw(f"took {line}", *ANSWERS.get(line, ()))
            if line == "/end":
                raise SystemExit(0)
            dialog = line == "/dialog"
            line = ""
            draw("Settings" if dialog else "> Type your message")
        time.sleep(0.005)


main()
