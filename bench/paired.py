"""Two things timed by turns, A B A B: whatever disturbs the machine disturbs both."""

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

PAIRS = 31
_WARM_UP = 3


@dataclass(frozen=True, slots=True)
class Paired:
    """The median of the pairs' ratios, and the medians of both sides in milliseconds."""

    ratio: float
    first: float
    second: float

    @property
    def note(self) -> str:
        """The absolute times, for orientation only."""
        return f"{self.first:.1f} ms against {self.second:.1f} ms"


def paired(first: Callable[[], object], second: Callable[[], object], pairs: int = PAIRS) -> Paired:
    """Time both by turns; the first calls of each only warm the caches."""
    for _ in range(_WARM_UP):
        first()
        second()
    times = [(seconds(first), seconds(second)) for _ in range(pairs)]
    return Paired(
        statistics.median(one / other for one, other in times),
        statistics.median(one for one, _ in times) * 1000,
        statistics.median(other for _, other in times) * 1000,
    )


@dataclass(frozen=True, slots=True)
class Spent:
    """Seconds of the processor, and on the clock."""

    processor: float
    clock: float


def spent(action: Callable[[], object]) -> Spent:
    """What the action takes of this process."""
    clock, processor = time.perf_counter(), time.process_time()
    action()
    return Spent(time.process_time() - processor, time.perf_counter() - clock)


def seconds(action: Callable[[], object]) -> float:
    """How long the action takes."""
    start = time.perf_counter()
    action()
    return time.perf_counter() - start
