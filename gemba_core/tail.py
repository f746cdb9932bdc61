"""Reading a log from a position on: bytes to frames, complete lines only.

Guarantees: a half-written last line is left for later; a line that is no frame
is reported with its offset, and reading goes on; memory is bounded by MAX_LINE
whatever the file holds; what is read depends on the bytes alone, never on how
they were cut into calls.
"""

import os
import stat
import zlib
from collections.abc import Iterator
from dataclasses import dataclass

from gemba_core.errors import LogError
from gemba_core.frame.record import Frame, decode, decode_lines

MAX_LINE = 8 << 20
_BLOCK = 64 << 10
_CHECKED = 256


@dataclass(frozen=True, slots=True)
class Position:
    """How far a log was read: `offset` bytes of the file `inode`.

    `check` is a checksum of the last bytes before the offset; `skipping` says
    that the offset lies inside a line that is too long and already reported.
    """

    offset: int = 0
    inode: int = 0
    check: int = 0
    skipping: bool = False


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line that is no frame: where it begins, in bytes, and why it is none."""

    offset: int
    why: str


@dataclass(frozen=True, slots=True)
class Batch:
    """The frames of some complete lines, the bad ones among them, and the offset after them."""

    frames: list[Frame]
    bad: list[BadLine]
    offset: int
    skipping: bool = False


def open_log(path: str) -> int | None:
    """A descriptor for reading; None where there is no such file. Raises LogError."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise LogError(f"{path}: {error.strerror}: not read") from error
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        os.close(fd)
        raise LogError(f"{path}: not a regular file: not read; move it away")
    return fd


def still_holds(fd: int, position: Position) -> bool:
    """Whether the file is the one of that position, unchanged before its offset."""
    status = os.fstat(fd)
    return (
        status.st_ino == position.inode
        and status.st_size >= position.offset
        and _checksum(fd, position.offset) == position.check
    )


def position_at(fd: int, offset: int, *, skipping: bool = False) -> Position:
    """The position of that offset in the open file."""
    return Position(offset, os.fstat(fd).st_ino, _checksum(fd, offset), skipping)


def read(fd: int, position: Position) -> Iterator[Batch]:
    """What stands behind the position, in batches of some ten kilobytes, up to the end."""
    offset, skipping, carry = position.offset, position.skipping, b""
    while chunk := os.pread(fd, _BLOCK, offset + len(carry)):
        if skipping:
            end = chunk.find(b"\n") + 1
            offset += end or len(chunk)
            skipping = not end
            yield Batch([], [], offset, skipping)
            continue
        end = chunk.rfind(b"\n")
        if end >= 0:
            lines, carry = carry + chunk[:end], chunk[end + 1 :]
            frames, bad = _frames_of(lines, offset)
            offset += len(lines) + 1
            yield Batch(frames, bad, offset)
            continue
        carry += chunk
        if len(carry) > MAX_LINE:
            bad = [BadLine(offset, _TOO_LONG)]
            offset, carry, skipping = offset + len(carry), b"", True
            yield Batch([], bad, offset, skipping)


_TOO_LONG = f"longer than {MAX_LINE >> 20} MiB"


@dataclass(frozen=True, slots=True)
class Line:
    """One line as it stands: its number from 1, and what it is. `data` without its newline."""

    number: int
    offset: int
    data: bytes
    found: Frame | BadLine


def lines(fd: int, start: int = 0) -> Iterator[Line]:
    """Each complete line that is not empty, for whoever wants to name it.

    `start` is the offset of a line's beginning; the numbers count from there.
    """
    offset, number, carry, skipping = start, 0, b"", False
    while chunk := os.pread(fd, _BLOCK, offset + len(carry)):
        *complete, carry = (carry + chunk).split(b"\n")
        for line in complete:
            number += 1
            if skipping:
                skipping = False
            elif line:
                yield Line(number, offset, line, _frame_of(line, offset))
            offset += len(line) + 1
        if len(carry) > MAX_LINE:
            if not skipping:
                yield Line(number + 1, offset, b"", BadLine(offset, _TOO_LONG))
            offset, carry, skipping = offset + len(carry), b"", True


def _frames_of(lines: bytes, offset: int) -> tuple[list[Frame], list[BadLine]]:
    frames = decode_lines(lines) if len(lines) <= MAX_LINE else None
    if frames is not None:
        return frames, []
    frames, bad = [], []
    for line in lines.split(b"\n"):
        if line:
            found = _frame_of(line, offset)
            if isinstance(found, BadLine):
                bad.append(found)
            else:
                frames.append(found)
        offset += len(line) + 1
    return frames, bad


def _frame_of(line: bytes, offset: int) -> Frame | BadLine:
    if len(line) > MAX_LINE:
        return BadLine(offset, _TOO_LONG)
    return decode(line) or BadLine(offset, "not a frame")


def _checksum(fd: int, offset: int) -> int:
    start = max(0, offset - _CHECKED)
    return zlib.crc32(os.pread(fd, offset - start, start))
