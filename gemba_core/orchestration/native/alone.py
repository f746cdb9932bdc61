"""Being alone at work on an assignment: who holds its scope's lock, and nobody else.

Whatever makes an assignment's workspace, works on it or takes it away goes through
here, or holds that lock as the keeper of its session.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from gemba_core.lifelock import LifeLock
from gemba_core.orchestration.error import AdaptorError, ErrorKind
from gemba_core.orchestration.native import places

# Seconds that whoever is at work on it is waited for, and between two looks.
_PATIENCE, _POLL = 30.0, 0.02


@contextmanager
def alone(id: str, check: Callable[[], object]) -> Iterator[None]:
    """While the block lasts nobody else starts, places, keeps or clears away that assignment.

    Blocking. Raises AdaptorError as `take`.
    """
    with LifeLock(places.scope_lock_path(id)) as lock:
        take(lock, id, check)
        yield


def take(lock: LifeLock, id: str, check: Callable[[], object]) -> None:
    """Take that assignment's lock, as soon as whoever has it lets go. Blocking.

    `check` raises where there is nothing to wait for, or to do: it is called
    while we wait, and once the lock is ours. Then, and with AdaptorError
    request_failed where the wait was in vain, we do not have it.
    """
    if not waited_for(lock, check):
        told = f"{id}: another call is at work on it; try again"
        raise AdaptorError(ErrorKind.REQUEST_FAILED, told)
    try:
        check()
    except BaseException:
        lock.release()
        raise


def waited_for(lock: LifeLock, check: Callable[[], object] = lambda: None) -> bool:
    """Take the lock, as soon as whoever has it lets go; False if that takes too long. Blocking."""
    deadline = time.monotonic() + _PATIENCE
    while not lock.take():
        check()
        if time.monotonic() >= deadline:
            return False
        time.sleep(_POLL)
    return True
