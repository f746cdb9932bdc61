"""Catching up holds a bounded piece of a log in memory, whatever is in it."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from bench.catch_up import FRAMES, fill
from bench.environment import Workshop
from bench.figure import Figure
from bench.logs import ask, beginning, event, log_of, tools_and_an_ask

_SESSION = "session-0"
_LONG_LINE = 6 << 20
_WITHOUT_NEWLINE = 200 << 20


def measure(shop: Workshop) -> Iterator[Figure]:
    """Peak memory, against that of a tenth of the frames."""
    few = _peak(shop, lambda home: _fill(home, FRAMES // 10))
    for name, bound, write in (
        ("memory, 1,000,000 frames / 100,000", 1.2, lambda home: _fill(home, FRAMES)),
        ("memory, with a line of 6 MiB / 100,000 frames", 2.5, _with_long_line),
        ("memory, 200 MiB without a newline / 100,000 frames", 2, _without_newline),
    ):
        peak = _peak(shop, write)
        yield Figure(
            name=name,
            value=peak / few,
            at_most=bound,
            note=f"{peak >> 20} MiB against {few >> 20} MiB",
        )


def _peak(shop: Workshop, write: Callable[[Path], object]) -> int:
    with shop.home() as home:
        write(home)
        command = (sys.executable, "-m", "bench.peak", str(home))
        done = subprocess.run(command, stdout=subprocess.PIPE, check=True)
        return int(done.stdout)


def _fill(home: Path, frames: int) -> None:
    fill(home, tools_and_an_ask, 300, 200, frames)


def _with_long_line(home: Path) -> None:
    long = ask(_SESSION, _LONG_LINE) % event(2)
    log_of(home, _SESSION).write_bytes(beginning(_SESSION) + long + ask(_SESSION) % event(3))


def _without_newline(home: Path) -> None:
    with log_of(home, _SESSION).open("wb") as file:
        file.write(beginning(_SESSION))
        for _ in range(_WITHOUT_NEWLINE >> 20):
            file.write(b"x" * (1 << 20))
