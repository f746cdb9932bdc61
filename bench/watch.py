"""What `gemba escalations watch` takes while nothing happens, with 1,000 sessions."""

import time
from collections.abc import Iterator

from bench.environment import Workshop
from bench.figure import Figure
from bench.logs import ask, beginning, event, log_of
from bench.watching import watching

_SESSIONS = 1000
# Several of its full passes, which come every few seconds.
_SECONDS = 12


def measure(shop: Workshop) -> Iterator[Figure]:
    """Memory and processor of an idle watch."""
    with shop.home() as home:
        for number in range(_SESSIONS):
            session = f"session-{number}"
            log_of(home, session).write_bytes(beginning(session) + ask(session) % event(2))
        with watching(shop, home) as watch:
            for _ in range(_SESSIONS):
                watch.output.readline()
            before = watch.processor()
            time.sleep(_SECONDS)
            after, memory = watch.processor(), watch.memory()
    if before is None or after is None or memory is None:
        yield Figure(name="watch, idle", value=None, note="this system does not tell")
        return
    yield Figure(
        name="watch, memory with 1,000 sessions", value=memory / 1e6, unit="MB", at_most=80
    )
    yield Figure(
        name="watch, idle, share of a core",
        value=100 * (after - before) / _SECONDS,
        unit="%",
        at_most=1,
    )
