"""A process group: by it a program is ended together with whatever it has started."""

import os
import signal
import time
from collections.abc import Iterable
from dataclasses import dataclass

from gemba_core.processes import is_group_alive

_GRACE = 2.0
_POLL = 0.02


@dataclass(frozen=True, slots=True)
class Group:
    """The group of the session leader with that pid and start time, which may itself have ended.

    `started` is 0 where the system does not tell.
    """

    pid: int
    started: int

    def is_alive(self) -> bool:
        """Whether anything of it still runs; the system's own word for it where `started` is 0."""
        # Asked first: it costs nothing where nothing is left, which is the usual case.
        return self.send(0) and (not self.started or is_group_alive((self.pid, self.started)))

    def send(self, number: int) -> bool:
        """Send it that signal; whether anything was there to get it."""
        try:
            os.killpg(self.pid, number)
        except (ProcessLookupError, PermissionError):
            return False
        return True


def end(groups: Iterable[Group]) -> bool:
    """End them together: asked first, killed after 2 s; whether anything of them was alive.

    Twice is harmless.
    """
    living = [one for one in groups if one.is_alive()]
    was_alive = bool(living)
    for number in (signal.SIGTERM, signal.SIGKILL):
        for one in living:
            one.send(number)
        deadline = time.monotonic() + _GRACE
        while living and time.monotonic() < deadline:
            time.sleep(_POLL)
            living = [one for one in living if one.is_alive()]
    return was_alive


def end_orphan(group: Group) -> bool:
    """End what a dead runner has left; whether it was still there. Nothing without /proc, where
    nobody knows whose that number is by now."""
    return bool(group.started) and end([group])
