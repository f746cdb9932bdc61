"""Many claimers at once, as real processes, some of them killed on the way."""

import os
import random
import signal
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from tests.commands import environment
from tests.waiting import wait_until


@dataclass
class Crowd:
    """Claimers of one home. `got` is what each of them said that it got."""

    way: str
    folder: Path
    got: dict[str, str] = field(default_factory=dict)
    count: int = 0

    def run(self, count: int, kills: int = 0) -> int:
        """So many more claim at once, and so many of them are killed; how many did not finish."""
        self.folder.mkdir(exist_ok=True)
        words = [self.way, str(self.count), str(count), str(self.folder)]
        names = [f"claimer-{self.count + number}" for number in range(count)]
        self.count += count
        with subprocess.Popen(
            [sys.executable, "-m", "tests.work.programs.claimers", *words],
            env=environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        ) as crowd:
            assert crowd.stdin is not None
            assert crowd.stdout is not None
            pids = {name: int(crowd.stdout.readline()) for name in names}
            crowd.stdin.close()
            self._kill(pids, kills)
            assert crowd.wait(timeout=100) == 0
        self.got = {name: id for name in self._finished() if (id := self._said(name))}
        return len(set(names) - self._finished())

    def _kill(self, pids: dict[str, int], kills: int) -> None:
        """So many of them, spread over the run: one each time that some more have finished."""
        share = (len(pids) - kills) // max(kills, 1)
        due = len(self._finished())
        for _ in range(kills):
            wait_until(partial(self._are_finished, due), timeout=60, what="claims")
            living = pids.keys() - self._finished()
            # They are waited for only when all have ended: until then an id is nobody else's.
            with suppress(ProcessLookupError):
                os.kill(pids.pop(random.choice(sorted(living))), signal.SIGKILL)
            due += share

    def _are_finished(self, count: int) -> bool:
        return len(self._finished()) >= count

    def _finished(self) -> set[str]:
        return {path.name for path in self.folder.iterdir() if path.suffix != ".new"}

    def _said(self, name: str) -> str:
        return (self.folder / name).read_text()
