"""`gemba escalations watch --json` as a running process."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from bench.environment import Workshop, environment

_WATCH = ("gemba", "escalations", "watch", "--json")
_END_WAIT = 10


@contextmanager
def watching(shop: Workshop, home: Path) -> Iterator["Watch"]:
    """The command, watching that home until the end of the context."""
    process = subprocess.Popen(
        shop.command(*_WATCH),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        env=environment(home),
        cwd=home,
    )
    assert process.stdout is not None
    try:
        yield Watch(process.pid, process.stdout)
    finally:
        process.terminate()
        process.wait(_END_WAIT)
        process.stdout.close()


class Process:
    """A running command: what the system says of it."""

    def __init__(self, pid: int) -> None:
        self._proc = Path("/proc") / str(pid)

    def memory(self) -> int | None:
        """Bytes in memory now; None where the system does not tell."""
        try:
            pages = int((self._proc / "statm").read_text().split()[1])
        except OSError:
            return None
        return pages * os.sysconf("SC_PAGE_SIZE")

    def processor(self) -> float | None:
        """Seconds of the processor so far, its threads included."""
        try:
            fields = (self._proc / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            return None
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Watch(Process):
    """A running watch, and what it prints."""

    def __init__(self, pid: int, output: IO[bytes]) -> None:
        super().__init__(pid)
        self.output = output
