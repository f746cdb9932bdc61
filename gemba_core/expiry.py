"""What time ends: claims, and asks whose deadline has passed.

An ask gets what it declared, never a person's answer. The waiting `gemba-ask`,
`watch`, `serve` and `tick` come here. The frame is appended by the same
compare-and-set as an answer: the log's order decides.
"""

import time
from typing import Protocol

from gemba_core.frame.line import new_event_id
from gemba_core.frame.record import microseconds
from gemba_core.frame.text import deliverable
from gemba_core.frame.vocabulary import EXPIRY_CANCEL, EXPIRY_DEFAULT, EXPIRY_WAIT
from gemba_core.journal import Journal
from gemba_core.log import frame_line
from gemba_core.translator import SessionState

POLICY = "policy"


def is_past(moment: str | None, now: int | None = None) -> bool:
    """Whether that moment (RFC 3339) has come; one that cannot be read never does.

    `now` is in microseconds since the epoch; without it, the clock is asked.
    """
    at = microseconds(moment) if moment else None
    return at is not None and at <= (time.time_ns() // 1000 if now is None else now)


class Claimable(Protocol):
    """What somebody may look after for a while."""

    @property
    def claimed_by(self) -> str | None: ...
    @property
    def claimed_until(self) -> str | None: ...


def is_claimed(item: Claimable, now: int | None = None) -> bool:
    """Whether somebody looks after it now: a claim that has run out is none. `now` as above."""
    return item.claimed_by is not None and not is_past(item.claimed_until, now)


def apply(journal: Journal, escalation_id: str, on_expiry: str | None) -> bool:
    """Do what was declared for that escalation, if it is still open; whether it was done.

    `cancel` closes it as expired; `default=VALUE` resolves it with that value, by
    policy; for anything else it stays open. Raises LogError.
    """
    line = _line(journal.session_id, escalation_id, on_expiry or EXPIRY_WAIT)

    def choose(state: SessionState) -> bytes | None:
        item = state.find(escalation_id)
        return line if item is not None and item.state == "open" else None

    return line is not None and journal.append_if(choose)


def _line(session_id: str, escalation_id: str, on_expiry: str) -> bytes | None:
    value = deliverable(on_expiry.removeprefix(EXPIRY_DEFAULT))
    if on_expiry == EXPIRY_CANCEL:
        cancel: dict[str, object] = {
            "escalation_id": escalation_id,
            "by": POLICY,
            "reason": "expired",
        }
        return frame_line(session_id, "GembaCancel", cancel)
    if not on_expiry.startswith(EXPIRY_DEFAULT) or not value:
        return None
    resolve: dict[str, object] = {
        "escalation_ids": [escalation_id],
        "resolution_id": new_event_id(),
        "kind": "modify",
        "value": value,
        "resolved_by": POLICY,
        "nonce": f"expiry:{escalation_id}",
        "via": POLICY,
    }
    return frame_line(session_id, "GembaResolve", resolve)
