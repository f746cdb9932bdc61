"""Opening the database, and setting aside one that cannot be used.

Every connection holds the index lock shared; whoever moves the database away
holds it alone, so that no live write-ahead log is left behind by a rename.
"""

import errno
import fcntl
import os
import sqlite3
import sys
import time
from collections.abc import Callable
from contextlib import closing, suppress

from gemba_core.errors import IndexUnusable
from gemba_core.home import make_private_dir
from gemba_core.index.migrations import is_foreign, migrate
from gemba_core.log import why

_BUSY = 60.0
_LOCK_WAIT = 5.0
_SUFFIXES = ("", "-wal", "-shm")


class IndexCorrupt(Exception):
    """The database is no index that we can read: set it aside.

    `inode` tells which file that is. To be raised while the lock on it is held.
    """

    def __init__(self, path: str, why: str) -> None:
        super().__init__(why)
        self.inode = inode_of(path)


class Lock:
    """The lock beside the database, shared by connections."""

    def __init__(self, path: str) -> None:
        make_private_dir(os.path.dirname(path))
        flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC
        # A file object, because closing that twice is harmless.
        self._file = os.fdopen(os.open(path + ".lock", flags, 0o600))

    def share(self) -> None:
        """Wait until nobody moves the database, and keep them from it."""
        fcntl.flock(self._file, fcntl.LOCK_SH)

    def own(self) -> bool:
        """Take it alone; False if others still use the database after a while."""
        deadline = time.monotonic() + _LOCK_WAIT
        while True:
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return True
            except BlockingIOError:
                if time.monotonic() >= deadline:
                    return False
                time.sleep(0.02)

    def close(self) -> None:
        """Release it."""
        self._file.close()


def connect(path: str) -> tuple[sqlite3.Connection, Lock]:
    """The migrated database, 0600, and the shared lock on it.

    Raises IndexCorrupt where it must be set aside, IndexUnusable where nothing
    helps but a person.
    """
    try:
        lock = Lock(path)
    except OSError as error:
        raise unusable(path, error) from error
    lock.share()
    try:
        return _connected(path), lock
    except BaseException:
        lock.close()
        raise


def set_aside(path: str, why: str, inode: int | None = None) -> None:
    """Move the database with its -wal and -shm together; says so on standard error.

    With `inode`, only while it is that file: another process may have been
    first, and what is there now is the new index.
    Raises IndexUnusable where other commands hold it open, or it cannot be moved.
    """
    lock = Lock(path)
    try:
        is_alone = lock.own()
        if inode is not None and inode_of(path) != inode:
            return
        if not is_alone:
            raise IndexUnusable(
                f"{path}: {why}, and other gemba commands have it open: "
                "end `gemba escalations watch` and `gemba serve`, then try again"
            )
        kept = f"{path}.set-aside-{time.time_ns()}"
        for suffix in _SUFFIXES:
            if os.path.lexists(path + suffix):
                os.rename(path + suffix, kept + suffix)
        print(f"gemba: {path}: {why}; kept as {kept}; rebuilding from the logs", file=sys.stderr)
    except OSError as error:
        raise unusable(path, error) from error
    finally:
        lock.close()


def inode_of(path: str) -> int | None:
    """The file that is there now, if one is."""
    try:
        return os.stat(path).st_ino
    except FileNotFoundError:
        return None


def unusable(path: str, error: Exception) -> IndexUnusable:
    """The error for a person: what, where, what next."""
    if isinstance(error, OSError):
        return IndexUnusable(f"{why(path, error)}; the logs are untouched")
    return IndexUnusable(
        f"{path}: {error}: the index cannot be used; the logs are untouched: "
        "check the disk's space and the folder's permissions"
    )


def is_corrupt(error: sqlite3.Error) -> bool:
    """Whether the database itself is broken, rather than busy, full or read-only."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    return code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def make(path: str, migrate: Callable[[sqlite3.Connection], None] = migrate) -> None:
    """Make the database if there is none, 0600; nobody sees it before it is whole.

    What a person who deleted the database alone left of it goes first: SQLite
    would take it for the new one's. Its folder must be there. Raises OSError,
    sqlite3.Error.
    """
    # Never opened but by SQLite: closing a file frees every lock that this process has on it, and
    # another connection's write-ahead log is then taken for nobody's, and removed.
    if os.path.islink(path):
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), path)
    if os.path.exists(path):
        return
    folder = os.open(os.path.dirname(path), os.O_RDONLY | os.O_CLOEXEC)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        if os.path.lexists(path):
            return
        new = path + ".new"
        for suffix in _SUFFIXES:
            for left in (path + suffix, new + suffix):
                with suppress(FileNotFoundError):
                    os.unlink(left)
        # Made by us, so that it and its -wal and -shm are readable by the owner only.
        os.close(os.open(new, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
        with closing(sqlite3.connect(new, isolation_level=None)) as connection:
            # Here, and kept in the file: two connections cannot both change to it.
            connection.execute("PRAGMA journal_mode = WAL")
            migrate(connection)
        os.rename(new, path)
    finally:
        os.close(folder)


def _connected(path: str) -> sqlite3.Connection:
    connection = None
    try:
        make(path)
        connection = sqlite3.connect(path, timeout=_BUSY, isolation_level=None)
        if is_foreign(connection):
            connection.close()
            raise IndexCorrupt(path, "made by another version of gemba, or by another program")
        # NORMAL may lose the last commits with the power: the logs still hold them.
        connection.execute("PRAGMA synchronous = NORMAL")
        # KiB. With the default of 2 MB a large catch-up writes the same pages again and again.
        connection.execute("PRAGMA cache_size = -8192")
        migrate(connection)
    except OSError as error:
        raise unusable(path, error) from error
    except sqlite3.Error as error:
        if connection is not None:
            connection.close()
        if is_corrupt(error):
            raise IndexCorrupt(path, str(error)) from error
        raise unusable(path, error) from error
    return connection
