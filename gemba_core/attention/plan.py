"""Whom a rule calls for now. Pure: no clock, no file."""

from collections.abc import Sequence
from datetime import datetime

from gemba_core.attention.ledger import Sent
from gemba_core.attention.rule import Rule
from gemba_core.expiry import is_claimed
from gemba_core.frame.record import microseconds
from gemba_core.index import Escalation

_SECOND = 1_000_000
# Seconds until what failed is tried again: doubled each time, up to the longest.
_FIRST_RETRY, _LONGEST_RETRY = 15.0, 900.0


def due(rule: Rule, items: Sequence[Escalation], sent: Sent, now: int) -> list[Escalation]:
    """The escalations that this rule's next message is about, if it may go out now.

    `items` are those that are open; `now` is in microseconds since the epoch. One
    that somebody looks after is passed over. All that are due come together.
    """
    chosen = [item for item in items if rule.chooses(item) and not is_claimed(item, now)]
    moments = [(item, _when(rule, item, sent)) for item in chosen]
    ready = [(moment, item) for item, moment in moments if moment is not None and moment <= now]
    if not ready or _is_held(rule, sent, now):
        return []
    first = min(moment for moment, _ in ready)
    if first + _span(rule.digest or 0.0) > now:
        return []
    return [item for _, item in ready]


def retry_after(failures: int) -> float:
    """Seconds between a failure and the next try."""
    return min(_FIRST_RETRY * 2.0 ** min(failures - 1, 10), _LONGEST_RETRY)


def _when(rule: Rule, item: Escalation, sent: Sent) -> int | None:
    """When it is to be told of next; None: never again."""
    count, last = sent.told(rule.name, item.session_id, item.id)
    if count == 0:
        asked = microseconds(item.created_at) if item.created_at else None
        return (asked or 0) + _span(rule.after)
    if rule.repeat is None or count >= rule.most:
        return None
    return last + _span(rule.repeat)


def _is_held(rule: Rule, sent: Sent, now: int) -> bool:
    """Whether nothing of this rule may go out at this moment, whatever it is."""
    if rule.quiet is not None and rule.quiet.holds(datetime.fromtimestamp(now / _SECOND)):
        return True
    last = sent.last(rule.name)
    if rule.at_most_every is not None and last + _span(rule.at_most_every) > now:
        return True
    failures, failed_at = sent.failures(rule.name)
    return failures > 0 and failed_at + _span(retry_after(failures)) > now


def _span(seconds: float) -> int:
    return int(seconds * _SECOND)
