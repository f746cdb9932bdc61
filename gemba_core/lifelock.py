"""A small file whose lock says that its holder lives. Standard library only.

The lock, not a flag in a frame, tells a living waiter or deliverer from a dead
one: the kernel releases it however the process ends.
"""

import fcntl
import os
import time

from gemba_core.home import make_private_dir

# Seconds before each try.
_PAUSES = (0.0, 0.005, 0.02)


class LifeLock:
    """Hold the lock of that file while the context lives; the file is removed at its end."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._fd: int | None = None

    def take(self) -> bool:
        """Take it; False if another process holds it. Raises OSError."""
        # More than once: who asks with `is_held` has it for a moment too.
        return any(self._taken(pause) for pause in _PAUSES)

    def _taken(self, pause: float) -> bool:
        time.sleep(pause)
        make_private_dir(os.path.dirname(self.path))
        while True:
            fd = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
            try:
                fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(fd)
                return False
            if _is_at(fd, self.path):
                self._fd = fd
                return True
            # The holder before us removed the file between our open and our lock.
            os.close(fd)

    def release(self) -> None:
        """Remove the file, then release; twice is harmless."""
        if self._fd is not None:
            try:
                os.unlink(self.path)
            except FileNotFoundError:
                pass
            os.close(self._fd)
            self._fd = None

    def __enter__(self) -> "LifeLock":
        return self

    def __exit__(self, *_: object) -> None:
        self.release()


def is_held(path: str) -> bool:
    """Whether a living process holds that lock."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK)
    except OSError:
        return False
    try:
        fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(fd)
    return False


def sweep(folder: str, suffix: str) -> None:
    """Remove the files that holders who were killed have left. Raises OSError."""
    try:
        names = os.listdir(folder)
    except FileNotFoundError:
        return
    for name in names:
        if name.endswith(suffix):
            lock = LifeLock(os.path.join(folder, name))
            if lock.take():
                lock.release()


def _is_at(fd: int, path: str) -> bool:
    try:
        return os.path.samestat(os.fstat(fd), os.stat(path, follow_symlinks=False))
    except FileNotFoundError:
        return False
