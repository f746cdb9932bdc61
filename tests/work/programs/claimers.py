"""Many processes that claim at the same moment, each one item.

Usage: claimers.py WAY FIRST COUNT FOLDER, in a home of its own. WAY is `queue` or `reserve`. It
prints the processes' ids, one a line, and lets them begin once standard input has ended. Each
that comes to its end leaves a file of its own name in FOLDER, with the item's id in it, or empty
where nothing was left.
"""

import asyncio
import json
import os
import random
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeAlias

from gemba_core import home
from gemba_core.orchestration.assignment import ReadyFilter, Reservation
from gemba_core.orchestration.decode import record as decoded
from gemba_core.orchestration.decode import wire
from gemba_core.orchestration.error import AdaptorError, ErrorKind
from gemba_core.orchestration.session import ConfirmNonce
from gemba_core.orchestration.work.item import WorkItem
from gemba_core.orchestration.work.queue import Queue
from gemba_core.orchestration.work.reservations import reserve

ANY = ReadyFilter()
Pipe: TypeAlias = tuple[int, int]


class Record:
    """Reservations, one a line of a file."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def add(self, made: Reservation) -> None:
        """One more, in one write."""
        fd = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        os.write(fd, json.dumps(wire(made)).encode() + b"\n")
        os.close(fd)

    def all(self) -> list[Reservation]:
        """All that there were."""
        if not self._path.exists():
            return []
        lines = self._path.read_text().splitlines()
        return [decoded(Reservation, json.loads(line)) for line in lines]

    def held(self) -> set[str]:
        """The items that somebody has now."""
        now = datetime.now(UTC)
        return {one.work_item_id for one in self.all() if one.expires_at > now}


async def claim(name: str) -> str:
    """Claim any item of the queue; its id, or nothing where none is ready."""
    queue, chance = Queue(home.work_path()), random.Random(name)
    while ready := await queue.list_ready(ANY):
        id = chance.choice(ready).id
        try:
            await queue.claim(id, name, ConfirmNonce(f"{name}/{id}"))
        except AdaptorError as error:
            if error.kind is not ErrorKind.SESSION_CLOSED:
                raise
        else:
            return id
    return ""


async def reserve_one(name: str) -> str:
    """Reserve the first item of the queue that is free; its id, or nothing."""
    queue, record = Queue(home.work_path()), Record(Path(home.home(), "reservations.jsonl"))

    held: set[str] = set()

    async def ready() -> tuple[WorkItem, ...]:
        held.update(record.held())
        return await queue.list_ready(ANY)

    made = await reserve(
        ready=ready, is_reserved=held.__contains__, record=record.add, agent_id=name
    )
    return made.work_item_id if made else ""


def start(work: Callable[[str], None], name: str, begin: Pipe, alive: Pipe) -> int:
    """Fork a process that works once `begin` is closed, and holds `alive` open; its id."""
    pid = os.fork()
    if pid:
        return pid
    code = 1
    try:
        os.close(begin[1])
        os.close(alive[0])
        os.read(begin[0], 1)
        work(name)
        code = 0
    finally:
        os._exit(code)


def main() -> None:
    way, first, count, folder = sys.argv[1], *map(int, sys.argv[2:4]), Path(sys.argv[4])
    claimed = {"queue": claim, "reserve": reserve_one}[way]

    def work(name: str) -> None:
        id = asyncio.run(claimed(name))
        (folder / f"{name}.new").write_text(id)
        (folder / f"{name}.new").rename(folder / name)

    begin, alive = os.pipe(), os.pipe()
    for number in range(first, first + count):
        print(start(work, f"claimer-{number}", begin, alive), flush=True)
    os.close(alive[1])
    sys.stdin.read()
    os.close(begin[1])
    os.read(alive[0], 1)
    # Not before all have ended: whoever kills some of them must not hit another process's id.
    for _ in range(count):
        os.wait()


if __name__ == "__main__":
    main()
