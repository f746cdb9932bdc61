"""From an agent's ask to the operator's eyes, with 200 sessions at work."""

import json
import statistics
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from bench.environment import Workshop
from bench.figure import Figure
from bench.logs import ask, beginning, event, line, log_of
from bench.watching import watching
from gemba_core.log import append

_SESSIONS = 200
_WRITES_PER_SECOND = 100
_WRITES = 1500
_ASK_EVERY = 5
# The first write waits until the watch is up; it prints what is open when it starts.
_START_WAIT = 30
_LAST_WAIT = 10


def measure(shop: Workshop) -> Iterator[Figure]:
    """100 writes a second in all, every fifth of them an ask."""
    with shop.home() as home:
        for session in sessions():
            log_of(home, session).write_bytes(beginning(session))
        log_of(home, "session-0").open("ab").write(ask("session-0") % event(2))
        with watching(shop, home) as watch:
            seen = _Seen(watch.output)
            seen.wait_for(f"{event(2):016x}", _START_WAIT)
            asked = write_all(home)
            seen.wait_for(next(reversed(asked)), _LAST_WAIT)
        waits = sorted(1000 * (seen.at[one] - at) for one, at in asked.items() if one in seen.at)
    lost = len(asked) - len(waits)
    note = f"{len(waits)} asks" + (f", {lost} NOT SEEN" if lost else "")
    cuts = statistics.quantiles(waits, n=100)
    yield Figure(name="ask to watch, median", value=cuts[49], unit="ms", note=note)
    yield Figure(
        name="ask to watch, 99th percentile",
        value=cuts[98],
        unit="ms",
        at_most=30,
        asserted=False,
        note=note,
    )


class _Seen:
    """When each escalation was first read from the watch's output."""

    def __init__(self, output: IO[bytes]) -> None:
        self.at: dict[str, float] = {}
        self._changed = threading.Condition()
        threading.Thread(target=self._read, args=(output,), daemon=True).start()

    def _read(self, output: IO[bytes]) -> None:
        for printed in output:
            now = time.perf_counter()
            with self._changed:
                self.at.setdefault(json.loads(printed)["escalation"]["id"], now)
                self._changed.notify_all()

    def wait_for(self, escalation_id: str, seconds: float) -> None:
        with self._changed:
            self._changed.wait_for(lambda: escalation_id in self.at, seconds)


def write_all(home: Path) -> dict[str, float]:
    """Append at an even pace; when each escalation was in its log."""
    asked = {}
    start = time.perf_counter()
    for number in range(_WRITES):
        session = f"session-{number % _SESSIONS}"
        time.sleep(max(0, start + number / _WRITES_PER_SECOND - time.perf_counter()))
        identity = event(1000 + number)
        if number % _ASK_EVERY:
            frame = line(session, "PreToolUse", {"tool_name": "Bash"})
        else:
            frame = ask(session)
        append(str(log_of(home, session)), frame % identity, sync=False)
        if not number % _ASK_EVERY:
            asked[f"{identity:016x}"] = time.perf_counter()
    return asked


def sessions() -> list[str]:
    return [f"session-{number}" for number in range(_SESSIONS)]
