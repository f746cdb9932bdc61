"""Waiting for something to become true, with a deadline."""

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

# Short enough that a test loses nothing by it, long enough that the thing waited for gets the CPU.
_PAUSE = 0.01


def wait_until(condition: Callable[[], T], *, timeout: float = 10.0, what: str) -> T:
    """Return the first true value of `condition`, asked again and again for `timeout` seconds.

    Raises AssertionError naming `what` when the time is over. What `condition` raises passes.
    """
    deadline = time.monotonic() + timeout
    while True:
        # The clock is read first: a condition is always asked once more after the deadline passed,
        # so a machine that stood still for long does not fail a wait that has come true.
        over = time.monotonic() >= deadline
        value = condition()
        if value:
            return value
        if over:
            raise AssertionError(f"waited {timeout:g} s for {what}; last seen: {value!r}")
        # A pause between two looks, never a guess at how long the thing takes.
        time.sleep(_PAUSE)
