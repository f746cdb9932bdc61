"""What the reference adaptor keeps, and its changes: each emits its event as it happens.

At the end stands what agents, their users and a reaper do: with a real adaptor
that happens outside of it.
"""

import posixpath
from collections.abc import Callable, Iterable, Iterator
from copy import copy
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, Self

from gemba_core.orchestration.agent import AgentRef
from gemba_core.orchestration.assignment import Assignment, AssignmentStatus, Reservation
from gemba_core.orchestration.cost import CostSample, metered
from gemba_core.orchestration.decode import wire
from gemba_core.orchestration.error import AdaptorError, ErrorKind, not_found
from gemba_core.orchestration.escalation import (
    EscalationKind,
    EscalationRequest,
    EscalationResolution,
    EscalationResolutionKind,
    EscalationState,
    EscalationUrgency,
)
from gemba_core.orchestration.event import EventKind, OrchestrationEvent
from gemba_core.orchestration.feed import CAPACITY, Feed
from gemba_core.orchestration.noop.item import ReadyItem
from gemba_core.orchestration.session import (
    ConfirmNonce,
    Session,
    SessionCloseReason,
    SessionEndMode,
    SessionStatus,
)
from gemba_core.orchestration.workspace import Workspace, WorkspaceStatus

_WORK = tuple(ReadyItem(id=f"item-{number}") for number in range(1, 4))
_AGENTS = (AgentRef(id="noop", name="noop", dialect="noop"),)
_TTL = timedelta(minutes=10)
# What a session and its assignment become.
_ENDED = {
    SessionEndMode.COMPLETED: (SessionStatus.COMPLETED, AssignmentStatus.FINISHED),
    SessionEndMode.FAILED: (SessionStatus.FAILED, AssignmentStatus.FAILED),
    SessionEndMode.CANCELED: (SessionStatus.COMPLETED, AssignmentStatus.CANCELED),
}


def now() -> datetime:
    """The moment, in UTC."""
    return datetime.now(UTC)


class Memory:
    """Everything by its id. `files` is a file system: what lies in workspaces, by absolute path.

    A reservation lasts `ttl` by `clock`; a subscriber's queue holds `capacity`
    events. `degraded` says why the runtime cannot be reached, while it cannot.
    """

    def __init__(
        self,
        work: Iterable[ReadyItem] = _WORK,
        *,
        agents: Iterable[AgentRef] = _AGENTS,
        ttl: timedelta = _TTL,
        capacity: int = CAPACITY,
        clock: Callable[[], datetime] = now,
    ) -> None:
        self.clock = clock
        self.degraded: str | None = None
        self.files: dict[str, bytes] = {}
        self._ready = list(work)
        self._agents = tuple(agents)
        self._ttl = ttl
        self._items: dict[str, ReadyItem] = {}
        self._reservations: dict[str, Reservation] = {}
        self._assignments: dict[str, Assignment] = {}
        self._workspaces: dict[str, Workspace] = {}
        self._sessions: dict[str, Session] = {}
        self._escalations: dict[str, EscalationRequest] = {}
        self._paused: set[str] = set()
        self._nonces: set[tuple[str, str, ConfirmNonce]] = set()
        self._events: list[OrchestrationEvent] = []
        self._feed = Feed(capacity)

    def _enter(self) -> None:
        """What every call begins with. Raises adaptor_degraded."""
        if self.degraded is not None:
            raise AdaptorError(ErrorKind.ADAPTOR_DEGRADED, self.degraded)
        for reservation in self._reservations.values():
            pending = self._assignments[reservation.id].status is AssignmentStatus.PENDING
            if pending and reservation.expires_at <= self.clock():
                self._give_back(reservation.id)

    def _is_first(self, verb: str, id: str, nonce: ConfirmNonce) -> bool:
        """Whether that nonce is new there; from now on it is not."""
        known = (verb, id, nonce) in self._nonces
        self._nonces.add((verb, id, nonce))
        return not known

    def _emit(self, kind: EventKind, assignment_id: str, payload: Any) -> None:
        assignment = self._assignments[assignment_id]
        event = OrchestrationEvent(
            id=f"event-{len(self._events) + 1}",
            kind=kind,
            at=self.clock(),
            assignment_id=assignment_id,
            session_id=assignment.session_id,
            agent_id=assignment.agent_id,
            payload=payload,
        )
        self._events.append(event)
        self._feed.publish(event)

    # Reservations and assignments.

    def _reserve(self, item: ReadyItem, agent_id: str) -> Reservation:
        id = f"assignment-{len(self._reservations) + 1}"
        reservation = Reservation(
            id=id,
            work_item_id=item.id,
            agent_id=agent_id,
            expires_at=self.clock() + self._ttl,
            nonce=ConfirmNonce(id),
        )
        self._ready.remove(item)
        self._items[id] = item
        self._reservations[id] = reservation
        self._assignments[id] = Assignment(
            id=id, work_item_id=item.id, agent_id=agent_id, status=AssignmentStatus.PENDING
        )
        self._emit(EventKind.RESERVATION_CLAIMED, id, wire(reservation))
        return reservation

    def _give_back(self, id: str) -> None:
        """The reservation ends, and with it the workspaces that no session came to use."""
        for workspace in self._workspaces_of(id):
            self._release(workspace)
        self._assignments[id] = replace(self._assignments[id], status=AssignmentStatus.CANCELED)
        self._ready.insert(0, self._items[id])
        self._emit(EventKind.RESERVATION_RELEASED, id, wire(self._reservations[id]))

    def _assignment(self, id: str) -> Assignment:
        if id not in self._assignments:
            raise not_found("assignment", id)
        return self._assignments[id]

    def _pending(self, id: str) -> Assignment:
        """One that may still have a session."""
        assignment = self._assignment(id)
        if assignment.status is not AssignmentStatus.PENDING:
            told = f"{id}: it has had its session, or is over"
            raise AdaptorError(ErrorKind.SESSION_CLOSED, told)
        return assignment

    # Workspaces.

    def _workspace(self, id: str) -> Workspace:
        if id not in self._workspaces:
            raise not_found("workspace", id)
        return self._workspaces[id]

    def _workspaces_of(self, assignment_id: str) -> list[Workspace]:
        """Those that it still has."""
        return [
            workspace
            for workspace in self._workspaces.values()
            if workspace.assignment_id == assignment_id
            and workspace.status is not WorkspaceStatus.RELEASED
        ]

    def _release(self, workspace: Workspace) -> None:
        assert workspace.assignment_id is not None
        released = replace(workspace, status=WorkspaceStatus.RELEASED, released_at=self.clock())
        self._workspaces[workspace.id] = released
        for path in [path for path in self.files if path.startswith(f"{workspace.worktree_path}/")]:
            del self.files[path]
        self._emit(EventKind.WORKSPACE_RELEASED, workspace.assignment_id, wire(released))

    # Sessions.

    def _session(self, id: str) -> Session:
        if id not in self._sessions:
            raise not_found("session", id)
        return self._sessions[id]

    def _live(self, id: str) -> Session:
        session = self._session(id)
        if session.status.is_terminal:
            raise AdaptorError(ErrorKind.SESSION_CLOSED, f"{id}: has ended")
        return session

    def _become(self, session: Session) -> Session:
        """The session is now like this."""
        before = self._sessions.get(session.id)
        self._sessions[session.id] = session
        payload = {"before": before and wire(before), "after": wire(session)}
        self._emit(EventKind.SESSION_TRANSITION, session.assignment_id, payload)
        return session

    def _settled(self, id: str) -> Session:
        """The session, with the status that follows from pauses, escalations and its turn."""
        session = self._sessions[id]
        blocked = any(
            one.session_id == id and one.urgency is EscalationUrgency.BLOCKING
            for one in self._open()
        )
        status = SessionStatus.WORKING if session.active_turn_id else SessionStatus.READY
        if blocked or id in self._paused:
            status = SessionStatus.SUSPENDED
        if status is session.status:
            return session
        return self._become(replace(session, status=status))

    def _ended(self, id: str, mode: SessionEndMode, reason: SessionCloseReason) -> Session:
        """End it, if it lives: first all that belongs to it, then it."""
        session = self._session(id)
        if session.status.is_terminal:
            return session
        for one in [one for one in self._open() if one.session_id == id]:
            canceled = replace(one, state=EscalationState.CANCELED)
            self._escalations[one.id] = canceled
            self._emit(EventKind.ESCALATION_CANCELED, session.assignment_id, wire(canceled))
        for workspace in self._workspaces_of(session.assignment_id):
            self._release(workspace)
        at = self.clock()
        status, outcome = _ENDED[mode]
        assignment = self._assignments[session.assignment_id]
        self._assignments[assignment.id] = replace(
            assignment, status=outcome, ended_at=at, cost=metered(session.cost_samples)
        )
        ended = replace(
            session, status=status, active_turn_id=None, ended_at=at, close_reason=reason
        )
        return self._become(ended)

    # Escalations.

    def _open(self) -> Iterator[EscalationRequest]:
        for one in self._escalations.values():
            if one.state is EscalationState.OPEN:
                yield one

    def _decide(
        self, escalation: EscalationRequest, resolution: EscalationResolution
    ) -> EscalationRequest:
        assert escalation.session_id is not None
        assert escalation.assignment_id is not None
        decided = replace(
            escalation,
            state=EscalationState.RESOLVED,
            resolution=replace(resolution, resolved_at=self.clock()),
        )
        self._escalations[decided.id] = decided
        self._emit(EventKind.ESCALATION_RESOLVED, escalation.assignment_id, wire(decided))
        goes_on = (EscalationResolutionKind.APPROVE, EscalationResolutionKind.MODIFY)
        if escalation.urgency is EscalationUrgency.BLOCKING and resolution.kind not in goes_on:
            # Refused what it waited for: whoever started it resumes or ends it.
            self._paused.add(escalation.session_id)
        self._settled(escalation.session_id)
        return decided

    # What happens outside of a real adaptor.

    def another(self) -> Self:
        """A second adaptor on the same runtime, which is this memory."""
        return copy(self)

    def begin_turn(self, session_id: str) -> None:
        """The agent is at work."""
        session = replace(
            self._live(session_id), active_turn_id="turn", last_heartbeat=self.clock()
        )
        self._become(replace(session, status=SessionStatus.WORKING))

    def end_turn(self, session_id: str, tokens: int = 1) -> None:
        """It has done its turn, and what that cost is known."""
        session, at = self._live(session_id), self.clock()
        spent = (at - (session.last_heartbeat or at)).total_seconds()
        sample = CostSample(at=at, tokens=tokens, wallclock_seconds=spent)
        samples = (*session.cost_samples, sample)
        self._sessions[session_id] = replace(
            session, active_turn_id=None, last_heartbeat=at, cost_samples=samples
        )
        self._emit(EventKind.COST_SAMPLE, session.assignment_id, wire(sample))
        self._settled(session_id)

    def escalate(
        self, session_id: str, urgency: EscalationUrgency, source: EscalationKind
    ) -> EscalationRequest:
        """The agent needs a person."""
        session = self._live(session_id)
        escalation = EscalationRequest(
            id=f"escalation-{len(self._escalations) + 1}",
            source=source,
            urgency=urgency,
            title="Go on?",
            prompt="Go on?",
            state=EscalationState.OPEN,
            created_at=self.clock(),
            assignment_id=session.assignment_id,
            session_id=session_id,
            work_item_id=self._assignments[session.assignment_id].work_item_id,
            agent_id=session.agent_id,
        )
        self._escalations[escalation.id] = escalation
        self._emit(EventKind.ESCALATION_OPENED, session.assignment_id, wire(escalation))
        self._settled(session_id)
        return escalation

    def crash(self, session_id: str) -> None:
        """The agent's program ends by itself."""
        self._ended(session_id, SessionEndMode.FAILED, SessionCloseReason.PROVIDER_EXIT)

    def write(self, workspace_id: str, path: str, data: bytes) -> bool:
        """Write a file from inside that workspace; whether it was let. Nothing outside is."""
        root = self._workspace(workspace_id).worktree_path
        assert root is not None
        target = posixpath.normpath(posixpath.join(root, path))
        if not target.startswith(f"{root}/"):
            return False
        self.files[target] = data
        return True

    def reap(self, idle: timedelta) -> None:
        """End the sessions that did nothing for that long; never one that has a turn."""
        for session in list(self._sessions.values()):
            last = session.last_heartbeat or session.started_at
            if session.active_turn_id is None and last <= self.clock() - idle:
                self._ended(session.id, SessionEndMode.CANCELED, SessionCloseReason.IDLE_TIMEOUT)

    def close(self) -> None:
        """End what is left: sessions, and the reservations that did not become one."""
        for session in list(self._sessions.values()):
            self._ended(session.id, SessionEndMode.CANCELED, SessionCloseReason.USER_STOP)
        for assignment in list(self._assignments.values()):
            if assignment.status is AssignmentStatus.PENDING:
                self._give_back(assignment.id)
