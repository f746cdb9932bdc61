"""What happens on a plane, as it happens. Source: spec 003, "Events"."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any


class EventDelivery(StrEnum):
    """How events come to the adaptor; to a subscriber they always come by themselves."""

    SSE = "sse"
    PUSH = "push"
    POLL = "poll"

    @property
    def budget(self) -> float:
        """Seconds from a mutation's return to its event on `subscribe`."""
        return 5.0 if self is EventDelivery.POLL else 0.25


class EventKind(StrEnum):
    """`gap` is ours: a subscriber that was too slow is told what it missed, and re-reads."""

    SESSION_TRANSITION = "session_transition"
    COST_SAMPLE = "cost_sample"
    ESCALATION_OPENED = "escalation_opened"
    ESCALATION_RESOLVED = "escalation_resolved"
    ESCALATION_EXPIRED = "escalation_expired"
    ESCALATION_CANCELED = "escalation_canceled"
    POTENTIAL_CONFLICT = "potential_conflict"
    WORKSPACE_ACQUIRED = "workspace_acquired"
    WORKSPACE_RELEASED = "workspace_released"
    RESERVATION_CLAIMED = "reservation_claimed"
    RESERVATION_RELEASED = "reservation_released"
    GAP = "gap"


@dataclass(frozen=True, slots=True, kw_only=True)
class OrchestrationEvent:
    """One thing that happened. The payload is what goes over a wire: JSON values in wire shapes.

    session_transition    {before, after}: sessions; before is None where it has just begun
    cost_sample           the sample
    escalation_*          the escalation
    potential_conflict    {path, session_ids}
    workspace_*           the workspace
    reservation_*         the reservation
    gap                   {missed, session_ids}: how many events, and what to read again
    """

    id: str
    kind: EventKind
    at: datetime
    assignment_id: str | None = None
    session_id: str | None = None
    agent_id: str | None = None
    payload: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class SubscribeFilter:
    """Which events; None or empty means any.

    `since`: what happened at that moment or later comes first; then, as ever,
    whatever happens, also what bears an earlier time. Events may share a moment,
    and a time is taken a little before its event is on record: who goes on where
    it stopped asks since the last event's time, less a second or two, and drops
    the ids that it knows.
    """

    assignment_id: str | None = None
    session_id: str | None = None
    kinds: tuple[EventKind, ...] = ()
    since: datetime | None = None

    def admits(self, event: OrchestrationEvent) -> bool:
        """Whether it is one of them, if it happens from now on; a gap always is."""
        if event.kind is EventKind.GAP:
            return True
        return (
            self.assignment_id in (None, event.assignment_id)
            and self.session_id in (None, event.session_id)
            and (not self.kinds or event.kind in self.kinds)
        )

    def replays(self, event: OrchestrationEvent) -> bool:
        """Whether it is one of them, if it has happened before."""
        return self.since is not None and event.at >= self.since and self.admits(event)
