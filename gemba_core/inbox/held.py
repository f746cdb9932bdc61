"""Held answers, tried again by what stays running: soon, then more and more seldom.

Most are held by what their log says, and are tried again as soon as that grows.
What only their pane knows (a draft, a menu, copy mode) nobody tells us, so that
we look, at each pane once.
"""

import time
from dataclasses import dataclass

from gemba_core import home
from gemba_core.frame.vocabulary import DUE
from gemba_core.inbox.address import pane_of_answer
from gemba_core.inbox.deliver import tried
from gemba_core.index import Due, Index

# Seconds between two tries while nothing is known to have changed. The shortest ends before
# the next full pass.
_SHORTEST, _LONGEST = 4.0, 30.0


@dataclass(frozen=True, slots=True)
class _Rest:
    """Not to be tried until then (`time.monotonic`), if its log still ends there."""

    log_end: int
    pause: float
    until: float


class Held:
    """What is remembered of held answers from one pass to the next."""

    def __init__(self) -> None:
        self._rests: dict[tuple[str, str], _Rest] = {}

    def deliver(self, index: Index, logs: set[str] | None) -> None:
        """Try what is due in these logs; None: in all, without what rests. Raises LogError."""
        all_due = index.due(DUE)
        known = {_key(due) for due in all_due}
        self._rests = {key: rest for key, rest in self._rests.items() if key in known}
        busy_panes: set[str | None] = set()
        for due in all_due:
            if not self._is_wanted(due, logs):
                continue
            if _is_held_text(due) and _pane(due) in busy_panes:
                self._rest(due)
                continue
            report = tried(index, due)
            if report.is_by_pane:
                busy_panes.add(_pane(due))
            if report.is_waiting:
                self._rest(due)

    def _is_wanted(self, due: Due, logs: set[str] | None) -> bool:
        if logs is not None:
            return home.safe_id(due.session_id) in logs
        rest = self._last_rest(due)
        return rest is None or time.monotonic() >= rest.until

    def _rest(self, due: Due) -> None:
        """Twice as long as the last time, if its log did not grow in between."""
        before = self._last_rest(due)
        pause = min(2 * before.pause, _LONGEST) if before else _SHORTEST
        self._rests[_key(due)] = _Rest(due.log_end, pause, time.monotonic() + pause)

    def _last_rest(self, due: Due) -> _Rest | None:
        rest = self._rests.get(_key(due))
        return rest if rest is not None and rest.log_end == due.log_end else None


def _is_held_text(due: Due) -> bool:
    """Whether it waits for the input line; a dialog's key does not, and it may be what is up."""
    return due.status == "held" and due.channel != "notification"


def _pane(due: Due) -> str | None:
    address = pane_of_answer(due)
    return address.key if address else None


def _key(due: Due) -> tuple[str, str]:
    return due.session_id, due.resolution_id
