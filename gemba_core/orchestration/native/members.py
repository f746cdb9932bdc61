"""The processes of a session: who inherited its environment, and who descends from them.

Blocking, some milliseconds: call it in a thread.
"""

import os
import signal
import time
from collections import defaultdict

from gemba_core import home
from gemba_core.processes import environment, parent

_PAUSE = 0.02  # seconds


def members(session_id: str, *roots: int) -> set[int]:
    """The session's processes and what descends from them and from `roots`; never ourselves.

    A process belongs to the session whose GEMBA_SESSION_ID it was started with,
    in this home, whichever way that was named to us.
    """
    marks = {
        b"GEMBA_SESSION_ID=" + os.fsencode(session_id),
        b"GEMBA_HOME=" + os.fsencode(os.path.realpath(home.home())),
    }
    children: dict[int, list[int]] = defaultdict(list)
    found = set()
    for pid in map(int, filter(str.isdigit, os.listdir("/proc"))):
        above = parent(pid)
        if above is not None:
            children[above].append(pid)
            if pid in roots or marks.issubset(environment(pid)):
                found.add(pid)
    todo = list(found)
    while todo:
        below = [pid for pid in children[todo.pop()] if pid not in found]
        found.update(below)
        todo += below
    return found - {os.getpid()}


def send(number: signal.Signals, pids: set[int]) -> None:
    """That signal to each of them that is still there."""
    for pid in pids:
        try:
            os.kill(pid, number)
        except (ProcessLookupError, PermissionError):
            continue


def clear(session_id: str, *roots: int, patience: float) -> set[int]:
    """Kill them until none is left, for `patience` seconds; those that are there even then."""
    deadline = time.monotonic() + patience
    while left := members(session_id, *roots):
        send(signal.SIGKILL, left)
        if time.monotonic() >= deadline:
            break
        time.sleep(_PAUSE)
    return left
