"""The embedded queue: work items in a SQLite file of their own.

It is the truth for its items, and not made from any log: so it does not lie in
the index, which may be deleted at any time.
"""

import asyncio
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

import msgspec

from gemba_core.frame.line import now
from gemba_core.home import make_private_dir
from gemba_core.index.connection import make
from gemba_core.index.migrations import apply_missing, is_beyond
from gemba_core.orchestration.assignment import ReadyFilter
from gemba_core.orchestration.error import AdaptorError, ErrorKind, not_found
from gemba_core.orchestration.session import ConfirmNonce
from gemba_core.orchestration.step import whole
from gemba_core.orchestration.work.item import DEFAULT_PRIORITY, StateCategory, WorkItem
from gemba_core.orchestration.work.plane import is_held, taken

_APPLICATION_ID = 0x67656D77  # "gemw"
_BUSY = 60.0

_FIRST = """
CREATE TABLE items (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    title TEXT NOT NULL,
    description TEXT NOT NULL,
    kind TEXT NOT NULL,
    priority INTEGER NOT NULL,
    labels TEXT NOT NULL,
    repository TEXT,
    sprint_id TEXT,
    status TEXT NOT NULL DEFAULT 'open',
    assignee TEXT,
    claim TEXT,
    reason TEXT,
    created_at TEXT NOT NULL
);
CREATE INDEX open_items ON items (priority, number) WHERE status = 'open';
CREATE TABLE claims (
    nonce TEXT PRIMARY KEY,
    item INTEGER NOT NULL REFERENCES items,
    agent_id TEXT NOT NULL,
    at TEXT NOT NULL
) WITHOUT ROWID
"""
# Append-only: never edit one, add the next.
_MIGRATIONS = (_FIRST,)

_CATEGORIES = {
    "open": StateCategory.READY,
    "in_progress": StateCategory.STARTED,
    "done": StateCategory.DONE,
}
_SELECT = (
    "SELECT number, title, description, kind, priority, labels, repository, sprint_id, "
    "status, assignee, claim, created_at FROM items"
)
_ORDER = "ORDER BY priority, number"

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class NewItem:
    """What is said of an item when it is added."""

    title: str
    description: str = ""
    kind: str = "task"
    priority: int = DEFAULT_PRIORITY
    labels: tuple[str, ...] = ()
    repository: str | None = None
    sprint_id: str | None = None


class Queue:
    """The WorkPlane in that file, which is made when it is first used, 0600.

    Ids are `w` and a number, in the order in which items were added. The nonces
    of claims are remembered for good: a claim that was given back is not made
    again by repeating it.
    """

    def __init__(self, path: str) -> None:
        self.path = path

    async def add(self, new: NewItem) -> WorkItem:
        """A new item, ready."""
        return await _in_thread(lambda: self._add(new))

    async def list_ready(self, filter: ReadyFilter) -> tuple[WorkItem, ...]:
        """As WorkPlane."""
        found = await _in_thread(lambda: self._items("status = 'open'"))
        return tuple(item for item in found if filter.admits(item))

    async def list_items(self, *, done: bool = False) -> tuple[WorkItem, ...]:
        """As WorkPlane."""
        return await _in_thread(lambda: self._items("1" if done else "status <> 'done'"))

    async def read(self, work_item_id: str) -> WorkItem:
        """As WorkPlane."""
        return await _in_thread(lambda: self._read(work_item_id))

    async def claim(self, work_item_id: str, agent_id: str, nonce: ConfirmNonce) -> WorkItem:
        """As WorkPlane."""
        return await _in_thread(lambda: self._claim(work_item_id, agent_id, nonce))

    async def release(self, work_item_id: str, nonce: ConfirmNonce | None = None) -> WorkItem:
        """As WorkPlane."""
        return await _in_thread(lambda: self._release(work_item_id, nonce))

    async def complete(
        self, work_item_id: str, nonce: ConfirmNonce | None = None, reason: str = ""
    ) -> WorkItem:
        """As WorkPlane."""
        return await _in_thread(lambda: self._complete(work_item_id, nonce, reason))

    def _add(self, new: NewItem) -> WorkItem:
        with self._transaction() as connection:
            cursor = connection.execute(
                "INSERT INTO items (title, description, kind, priority, labels, repository, "
                "sprint_id, created_at) VALUES (?,?,?,?,?,?,?,?)",
                (
                    new.title,
                    new.description,
                    new.kind,
                    new.priority,
                    msgspec.json.encode(new.labels).decode(),
                    new.repository,
                    new.sprint_id,
                    now(),
                ),
            )
            return _item(connection, f"w{cursor.lastrowid}")

    def _items(self, condition: str) -> tuple[WorkItem, ...]:
        with self._opened() as connection:
            rows = connection.execute(f"{_SELECT} WHERE {condition} {_ORDER}")
            return tuple(_work_item(row) for row in rows)

    def _read(self, id: str) -> WorkItem:
        with self._opened() as connection:
            return _item(connection, id)

    def _claim(self, id: str, agent_id: str, nonce: ConfirmNonce) -> WorkItem:
        with self._transaction() as connection:
            item = _item(connection, id)
            if _is_repeated(connection, id, nonce):
                return item
            if item.state_category is not StateCategory.READY:
                raise taken(item)
            connection.execute(
                "UPDATE items SET status = 'in_progress', assignee = ?, claim = ? WHERE number = ?",
                (agent_id, nonce, _number(id)),
            )
            connection.execute(
                "INSERT INTO claims VALUES (?,?,?,?)", (nonce, _number(id), agent_id, now())
            )
            return _item(connection, id)

    def _release(self, id: str, nonce: ConfirmNonce | None) -> WorkItem:
        with self._transaction() as connection:
            if is_held(_item(connection, id), nonce):
                connection.execute(
                    "UPDATE items SET status = 'open', assignee = NULL, claim = NULL "
                    "WHERE number = ?",
                    (_number(id),),
                )
            return _item(connection, id)

    def _complete(self, id: str, nonce: ConfirmNonce | None, reason: str) -> WorkItem:
        with self._transaction() as connection:
            item = _item(connection, id)
            is_ours = nonce is None or is_held(item, nonce)
            if is_ours and item.state_category is not StateCategory.DONE:
                connection.execute(
                    "UPDATE items SET status = 'done', reason = ? WHERE number = ?",
                    (reason, _number(id)),
                )
            return _item(connection, id)

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """A write transaction; what is read in it nobody else changes meanwhile."""
        with self._opened() as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        """A connection of this call's own: calls run in threads."""
        try:
            make_private_dir(os.path.dirname(self.path))
            make(self.path, _migrate)
            with closing(
                sqlite3.connect(self.path, timeout=_BUSY, isolation_level=None)
            ) as connection:
                if is_beyond(connection, _MIGRATIONS, _APPLICATION_ID):
                    raise self._unusable("made by a newer gemba, or by another program")
                # Nothing else holds what is written here.
                connection.execute("PRAGMA synchronous = FULL")
                _migrate(connection)
                yield connection
        except (sqlite3.Error, OSError) as error:
            raise self._unusable(error) from error
        except UnicodeEncodeError as error:
            told = f"{error.object!r}: not UTF-8; give it as UTF-8"
            raise AdaptorError(ErrorKind.VALIDATION, told, cause=error) from error

    def _unusable(self, why: Exception | str) -> AdaptorError:
        told = (
            f"{self.path}: {why}: the queue cannot be used; see to the disk's space and the "
            "folder's permissions, and keep the file: your work items are in it"
        )
        return AdaptorError(ErrorKind.ADAPTOR_DEGRADED, told)


async def _in_thread(action: Callable[[], T]) -> T:
    return await whole(asyncio.get_running_loop().run_in_executor(None, action))


def _migrate(connection: sqlite3.Connection) -> None:
    apply_missing(connection, _MIGRATIONS, _APPLICATION_ID)


def _is_repeated(connection: sqlite3.Connection, id: str, nonce: ConfirmNonce) -> bool:
    """Whether this very claim was made before. Raises AdaptorError where it was another item's."""
    row = connection.execute("SELECT item FROM claims WHERE nonce = ?", (nonce,)).fetchone()
    if row is not None and row[0] != _number(id):
        told = f"the nonce {nonce!r} has claimed w{row[0]} already; give a new one for {id}"
        raise AdaptorError(ErrorKind.VALIDATION, told)
    return row is not None


def _item(connection: sqlite3.Connection, id: str) -> WorkItem:
    row = connection.execute(f"{_SELECT} WHERE number = ?", (_number(id),)).fetchone()
    if row is None:
        raise not_found("work item", id)
    return _work_item(row)


def _number(id: str) -> int:
    """The row that the id names; -1, which there is never, where it is no id of ours."""
    digits = id.removeprefix("w")
    is_ours = id.startswith("w") and digits.isascii() and digits.isdigit() and len(digits) < 19
    return int(digits) if is_ours and not digits.startswith("0") else -1


def _work_item(row: tuple[Any, ...]) -> WorkItem:
    return WorkItem(
        id=f"w{row[0]}",
        title=row[1],
        description=row[2],
        kind=row[3],
        priority=row[4],
        labels=tuple(msgspec.json.decode(row[5])),
        repository=row[6],
        sprint_id=row[7],
        status=row[8],
        state_category=_CATEGORIES[row[8]],
        assignee=row[9],
        claim=row[10],
        created_at=datetime.fromisoformat(row[11]),
    )
