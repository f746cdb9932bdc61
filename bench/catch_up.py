"""Catching up with a million frames, against a bare loop of `json.loads` over the same lines.

Compared by processor time, the commits' included: how long the disk then lets
a commit wait is the machine's business, and on a shared one its neighbours'.
"""

import json
import os
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from statistics import median

from bench.environment import Workshop
from bench.figure import Figure
from bench.logs import (
    FRAMES_PER_CYCLE,
    beginning,
    log_of,
    tools_and_an_ask,
    whole_turn,
    write_cycles,
)
from bench.paired import spent
from gemba_core.index import Index

FRAMES = 1_000_000
_ROUNDS = 3
_BOUNDS = {300: 2.5, 1500: 1.5}

Cycle = Callable[[str, int], bytes]


def measure(shop: Workshop) -> Iterator[Figure]:
    """95 % tool hooks and 5 % asks of sessions at work; and whole turns, to compare."""
    for size, bound in _BOUNDS.items():
        for logs in (1, 200):
            where = f"{size} bytes, {logs} log{'s' if logs > 1 else ''}"
            with shop.home() as home:
                fill(home, tools_and_an_ask, size, logs, FRAMES)
                yield _against_bare(home, where, bound)
            yield Figure(
                name=f"catch-up, second half / first half ({where})",
                value=median(_second_half(shop, size, logs) for _ in range(_ROUNDS)),
                at_least=0.75,
            )
    with shop.home() as home:
        fill(home, whole_turn, 300, 200, FRAMES)
        yield _against_bare(home, "whole turns, 300 bytes, 200 logs", None)


def _against_bare(home: Path, where: str, bound: float | None) -> Figure:
    rounds = []
    for _ in range(_ROUNDS):
        for part in home.glob("index.db*"):
            part.unlink()
        rounds.append((spent(partial(_load_each, home)), spent(partial(catch_up, home))))
    clock = median(bare.clock / gemba.clock for bare, gemba in rounds)
    speed = FRAMES / min(gemba.clock for _, gemba in rounds)
    return Figure(
        name=f"catch-up / json.loads ({where})",
        value=median(bare.processor / gemba.processor for bare, gemba in rounds),
        at_least=bound,
        note=f"{speed:,.0f} frames/s; by the clock {clock:.2f} ×",
    )


def _second_half(shop: Workshop, size: int, logs: int) -> float:
    """The rate of the second half of the frames against that of the first."""
    times = []
    with shop.home() as home:
        for part in range(2):
            fill(home, tools_and_an_ask, size, logs, FRAMES // 2, part)
            times.append(spent(partial(catch_up, home)).processor)
    return times[0] / times[1]


def fill(home: Path, cycle: Cycle, size: int, logs: int, frames: int, part: int = 0) -> None:
    """Write so many frames in all into the logs; `part` 1 goes on where part 0 ended."""
    cycles = frames // logs // FRAMES_PER_CYCLE
    for number in range(logs):
        session = f"session-{number}"
        path = log_of(home, session)
        if not part:
            path.write_bytes(beginning(session))
        write_cycles(path, cycle(session, size), 2 + part * cycles * FRAMES_PER_CYCLE, cycles)
    # Else the index's own writing waits for the disk to take all this first.
    os.sync()


def catch_up(home: Path) -> None:
    """As every operator's command does it: open, catch up, commit, close."""
    Index.use(str(home / "index.db"), str(home / "sessions"), lambda _: None)


def _load_each(home: Path) -> None:
    for path in (home / "sessions").iterdir():
        with path.open("rb") as file:
            for line in file:
                json.loads(line)
