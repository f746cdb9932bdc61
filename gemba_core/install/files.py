"""Reading other programs' files, and replacing them all at once or not at all."""

import os
import stat
import tempfile
from contextlib import suppress

from gemba_core.errors import GembaError


def read(path: str) -> bytes | None:
    """What the file holds; None if there is none. Raises GembaError, OSError."""
    try:
        # O_NONBLOCK: a FIFO in its place must not hang us.
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except FileNotFoundError:
        return None
    with open(fd, "rb") as file:
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            raise GembaError(f"{path}: not a regular file; nothing was changed")
        return file.read()


def decoded(path: str, data: bytes) -> str:
    """The file's text, its line ends as they are. Raises GembaError."""
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise GembaError(f"{path}:{line}: not UTF-8; nothing was changed") from error


def make_folders(path: str) -> list[str]:
    """Make the folder and its parents; those that were not there, outermost first."""
    made: list[str] = []
    while path and not os.path.isdir(path):
        made.insert(0, path)
        path = os.path.dirname(path)
    for folder in made:
        os.mkdir(folder)
    return made


def remove_folders(made: list[str]) -> None:
    """Remove the folders that we made, the last first, but those that somebody uses."""
    for folder in reversed(made):
        with suppress(OSError):
            os.rmdir(folder)


def write(path: str, data: bytes, *, expected: bytes | None, mode: int | None = None) -> None:
    """Put `data` in the file's place, with its mode and owner; `mode` is for a new one.

    All or nothing: the disk has the whole before the name changes hands. Raises
    GembaError if the file is no longer as `expected`, OSError.
    """
    folder = os.path.dirname(path)
    fd, temporary = tempfile.mkstemp(prefix=".gemba-", dir=folder)
    try:
        with open(fd, "wb") as file:
            _take_after(fd, path, mode)
            file.write(data)
            file.flush()
            os.fsync(fd)
        if read(path) != expected:
            raise GembaError(f"{path}: another program has just written it; run this again")
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise
    _sync(folder)


def remove(path: str, *, expected: bytes | None) -> None:
    """Remove the file. Raises as `write`."""
    if read(path) != expected:
        raise GembaError(f"{path}: another program has just written it; run this again")
    os.unlink(path)
    _sync(os.path.dirname(path))


def _take_after(fd: int, path: str, mode: int | None) -> None:
    """Give the new file the mode and the owner of the one whose place it takes."""
    try:
        before = os.stat(path)
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        os.fchmod(fd, 0o666 & ~mask if mode is None else mode)
        return
    os.fchmod(fd, stat.S_IMODE(before.st_mode))
    now = os.fstat(fd)
    if (now.st_uid, now.st_gid) != (before.st_uid, before.st_gid):
        os.fchown(fd, before.st_uid, before.st_gid)


def _sync(folder: str) -> None:
    fd = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
