"""A session's frames, told as the plane's events.

Pure. An event's id is made of its frame's, so it is the same however often the
log is read.
"""

from collections.abc import Iterator

from gemba_core.frame import payload as shape
from gemba_core.frame.record import Frame, strictly
from gemba_core.orchestration.decode import wire
from gemba_core.orchestration.escalation import EscalationState
from gemba_core.orchestration.event import EventKind, OrchestrationEvent
from gemba_core.orchestration.native import records
from gemba_core.translator import Change, SessionState, translate
from gemba_core.translator.change import Closed, Opened, Reopened, Resolved

_Told = tuple[EventKind, dict[str, object]]


class Teller:
    """One session, followed frame by frame from the beginning of its log."""

    def __init__(self, session_id: str) -> None:
        self.state = SessionState(session_id)
        self._opened: dict[str, Opened] = {}

    def tell(self, frame: Frame) -> list[OrchestrationEvent]:
        """What the frame has made happen, in order; nothing for a session without a plane."""
        before = self.state
        self.state, changes = translate(before, frame)
        plane = self.state.plane
        if plane is None:
            return []
        told = [*self._by_plane(before, frame), *self._by_changes(changes)]
        told += self._transition(before)
        return [
            OrchestrationEvent(
                id=f"{self.state.session_id}:{frame.event_id}:{number}",
                kind=kind,
                at=records.moment(frame.ts),
                assignment_id=self.state.session_id,
                session_id=self.state.session_id if plane.started_at else None,
                agent_id=plane.agent_id,
                payload=payload,
            )
            for number, (kind, payload) in enumerate(told)
        ]

    def _by_plane(self, before: SessionState, frame: Frame) -> Iterator[_Told]:
        """What the frame says of itself. One that changed nothing tells nothing."""
        if frame.hook == "GembaWorkspace":
            given = strictly(frame.payload, shape.PlaneWorkspace)
            if given is not None and given.op == "conflict":
                told: dict[str, object] = {
                    "path": given.path,
                    "session_ids": given.session_ids,
                }
                yield EventKind.POTENTIAL_CONFLICT, told
        if self.state is before or self.state.plane == before.plane:
            return
        if frame.hook == "GembaReservation":
            claimed = self.state.plane and self.state.plane.released_at is None
            kind = EventKind.RESERVATION_CLAIMED if claimed else EventKind.RESERVATION_RELEASED
            yield kind, wire(records.reservation(self.state))
        elif frame.hook == "GembaWorkspace":
            placed, held = records.workspace(self.state), records.held_workspace(self.state)
            kind = EventKind.WORKSPACE_ACQUIRED if held else EventKind.WORKSPACE_RELEASED
            if placed is not None:
                yield kind, wire(placed)
        elif frame.hook == "GembaCost":
            cost = strictly(frame.payload, dict[str, object])
            yield EventKind.COST_SAMPLE, {"at": frame.ts, **(cost or {})}

    def _by_changes(self, changes: tuple[Change, ...]) -> Iterator[_Told]:
        for change in changes:
            if isinstance(change, Opened):
                self._opened[change.id] = change
                yield self._of(EventKind.ESCALATION_OPENED, change.id, EscalationState.OPEN)
            elif isinstance(change, Reopened) and change.id in self._opened:
                yield self._of(EventKind.ESCALATION_OPENED, change.id, EscalationState.OPEN)
            elif isinstance(change, Resolved) and change.id in self._opened:
                yield self._of(
                    EventKind.ESCALATION_RESOLVED, change.id, EscalationState.RESOLVED, change
                )
            elif isinstance(change, Closed) and change.id in self._opened:
                state = EscalationState(change.state)
                expired = state is EscalationState.EXPIRED
                kind = EventKind.ESCALATION_EXPIRED if expired else EventKind.ESCALATION_CANCELED
                yield self._of(kind, change.id, state)

    def _of(
        self, kind: EventKind, id: str, state: EscalationState, resolved: Resolved | None = None
    ) -> _Told:
        agent_id = records.plane_of(self.state).agent_id
        request = records.told_escalation(
            self.state.session_id, agent_id, self._opened[id], state, resolved
        )
        return kind, wire(request)

    def _transition(self, before: SessionState) -> Iterator[_Told]:
        """The session stands otherwise than before; it begins with its start, not its claim."""
        if records.plane_of(self.state).started_at is None:
            return
        began = before.plane is None or before.plane.started_at is None
        if not began and records.status(before) is records.status(self.state):
            return
        yield (
            EventKind.SESSION_TRANSITION,
            {
                "before": None if began else wire(records.session(before)),
                "after": wire(records.session(self.state)),
            },
        )
