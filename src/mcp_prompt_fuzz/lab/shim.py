"""An MCP server as a command: joins standard input and output to one of the lab's sockets.

Run as a file with `python -I -S shim.py SOCKET`, so that it starts in a few milliseconds.
"""

import os
import socket
import sys
import threading


def main(path: str) -> None:
    """Copy both ways until either side ends."""
    joined = socket.socket(socket.AF_UNIX)
    joined.connect(path)

    def inward() -> None:
        while block := os.read(0, 65536):
            joined.sendall(block)
        joined.shutdown(socket.SHUT_WR)

    threading.Thread(target=inward, daemon=True).start()
    while block := joined.recv(65536):
        while block:
            block = block[os.write(1, block) :]


if __name__ == "__main__":
    main(sys.argv[1])
