"""The index as one object: open, catch up with the logs, rebuild, ask."""

import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeAlias, TypeVar

import msgspec

from gemba_core.errors import LogError
from gemba_core.home import LOG_SUFFIX
from gemba_core.index import queries
from gemba_core.index.connection import (
    IndexCorrupt,
    connect,
    inode_of,
    is_corrupt,
    set_aside,
    unusable,
)
from gemba_core.index.migrations import FOLD
from gemba_core.index.writer import Writer
from gemba_core.tail import BadLine, Position, open_log, position_at, read, still_holds
from gemba_core.translator import SessionState, fold

# A commit's worth of log: long enough to be fast, short enough to let others in.
_COMMIT_BYTES = 512 << 20
_KEPT_BAD_LINES = 100

T = TypeVar("T")
_Stamp: TypeAlias = tuple[int, int, int]


class Index(queries.Queries):
    """An open index over the logs of one folder. Not for several threads."""

    def __init__(self, path: str, sessions_dir: str) -> None:
        self.path = path
        self._logs = sessions_dir
        self.problems: list[str] = []
        self._last: tuple[str, int, dict[str, SessionState]] | None = None
        connection, self._lock = connect(path)
        self._inode = inode_of(path)
        super().__init__(connection, os.path.dirname(path))

    @classmethod
    def use(cls, path: str, sessions_dir: str, action: Callable[["Index"], T]) -> T:
        """Open, catch up, run the action; a broken index is set aside and built anew, once.

        Raises IndexUnusable, and whatever the action raises.
        """
        try:
            return cls._used(path, sessions_dir, action)
        except IndexCorrupt as broken:
            set_aside(path, str(broken), broken.inode)
        try:
            return cls._used(path, sessions_dir, action)
        except IndexCorrupt as error:
            raise unusable(path, error) from error

    @classmethod
    def _used(cls, path: str, sessions_dir: str, action: Callable[["Index"], T]) -> T:
        index = cls(path, sessions_dir)
        try:
            index.catch_up()
            return action(index)
        except sqlite3.Error as error:
            if is_corrupt(error):
                raise IndexCorrupt(path, str(error)) from error
            raise unusable(path, error) from error
        finally:
            index.close()

    def is_replaced(self) -> bool:
        """Whether the database that we have open was deleted or moved away since."""
        return inode_of(self.path) != self._inode

    def close(self) -> None:
        """Close the connection; closing twice is harmless."""
        self.connection.close()
        self._lock.close()

    def catch_up(self, names: Iterable[str] | None = None) -> None:
        """Translate what is new in the logs: rows, states and positions commit together.

        Every log is stat'ed, and opened only if it changed; with `names` only
        those logs are looked at. What could not be read is in `problems`.
        """
        self.problems = []
        self._last = None
        if self._fold_version() != FOLD:
            if self.logs():
                self.rebuild()
                return
            self.connection.execute("UPDATE meta SET fold = ?", (FOLD,))
        pending = self._changed(names)
        while pending:
            with self._transaction() as revision:
                budget = _COMMIT_BYTES
                while pending and budget > 0:
                    done, used = self._advance(pending[-1], budget, revision)
                    budget -= used
                    if done:
                        pending.pop()

    def rebuild(self) -> None:
        """Empty the index and refill it from the logs in one transaction, generation + 1."""
        self.problems = []
        with self._transaction() as revision:
            for table in _TABLES:
                self.connection.execute(f"DELETE FROM {table}")
            self.connection.execute(
                "UPDATE meta SET generation = generation + 1, fold = ?", (FOLD,)
            )
            for name in self._changed():
                self._advance(name, None, revision)

    def _fold_version(self) -> int:
        return int(self.connection.execute("SELECT fold FROM meta").fetchone()[0])

    @contextmanager
    def _transaction(self) -> Iterator[int]:
        """A write transaction, and the revision that marks what it changes."""
        self.connection.execute("BEGIN IMMEDIATE")
        try:
            self.connection.execute("UPDATE meta SET revision = revision + 1")
            yield self.revision()
            self.connection.execute("COMMIT")
        except BaseException:
            if self.connection.in_transaction:
                self.connection.execute("ROLLBACK")
            raise

    def _changed(self, names: Iterable[str] | None = None) -> list[str]:
        """The names of the logs that are not as they were last read, the vanished included."""
        query = "SELECT name, inode, size, mtime FROM logs"
        if names is None:
            rows, present = self.connection.execute(query).fetchall(), self._present()
        else:
            named = [name for name in names if name.isascii()]
            rows = [
                row
                for name in named
                for row in self.connection.execute(f"{query} WHERE name = ?", (name,))
            ]
            present = self._present_among(named)
        known = {row[0]: row[1:] for row in rows}
        changed = [name for name, found in present if known.pop(name, None) != found]
        return [*changed, *known]

    def _present_among(self, names: Iterable[str]) -> Iterator[tuple[str, _Stamp]]:
        for name in names:
            try:
                status = os.stat(os.path.join(self._logs, name + LOG_SUFFIX), follow_symlinks=False)
            except OSError:
                continue
            yield name, _stamp(status)

    def _present(self) -> Iterator[tuple[str, _Stamp]]:
        try:
            entries = os.scandir(self._logs)
        except FileNotFoundError:
            return
        except OSError as error:
            raise LogError(
                f"{self._logs}: {error.strerror}: no log can be read; "
                "it should be a folder of yours: move it away, or set GEMBA_HOME"
            ) from error
        with entries:
            for entry in entries:
                # Another name is no session's, and may not even be text.
                if entry.name.endswith(LOG_SUFFIX) and entry.name.isascii():
                    try:
                        status = entry.stat(follow_symlinks=False)
                    except FileNotFoundError:
                        continue
                    yield entry.name.removesuffix(LOG_SUFFIX), _stamp(status)

    def _advance(self, name: str, budget: int | None, revision: int) -> tuple[bool, int]:
        """Translate that log from where we were, about `budget` bytes of it.

        Gives whether its end was reached, and how many bytes were read.
        """
        try:
            fd = open_log(os.path.join(self._logs, name + LOG_SUFFIX))
        except LogError as error:
            self.problems.append(str(error))
            return True, 0
        if fd is None:
            self._forget(name)
            return True, 0
        try:
            return self._translate(name, fd, budget, revision)
        finally:
            os.close(fd)

    def _translate(self, name: str, fd: int, budget: int | None, revision: int) -> tuple[bool, int]:
        status = os.fstat(fd)
        start = self._position(name)
        states = None
        if start is not None and still_holds(fd, start):
            states = self._states_before(name, revision)
        if start is None or states is None:
            # Replaced, cut or never seen: its rows go, and it is read anew in one transaction.
            budget = None if start is not None else budget
            self._forget(name)
            start, states = Position(), {}
        log = self._log_row(name)
        writer = Writer(self.connection, log, revision)
        before = dict(states)
        end, skipping, done = start.offset, start.skipping, True
        for batch in read(fd, start):
            fold(name, states, batch.frames, writer.apply)
            self._note_bad(log, batch.bad)
            writer.flush()
            end, skipping = batch.offset, batch.skipping
            if budget is not None and end - start.offset >= budget:
                done = False
                break
        for session_id, state in states.items():
            if before.get(session_id) is not state:
                writer.save(state)
        position = position_at(fd, end, skipping=skipping)
        self.connection.execute(
            "UPDATE logs SET offset=?, inode=?, checksum=?, skipping=?, size=?, mtime=? "
            "WHERE id = ?",
            (
                position.offset,
                position.inode,
                position.check,
                position.skipping,
                # Not done: a size that no file has, so that it is opened again.
                status.st_size if done else -1,
                status.st_mtime_ns,
                log,
            ),
        )
        self._last = name, revision, states
        return done, end - start.offset

    def _position(self, name: str) -> Position | None:
        query = "SELECT offset, inode, checksum, skipping FROM logs WHERE name = ?"
        row = self.connection.execute(query, (name,)).fetchone()
        return Position(row[0], row[1], row[2], bool(row[3])) if row else None

    def _states_before(self, name: str, revision: int) -> dict[str, SessionState] | None:
        """The stored states, or as we left them where the last transaction was ours too."""
        if self._last is not None and self._last[:2] == (name, revision - 1):
            return dict(self._last[2])
        return self._states(name)

    def _states(self, name: str) -> dict[str, SessionState] | None:
        """The stored states of that log's sessions; None if they cannot be read."""
        query = "SELECT state FROM sessions WHERE log = (SELECT id FROM logs WHERE name = ?)"
        try:
            found = [
                SessionState.decoded(row[0]) for row in self.connection.execute(query, (name,))
            ]
        except msgspec.MsgspecError:
            return None
        return {state.session_id: state for state in found}

    def _log_row(self, name: str) -> int:
        self.connection.execute(
            "INSERT OR IGNORE INTO logs VALUES (NULL, ?, 0, 0, 0, 0, -1, 0, 0)", (name,)
        )
        row = self.connection.execute("SELECT id FROM logs WHERE name = ?", (name,)).fetchone()
        return int(row[0])

    def _note_bad(self, log: int, bad: list[BadLine]) -> None:
        if not bad:
            return
        self.connection.execute(
            "UPDATE logs SET bad_lines = bad_lines + ? WHERE id = ?", (len(bad), log)
        )
        query = "SELECT count(*) FROM bad_lines WHERE log = ?"
        kept = int(self.connection.execute(query, (log,)).fetchone()[0])
        self.connection.executemany(
            "INSERT INTO bad_lines VALUES (?,?,?)",
            [(log, line.offset, line.why) for line in bad[: max(0, _KEPT_BAD_LINES - kept)]],
        )

    def _forget(self, name: str) -> None:
        """Drop everything that came from that log."""
        row = self.connection.execute("SELECT id FROM logs WHERE name = ?", (name,)).fetchone()
        if row is None:
            return
        sessions = "session IN (SELECT id FROM sessions WHERE log = ?)"
        for table in ("deliveries", "aliases", "escalations"):
            self.connection.execute(f"DELETE FROM {table} WHERE {sessions}", row)
        for table in ("sessions", "dropped", "bad_lines"):
            self.connection.execute(f"DELETE FROM {table} WHERE log = ?", row)
        self.connection.execute("DELETE FROM logs WHERE id = ?", row)


def _stamp(status: os.stat_result) -> _Stamp:
    """What changes with a log."""
    return status.st_ino, status.st_size, status.st_mtime_ns


_TABLES = ("deliveries", "aliases", "escalations", "sessions", "dropped", "bad_lines", "logs")
