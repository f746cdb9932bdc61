"""Appending to a session's log: one frame, one line, one write under the file's lock.

Standard library only: every sentinel imports this. Source: wire.md, "The frame",
and architecture.md, "Locks, in their order".
"""

import errno
import fcntl
import os
import stat
import time

from gemba_core.errors import LogError
from gemba_core.frame.line import encode, members_of, new_event_id, now
from gemba_core.home import log_path, make_private_dir

LOCK_WAIT = 10.0
_RETRY = 0.005


class Log:
    """An open session log, made with its folders where it is not there yet.

    Guarantees: a regular file with mode 0600 in a folder with mode 0700, never
    through a symbolic link. Use as a context manager; raises LogError.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self.fd = self._opened()

    def _opened(self) -> int:
        self.is_new = not os.path.lexists(self.path)
        try:
            return self._open()
        except OSError as error:
            raise LogError(why(self.path, error)) from error

    def _open(self) -> int:
        try:
            fd = self._open_once()
        except FileNotFoundError:
            make_private_dir(os.path.dirname(self.path))
            fd = self._open_once()
        status = os.fstat(fd)
        if not stat.S_ISREG(status.st_mode):
            os.close(fd)
            raise OSError(errno.EINVAL, "not a regular file")
        if status.st_mode & 0o077:
            os.fchmod(fd, 0o600)
        return fd

    def _open_once(self) -> int:
        # O_NONBLOCK: a FIFO in the log's place must not hang an agent.
        flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
        return os.open(self.path, flags, 0o600)

    def __enter__(self) -> "Log":
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self.fd)

    def lock(self, wait: float = LOCK_WAIT) -> bool:
        """Take the exclusive lock; False if it could not be had within `wait` seconds."""
        deadline = time.monotonic() + wait
        while True:
            try:
                fcntl.flock(self.fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() >= deadline:
                    return False
                time.sleep(_RETRY)
                continue
            if os.fstat(self.fd).st_nlink:
                return True
            # The log was pruned while we waited: what we append must not go with it.
            pruned, self.fd = self.fd, self._opened()
            os.close(pruned)

    def unlock(self) -> None:
        """Release the lock."""
        fcntl.flock(self.fd, fcntl.LOCK_UN)

    def write(self, line: bytes, *, locked: bool = True) -> tuple[int, int]:
        """Append one line; after a torn line, or without the lock, a newline goes first.

        Gives the file's size before and after. A write that fails half-way is
        taken back where the lock allows it, so that what was reported as failed
        never becomes a frame. Raises LogError.
        """
        size = os.fstat(self.fd).st_size
        if not locked or (size and os.pread(self.fd, 1, size - 1) != b"\n"):
            line = b"\n" + line
        written = 0
        try:
            while written < len(line):
                written += os.write(self.fd, line[written:] if written else line)
        except OSError as error:
            if locked and written:
                self.take_back(size, size + written)
            raise LogError(why(self.path, error)) from error
        return size, size + written

    def take_back(self, before: int, after: int) -> None:
        """Undo a write under the lock, unless a hook has appended without it since."""
        if os.fstat(self.fd).st_size == after:
            os.ftruncate(self.fd, before)

    def sync(self) -> None:
        """Bring what was written to the disk, and a new log's folder entry too."""
        try:
            _datasync(self.fd)
            if self.is_new:
                folder = os.open(os.path.dirname(self.path), os.O_RDONLY)
                try:
                    os.fsync(folder)
                finally:
                    os.close(folder)
        except OSError as error:
            raise LogError(f"{self.path}: written, but not synced: {error.strerror}") from error


def append(path: str, line: bytes, *, sync: bool = True) -> None:
    """Append one line under the lock; `sync` for frames that carry somebody's words.

    Raises LogError: then nothing of the line counts, but where only the sync failed.
    """
    with Log(path) as log:
        if not log.lock():
            raise LogError(
                f"{path}: another process has held the lock for {LOCK_WAIT:.0f} s; try again"
            )
        try:
            log.write(line)
        finally:
            log.unlock()
        if sync:
            log.sync()


def frame_line(
    session_id: str,
    hook: str,
    payload: dict[str, object],
    *,
    agent_type: str = "",
    event_id: str | None = None,
) -> bytes:
    """A frame of Gemba's own, as of now; keys without a value (None) are left out."""
    return encode(
        hook,
        members_of({key: value for key, value in payload.items() if value is not None}),
        session_id=session_id,
        agent_type=agent_type,
        event_id=event_id or new_event_id(),
        ts=now(),
    )


def record(
    session_id: str,
    hook: str,
    payload: dict[str, object],
    *,
    agent_type: str = "",
    event_id: str | None = None,
    sync: bool = True,
) -> None:
    """Append a frame of Gemba's own to the session's log. Raises LogError."""
    line = frame_line(session_id, hook, payload, agent_type=agent_type, event_id=event_id)
    append(log_path(session_id), line, sync=sync)


def append_hook(path: str, line: bytes, *, wait: float = 1.0) -> None:
    """Append a hook's line, without the lock where that is not free in time: no agent hangs."""
    with Log(path) as log:
        locked = log.lock(wait)
        log.write(line, locked=locked)


_datasync = getattr(os, "fdatasync", os.fsync)

_NEXT = {
    errno.ENOSPC: "the disk is full; free some space and try again",
    errno.EDQUOT: "the disk quota is used up; free some space and try again",
    errno.EFBIG: "the file may not grow further (ulimit -f); prune it or raise the limit",
    errno.EACCES: "no permission; check who owns it, or set GEMBA_HOME to a folder of yours",
    errno.EPERM: "no permission; check who owns it, or set GEMBA_HOME to a folder of yours",
    errno.EROFS: "the file system is read-only; set GEMBA_HOME to a folder that can be written, "
    "or add it to the sandbox's writable folders",
    errno.ELOOP: "it is a symbolic link, which is not followed; remove the link",
    errno.EISDIR: "it is a folder, and should be a file; move it away",
    errno.EINVAL: "it is not a regular file; move it away",
    errno.ENXIO: "it is not a regular file; move it away",
    errno.ENOENT: "it cannot be made there; set GEMBA_HOME to a folder of yours",
    errno.ENOTDIR: "a part of that path is a file; set GEMBA_HOME to a folder",
    errno.EEXIST: "it should be a folder, but is a file; set GEMBA_HOME to a folder",
}


def why(path: str, error: OSError) -> str:
    """What failed, where, and what to do next."""
    where = error.filename or path
    advice = _NEXT.get(error.errno or 0)
    return f"{where}: {error.strerror}" + (f": {advice}" if advice else "")
