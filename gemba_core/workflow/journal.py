"""The write-ahead journal of a workflow: JSON Lines in its workspace, synced line by line.

A record stands before what it announces is done, and another after. The last
line may be torn by a crash; it then counts as not written, and the next one
begins on a line of its own.
"""

import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

import msgspec

from gemba_core.errors import GembaError
from gemba_core.frame.line import now
from gemba_core.workflow.history import History, history
from gemba_core.workflow.paths import naming
from gemba_core.workflow.record import Asking, Record, Resumed, Started

Tell: TypeAlias = Callable[[Record], None]

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Record).decode
# What need not survive more than the death of processes: with the machine, they are gone as well.
_UNSYNCED = (Asking, Started, Resumed)


class Journal:
    """Appends records, folds them into `history`, and tells each to `tell`. A context manager."""

    def __init__(self, path: str, tell: Tell) -> None:
        """Raises GembaError for a journal that cannot be read or written."""
        self._path = path
        self.history: History = history(read(path))
        self._tell = tell
        self._lock = threading.Lock()
        flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC
        try:
            self._fd = os.open(path, flags, 0o600)
        except OSError as error:
            raise GembaError(f"{path}: {error.strerror}: no journal can be kept there") from error
        size = os.fstat(self._fd).st_size
        if size and os.pread(self._fd, 1, size - 1) != b"\n":
            os.write(self._fd, b"\n")

    def __enter__(self) -> "Journal":
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._fd)

    def append(self, record: Record) -> None:
        """Write it down, as of now; safe on the disk where a later record relies on it.

        Raises GembaError, and what `tell` does. Several threads may append.
        """
        record = msgspec.structs.replace(record, at=now())
        line = _encode(record) + b"\n"
        with self._lock:
            with naming(self._path):
                self._write(line)
                if not isinstance(record, _UNSYNCED):
                    os.fsync(self._fd)
            self.history.add(record)
            self._tell(record)

    def _write(self, line: bytes) -> None:
        before = os.fstat(self._fd).st_size
        try:
            while line:
                line = line[os.write(self._fd, line) :]
        except OSError:
            # A full disk may still take the shorter line that says so.
            os.ftruncate(self._fd, before)
            raise


def read(path: str) -> Iterator[Record]:
    """The records, oldest first; none where there is no journal.

    A torn line, which only a crash can have left, is passed over. Raises
    GembaError for a line that is none of ours.
    """
    try:
        lines = Path(path).read_bytes().split(b"\n")
    except FileNotFoundError:
        return
    except OSError as error:
        raise GembaError(f"{path}: {error.strerror}") from error
    for number, line in enumerate(lines, 1):
        try:
            if line:
                yield _decode(line)
        except msgspec.ValidationError as error:
            raise GembaError(
                f"{path}:{number}: not a record of this version: {error}; "
                "choose another workspace, or move the folder .workflow away"
            ) from error
        except msgspec.DecodeError:
            continue
