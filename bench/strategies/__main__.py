"""How fast cases are drawn, as a ratio to a baseline: ``python -m bench.strategies``.

Rounds are interleaved and timed in CPU seconds, so that a busy machine slows all alike; the median
of seven counts. Run from the repository's root, with ``strategies`` on the path.
"""

import cProfile
import json
import pstats
import sys
import time
from collections.abc import Callable
from random import Random
from statistics import median
from typing import Any, Final

from bench.strategies.fixed_dictionaries import baseline
from bench.strategies.plain_random import random_case
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from hypothesis_mcp import cases

ROUNDS: Final = 7
EXAMPLES: Final = 600
MAX_MESSAGES: Final = 3
"""Of the baseline: chosen so that its cases are as large as ours on average."""


def _run(strategy: st.SearchStrategy[Any], number: int, see: Callable[[Any], None]) -> None:
    @seed(number)
    @settings(
        max_examples=EXAMPLES,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def draw(case: Any) -> None:
        see(case)

    draw()


def _rate(strategy: st.SearchStrategy[Any], number: int) -> float:
    start = time.process_time()
    _run(strategy, number, lambda case: None)
    return EXAMPLES / (time.process_time() - start)


def _random_rate(number: int) -> float:
    random = Random(number)
    start = time.process_time()
    for _ in range(EXAMPLES):
        random_case(random)
    return EXAMPLES / (time.process_time() - start)


def key_paths(value: Any, path: str = "") -> set[str]:
    """The paths of all keys, as far as the format names them (``_meta`` and the like are free)."""
    if isinstance(value, list):
        return {found for inner in value for found in key_paths(inner, path)}
    if not isinstance(value, dict) or path.endswith("_meta") or path.startswith(".input."):
        return set()
    if path == ".arguments":
        return set()
    found = {f"{path}.{key}" for key in value}
    return found.union(*(key_paths(inner, f"{path}.{key}") for key, inner in value.items()))


def measure(strategy: st.SearchStrategy[Any]) -> tuple[float, set[str]]:
    """The mean size of a case in characters of JSON, and the key paths of all."""
    drawn: list[Any] = []
    for number in range(3):
        _run(strategy, number, drawn.append)
    paths = set().union(*map(key_paths, drawn))
    return sum(len(json.dumps(case)) for case in drawn) / len(drawn), paths


def ratio(rounds: int = ROUNDS) -> tuple[float, float, float]:
    """Cases per CPU second: ours, the baseline's, and those of ``random`` alone."""
    ours, theirs = cases(listings=False), baseline(MAX_MESSAGES)
    rates: list[tuple[float, float, float]] = []
    for number in range(rounds):
        rates.append((_rate(ours, number), _rate(theirs, number), _random_rate(number)))
    first, second, third = (median(column) for column in zip(*rates, strict=True))
    return first, second, third


def main() -> int:
    """Print the figures; 1 where ours is slower than nine tenths of the baseline."""
    out = sys.stdout.write
    (size, paths), (base_size, base_paths) = (
        measure(cases(listings=False)),
        measure(baseline(MAX_MESSAGES)),
    )
    out(f"mean size: {size:.0f} characters, baseline {base_size:.0f} ({base_size / size:.2f})\n")
    out(f"key paths: {len(paths)}, baseline {len(base_paths)}, different {paths ^ base_paths}\n")
    ours, theirs, alone = ratio()
    out(f"cases a CPU second: {ours:.0f}; baseline {theirs:.0f}; random alone {alone:.0f}\n")
    out(f"ratio to the baseline {ours / theirs:.2f}, to random alone {ours / alone:.3f}\n")
    profile = cProfile.Profile()
    profile.runcall(_run, cases(listings=False), 0, lambda case: None)
    pstats.Stats(profile, stream=sys.stdout).sort_stats("tottime").print_stats(12)
    return 0 if ours >= 0.9 * theirs else 1


if __name__ == "__main__":
    raise SystemExit(main())
