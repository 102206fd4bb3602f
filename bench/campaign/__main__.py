"""``python -m bench.campaign [--examples N] [CLIENT ...]``: shares of CPU time, and ratios.

Rounds are interleaved and the median counts, so that a busy machine slows all alike. Run from the
repository's root, with ``src`` and ``strategies`` on the path.
"""

import argparse
import sys

from bench.campaign.lanes import client, driver_lane, function_lane
from bench.campaign.pace import pace


def tell(figures: list[str]) -> None:
    """Print them now: the next ones take their time."""
    sys.stdout.write("\n".join(figures) + "\n")
    sys.stdout.flush()


def main() -> int:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--examples", type=int, default=1000)
    parser.add_argument("clients", nargs="*", metavar="CLIENT")
    args = parser.parse_args()
    if args.clients:
        for name in args.clients:
            tell(pace(name))
            tell(client(name, args.examples))
        return 0
    for lane in (function_lane, driver_lane):
        tell(lane(args.examples))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
