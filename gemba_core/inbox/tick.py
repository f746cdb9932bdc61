"""What time has made due: deadlines, ends of claims, deliveries and questions of the dead.

Passing time changes nothing until a frame says so; whoever runs writes that
frame, by the same compare-and-set as an answer.
"""

import os
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

from gemba_core import expiry, home
from gemba_core.frame.vocabulary import EXPIRY_CANCEL, EXPIRY_WAIT, IN_HAND
from gemba_core.inbox.claims import lapse
from gemba_core.inbox.deliver import mark_uncertain
from gemba_core.inbox.settle import open_journal
from gemba_core.index import Escalation, Index
from gemba_core.lifelock import is_held, sweep
from gemba_core.log import frame_line
from gemba_core.translator import SessionState


@dataclass(frozen=True, slots=True)
class Ticked:
    """How many escalations expired, got their declared default, and deliveries became uncertain."""

    expired: int = 0
    defaulted: int = 0
    uncertain: int = 0


def tick(index: Index) -> Ticked:
    """Apply it, as of now. Raises LogError."""
    now = time.time_ns() // 1000
    expired = defaulted = 0
    for session_id, escalation_id, on_expiry in index.overdue(now):
        if on_expiry == EXPIRY_WAIT:
            continue
        with open_journal(index, session_id) as journal:
            applied = expiry.apply(journal, escalation_id, on_expiry)
        if on_expiry == EXPIRY_CANCEL:
            expired += applied
        else:
            defaulted += applied
    gone = [due for due in index.due(IN_HAND) if not index.is_held(due.lock)]
    for due in gone:
        mark_uncertain(index, due)
    closed = sum(_close(index, item) for item in _left_by_hooks(index))
    lapse(index, now)
    for folder in _lock_folders():
        # In its own folder a scoped agent may put anything in a lock's place.
        with suppress(OSError):
            sweep(folder, home.WAIT_LOCK_SUFFIX)
    sweep(home.panes_dir(), home.PANE_LOCK_SUFFIX)
    done = Ticked(expired, defaulted, len(gone))
    if closed or done != Ticked():
        index.catch_up()
    return done


def _left_by_hooks(index: Index) -> Iterator[Escalation]:
    """The open questions of hooks that were killed while they waited; a dialog asks them now.

    The file of their lock is still there, and nobody holds it. What was asked by
    `gemba-ask` names a role, and stays open for the next one that waits.
    """
    for path in _lock_files():
        if is_held(path):
            continue
        name = os.path.basename(path)
        for item in index.named(name.removesuffix(home.WAIT_LOCK_SUFFIX).rpartition(".")[2]):
            is_question = item.source == "question" and item.role is None
            if is_question and path == home.wait_lock_path(item.session_id, item.id):
                yield item


def _lock_folders() -> list[str]:
    """That of all sessions, and the own one of each scoped session."""
    folder = home.sessions_dir()
    names = os.listdir(folder) if os.path.isdir(folder) else []
    own = (os.path.join(folder, name) for name in names if name.endswith(home.OWN_SUFFIX))
    return [folder, *own]


def _lock_files() -> Iterator[str]:
    for folder in _lock_folders():
        with suppress(OSError):  # a session that ends takes its own folder with it
            for name in os.listdir(folder):
                if name.endswith(home.WAIT_LOCK_SUFFIX):
                    yield os.path.join(folder, name)


def _close(index: Index, item: Escalation) -> bool:
    payload: dict[str, object] = {
        "escalation_id": item.id,
        "by": "pane",
        "reason": "decided_in_pane",
    }
    return _if_open(index, item.session_id, item.id, "GembaCancel", payload)


def _if_open(
    index: Index, session_id: str, escalation_id: str, hook: str, payload: dict[str, object]
) -> bool:
    def choose(state: SessionState) -> bytes | None:
        item = state.find(escalation_id)
        if item is None or item.state != "open":
            return None
        return frame_line(session_id, hook, payload)

    with open_journal(index, session_id) as journal:
        return journal.append_if(choose)
