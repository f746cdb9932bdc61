"""What time has made due: deadlines, and deliveries whose deliverer is gone.

Passing time changes nothing until a frame says so; whoever runs writes that
frame, by the same compare-and-set as an answer.
"""

import time
from dataclasses import dataclass

from gemba_core import home
from gemba_core.frame.line import new_event_id
from gemba_core.frame.text import deliverable
from gemba_core.inbox.deliver import mark_uncertain
from gemba_core.inbox.settle import open_journal
from gemba_core.index import Index
from gemba_core.lifelock import sweep
from gemba_core.log import frame_line
from gemba_core.translator import SessionState

_DEFAULT = "default="


@dataclass(frozen=True, slots=True)
class Ticked:
    """How many escalations expired, got their declared default, and deliveries became uncertain."""

    expired: int = 0
    defaulted: int = 0
    uncertain: int = 0


def tick(index: Index) -> Ticked:
    """Apply it, as of now. Raises LogError."""
    expired = defaulted = 0
    for session_id, escalation_id, on_expiry in index.overdue(time.time_ns() // 1000):
        value = deliverable(on_expiry.removeprefix(_DEFAULT))
        if on_expiry == "cancel":
            expired += _expire(index, session_id, escalation_id)
        elif on_expiry.startswith(_DEFAULT) and value:
            defaulted += _default(index, session_id, escalation_id, value)
    gone = [due for due in index.due(("claimed", "typed")) if not index.is_held(due.lock)]
    for due in gone:
        mark_uncertain(index, due)
    sweep(home.sessions_dir(), home.WAIT_LOCK_SUFFIX)
    sweep(home.panes_dir(), home.PANE_LOCK_SUFFIX)
    done = Ticked(expired, defaulted, len(gone))
    if done != Ticked():
        index.catch_up()
    return done


def _expire(index: Index, session_id: str, escalation_id: str) -> bool:
    payload: dict[str, object] = {
        "escalation_id": escalation_id,
        "by": "policy",
        "reason": "expired",
    }
    return _if_open(index, session_id, escalation_id, "GembaCancel", payload)


def _default(index: Index, session_id: str, escalation_id: str, value: str) -> bool:
    payload: dict[str, object] = {
        "escalation_ids": [escalation_id],
        "resolution_id": new_event_id(),
        "kind": "modify",
        "value": value,
        "resolved_by": "policy",
        "nonce": f"expiry:{escalation_id}",
        "via": "policy",
    }
    return _if_open(index, session_id, escalation_id, "GembaResolve", payload)


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
