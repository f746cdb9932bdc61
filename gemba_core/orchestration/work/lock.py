"""A lock between processes for code that awaits while it holds it.

The kernel frees it however its holder ends.
"""

import asyncio
import fcntl
import os
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from gemba_core.home import make_private_dir
from gemba_core.orchestration.error import AdaptorError, ErrorKind

PATIENCE = 60.0
_SHORTEST, _LONGEST = 0.001, 0.05


@asynccontextmanager
async def held(path: str, patience: float = PATIENCE) -> AsyncIterator[None]:
    """Hold that file's lock; other tasks of this process wait for it like other processes.

    Raises AdaptorError adaptor_degraded where others have it for `patience`
    seconds, or the file cannot be opened.
    """
    try:
        make_private_dir(os.path.dirname(path))
        flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
        file = os.fdopen(os.open(path, flags, 0o600))
    except OSError as error:
        told = f"{path}: {error.strerror}: cannot be locked; see to the folder's permissions"
        raise AdaptorError(ErrorKind.ADAPTOR_DEGRADED, told, cause=error) from error
    with file:
        await _locked(file.fileno(), path, patience)
        yield


async def _locked(fd: int, path: str, patience: float) -> None:
    """Polled and not waited for in a thread, which nobody could cancel."""
    clock = asyncio.get_running_loop().time
    deadline, pause = clock() + patience, _SHORTEST
    while True:
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            if clock() >= deadline:
                told = f"{path}: another process has held this lock for {patience:g} s; try again"
                raise AdaptorError(ErrorKind.ADAPTOR_DEGRADED, told) from None
        # Not all at the same moments.
        await asyncio.sleep(pause * random.uniform(0.5, 1.0))
        pause = min(2 * pause, _LONGEST)
