"""CPU seconds by part of the work."""

import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

T = TypeVar("T")


class Watch:
    """Adds up CPU seconds; what runs inside something else is taken off from it."""

    def __init__(self) -> None:
        self.seconds: defaultdict[str, float] = defaultdict(float)
        self._inner = [0.0]

    @contextmanager
    def part(self, name: str) -> Iterator[None]:
        """The block belongs to that part."""
        begun = time.process_time()
        self._inner.append(0.0)
        try:
            yield
        finally:
            taken = time.process_time() - begun
            self.seconds[name] += taken - self._inner.pop()
            self._inner[-1] += taken

    def timed(self, name: str, function: Callable[..., T]) -> Callable[..., T]:
        """The function, as a part."""

        def call(*arguments: Any, **named: Any) -> T:
            with self.part(name):
                return function(*arguments, **named)

        return call
