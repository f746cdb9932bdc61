"""A folder of logs with an index over it, and all that the index holds in comparable form."""

import os
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from gemba_core.index import Index
from gemba_core.translator import SessionState

# Bound now: a test may plant a fault there.
_decoded = SessionState.decoded
Snapshot = dict[str, list[tuple[object, ...]]]

# Hundreds of databases are made: in memory where there is such a folder.
_MEMORY = "/dev/shm" if os.path.isdir("/dev/shm") else None
# What says when and in which order something was read, and nothing of what it says.
_INCIDENTAL = frozenset({"id", "revision", "generation", "mtime"})
# Within a session these stand in the order of the log; elsewhere order says nothing.
_ORDERED = "escalations"


class World:
    """Logs, and as many indexes over them as wanted."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.logs = folder / "sessions"
        self.logs.mkdir(parents=True)

    def log(self, name: str = "s") -> Path:
        """That log."""
        return self.logs / f"{name}.jsonl"

    def append(self, data: bytes, name: str = "s") -> None:
        """More of that log."""
        with self.log(name).open("ab") as file:
            file.write(data)

    @contextmanager
    def index(self, database: str = "index.db") -> Iterator[Index]:
        """An index of that name, not caught up."""
        with closing(Index(str(self.folder / database), str(self.logs))) as index:
            yield index

    def rebuilt(self) -> Snapshot:
        """What an index holds that is made from the logs as they are now."""
        with self.index("rebuilt.db") as index:
            index.rebuild()
            return snapshot(index)


@contextmanager
def new_world() -> Iterator[World]:
    """A world that is gone afterwards: Hypothesis would share a fixture among its examples."""
    with tempfile.TemporaryDirectory(prefix="gemba-world-", dir=_MEMORY) as folder:
        yield World(Path(folder) / "home")


def snapshot(index: Index) -> Snapshot:
    """Every table, its rows told by names instead of numbers, with the states decoded."""
    connection = index.connection
    logs = dict(connection.execute("SELECT id, name FROM logs"))
    sessions = dict(connection.execute("SELECT id, session_id FROM sessions"))
    tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    return {table: _rows(connection, table, logs, sessions) for (table,) in tables}


def _rows(
    connection: sqlite3.Connection, table: str, logs: dict[int, str], sessions: dict[int, str]
) -> list[tuple[object, ...]]:
    def told(column: str, value: Any) -> object:
        if column == "log":
            return logs[value]
        if column == "session":
            return sessions[value]
        return _decoded(value) if column == "state" and table == "sessions" else value

    order = " ORDER BY id" if table == _ORDERED else ""
    found = connection.execute(f"SELECT * FROM {table}{order}")
    columns = [column[0] for column in found.description]
    rows = [
        tuple(
            told(column, value)
            for column, value in zip(columns, row, strict=True)
            if column not in _INCIDENTAL
        )
        for row in found
    ]
    return sorted(rows, key=lambda row: str(row[0] if table == _ORDERED else row))
