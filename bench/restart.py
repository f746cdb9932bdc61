"""A restart reads what is new, and next to nothing besides."""

from collections.abc import Iterator
from pathlib import Path

from bench.catch_up import FRAMES, catch_up, fill
from bench.environment import Workshop
from bench.figure import Figure
from bench.logs import tools_and_an_ask, write_cycles
from bench.paired import spent

_SIZE = 300
_LOGS = 200
_NEW_CYCLES = 50
_COUNTERS = Path("/proc/self/io")


def measure(shop: Workshop) -> Iterator[Figure]:
    """Catching up after a million frames and a thousand new ones in one of 200 logs."""
    with shop.home() as home:
        fill(home, tools_and_an_ask, _SIZE, _LOGS, FRAMES)
        whole = spent(lambda: catch_up(home))
        log = next((home / "sessions").iterdir())
        before = log.stat().st_size
        write_cycles(log, tools_and_an_ask(log.stem, _SIZE), FRAMES, _NEW_CYCLES)
        unread = log.stat().st_size - before
        read = _read_so_far()
        again = spent(lambda: catch_up(home))
        yield Figure(
            name="restart with a thousandth unread / whole catch-up",
            value=again.processor / whole.processor,
            at_most=0.02,
            note=f"{again.processor * 1000:.0f} ms against {whole.processor * 1000:.0f} ms",
        )
        name = "restart, bytes read / bytes unread"
        if read is None:
            yield Figure(name=name, value=None, note="this system does not count them")
            return
        total = (_read_so_far() or 0) - read
        yield Figure(
            name=name,
            value=total / unread,
            at_most=3,
            note=f"{total >> 10} KiB; the index's own pages are among them",
        )


def _read_so_far() -> int | None:
    """Bytes that this process has read, from whatever file; None where nobody counts."""
    try:
        counters = _COUNTERS.read_text()
    except OSError:
        return None
    return int(dict(line.split(": ") for line in counters.splitlines())["rchar"])
