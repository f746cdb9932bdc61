"""Reading a whole log from a position, for the tests."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from gemba_core.frame.record import Frame
from gemba_core.tail import BadLine, Position, open_log, position_at, read


@contextmanager
def opened(path: Path) -> Iterator[int]:
    """A descriptor of that log."""
    fd = open_log(str(path))
    assert fd is not None
    try:
        yield fd
    finally:
        os.close(fd)


@dataclass(frozen=True)
class Read:
    """All that stands behind a position, and the position after it."""

    frames: list[Frame]
    bad: list[BadLine]
    position: Position

    @property
    def ids(self) -> list[str]:
        """The frames' event ids."""
        return [frame.event_id for frame in self.frames]


def read_all(path: Path, position: Position | None = None) -> Read:
    """Read to the end, as a catch-up does."""
    with opened(path) as fd:
        start = position or Position()
        offset, skipping = start.offset, start.skipping
        frames: list[Frame] = []
        bad: list[BadLine] = []
        for batch in read(fd, start):
            frames += batch.frames
            bad += batch.bad
            offset, skipping = batch.offset, batch.skipping
        return Read(frames, bad, position_at(fd, offset, skipping=skipping))
