"""Removing the logs of sessions that are over; their rows go with them."""

import os
import time
from contextlib import suppress

from gemba_core import home
from gemba_core.index import Index
from gemba_core.log import Log


def prune(index: Index, *, older_than: float, dry_run: bool = False) -> list[str]:
    """Remove the logs of which all sessions ended `older_than` seconds ago, with nothing open.

    The paths of those removed. A log that grew meanwhile, or that somebody
    writes to, is kept. Raises LogError.
    """
    before = time.time_ns() // 1000 - int(older_than * 1_000_000)
    removed = []
    for name in index.prunable(before):
        path = os.path.join(home.sessions_dir(), name + home.LOG_SUFFIX)
        if dry_run or _removed(index, name, path):
            removed.append(path)
    index.catch_up()
    return removed


def _removed(index: Index, name: str, path: str) -> bool:
    with Log(path) as log:
        if not log.lock(wait=0.0):
            return False
        read = next((status.offset for status in index.logs() if status.name == name), -1)
        if os.fstat(log.fd).st_size != read:
            return False
        # Under the lock: whoever waits for it sees that the file is gone, and makes a new one.
        os.unlink(path)
        with suppress(FileNotFoundError):
            os.unlink(os.path.join(home.scoped_dir(), name))
        return True
