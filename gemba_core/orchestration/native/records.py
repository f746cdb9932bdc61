"""What is on record, in the contract's records.

Pure: a state or a row in, a record out.
"""

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime

import msgspec

from gemba_core.index import Escalation
from gemba_core.orchestration.assignment import Assignment, AssignmentStatus, Reservation
from gemba_core.orchestration.cost import CostMeter, CostSample
from gemba_core.orchestration.decode import record
from gemba_core.orchestration.error import AdaptorError
from gemba_core.orchestration.escalation import (
    EscalationChannel,
    EscalationKind,
    EscalationOption,
    EscalationRequest,
    EscalationResolution,
    EscalationResolutionKind,
    EscalationState,
    EscalationUrgency,
)
from gemba_core.orchestration.session import (
    ConfirmNonce,
    Session,
    SessionCloseReason,
    SessionStatus,
)
from gemba_core.orchestration.workspace import Workspace, WorkspaceStatus
from gemba_core.translator import SessionState
from gemba_core.translator.change import Opened, Resolved
from gemba_core.translator.state import Plane

_EPOCH = datetime.fromtimestamp(0, UTC)


def moment(ts: str | None) -> datetime:
    """A frame's time stamp; the epoch where it cannot be read."""
    try:
        found = datetime.fromisoformat(ts or "")
    except ValueError:
        return _EPOCH
    return found if found.tzinfo else _EPOCH


def plane_of(state: SessionState) -> Plane:
    """What the plane did with it, of a session that the plane keeps."""
    assert state.plane is not None
    return state.plane


def status(state: SessionState) -> SessionStatus:
    """How the session stands for the plane.

    Terminal only when all that belonged to it is released; suspended while it is
    paused, or an escalation of its own blocks it.
    """
    plane = plane_of(state)
    if plane.ended_at is not None:
        return SessionStatus(state.status)
    if plane.paused or state.is_blocked():
        return SessionStatus.SUSPENDED
    if state.is_ended:
        return SessionStatus.STALLED  # its agent said goodbye, and is being cleared away
    if state.status == "prompting" and not state.open and state.answers:
        return SessionStatus.WORKING  # what it waited for is decided and on its way
    return SessionStatus(state.status)


def session(
    state: SessionState, heartbeat: datetime | None = None, *, is_lost: bool = False
) -> Session:
    """The session; `heartbeat` is its last sign of life, where that is known.

    One that is lost is stalled, and its metadata says why.
    """
    plane = plane_of(state)
    shown = SessionStatus.STALLED if is_lost else status(state)
    is_closed = shown.is_terminal and state.close_reason is not None
    return Session(
        id=state.session_id,
        assignment_id=state.session_id,
        agent_id=plane.agent_id,
        status=shown,
        started_at=moment(plane.started_at),
        active_turn_id=None if shown.is_terminal else active_turn(state),
        ended_at=moment(plane.ended_at) if plane.ended_at else None,
        last_heartbeat=heartbeat,
        close_reason=_reason(state.close_reason) if is_closed else None,
        cost_samples=_samples(plane),
        provider_metadata={"agent_type": state.agent_type, "lost": is_lost},
    )


def _reason(said: str | None) -> SessionCloseReason:
    """A reason that there is not was written by nobody of ours."""
    known = said in list(SessionCloseReason)
    return SessionCloseReason(said or "") if known else SessionCloseReason.PROTOCOL_ERROR


def active_turn(state: SessionState) -> str | None:
    """The turn that is open: its client's own id for it, else its number."""
    return (state.turn.id or str(state.turn.number)) if state.turn.open else None


def _samples(plane: Plane) -> tuple[CostSample, ...]:
    """One, the sum of all: the samples themselves stand in the log."""
    if plane.metered_at is None or not (plane.tokens or plane.wallclock_seconds):
        return ()
    return (
        CostSample(
            at=moment(plane.metered_at),
            tokens=plane.tokens or None,
            wallclock_seconds=plane.wallclock_seconds,
            dollars_est=plane.dollars_est or None,
        ),
    )


def reservation(state: SessionState) -> Reservation:
    """What is, or was, held for the agent."""
    plane = plane_of(state)
    return Reservation(
        id=state.session_id,
        work_item_id=plane.work_item_id or "",
        agent_id=plane.agent_id,
        expires_at=moment(plane.expires_at),
        nonce=ConfirmNonce(state.session_id),
    )


def assignment(state: SessionState, escalations: Iterable[EscalationRequest] = ()) -> Assignment:
    """The agent and its work item."""
    plane = plane_of(state)
    held = workspace(state)
    over = plane.ended_at or plane.released_at
    return Assignment(
        id=state.session_id,
        work_item_id=plane.work_item_id,
        agent_id=plane.agent_id,
        status=_progress(state, plane),
        workspace_id=held.id if held else None,
        session_id=state.session_id if plane.started_at else None,
        started_at=moment(plane.started_at) if plane.started_at else None,
        ended_at=moment(over) if over else None,
        cost=CostMeter(
            tokens_total=plane.tokens,
            wallclock_seconds=plane.wallclock_seconds,
            dollars_est=plane.dollars_est,
        ),
        escalations=tuple(escalations),
    )


def _progress(state: SessionState, plane: Plane) -> AssignmentStatus:
    if plane.released_at is not None:
        return AssignmentStatus.CANCELED
    if plane.started_at is None:
        return AssignmentStatus.PENDING
    if plane.ended_at is None:
        return AssignmentStatus.PAUSED if plane.paused else AssignmentStatus.ACTIVE
    if plane.ending == "canceled":
        return AssignmentStatus.CANCELED
    return AssignmentStatus.FAILED if state.status == "failed" else AssignmentStatus.FINISHED


def workspace(state: SessionState) -> Workspace | None:
    """Where its work is done, or was; in use while its session lives.

    An agent may write into its own log: a record that cannot be read, or of
    another assignment's workspace, is none.
    """
    plane = plane_of(state)
    try:
        found = record(Workspace, msgspec.json.decode(plane.workspace or "null"))
    except AdaptorError:
        return None
    if found.id != state.session_id:
        return None
    is_used = plane.started_at is not None and plane.ended_at is None
    if is_used and found.status is WorkspaceStatus.READY:
        return replace(found, status=WorkspaceStatus.IN_USE)
    return found


def held_workspace(state: SessionState) -> Workspace | None:
    """Its workspace, unless it was released."""
    found = workspace(state)
    return found if found and found.status is not WorkspaceStatus.RELEASED else None


def escalation(row: Escalation, agent_id: str) -> EscalationRequest:
    """An escalation as the index has it."""
    done = row.resolution
    return EscalationRequest(
        id=row.id,
        source=EscalationKind(row.source),
        urgency=EscalationUrgency(row.urgency),
        title=row.title,
        prompt=row.prompt,
        state=EscalationState(row.state),
        created_at=moment(row.created_at),
        channel=EscalationChannel(row.channel),
        assignment_id=row.session_id,
        session_id=row.session_id,
        work_item_id=row.work_item_id,
        agent_id=agent_id,
        options=_options((one["value"], one["label"]) for one in row.options),
        deadline=moment(row.deadline) if row.deadline else None,
        resolution=None
        if done is None
        else _resolution(done.kind, done.resolved_by, done.value, done.resolved_at),
    )


def told_escalation(
    session_id: str,
    agent_id: str,
    opened: Opened,
    state: EscalationState,
    resolved: Resolved | None = None,
) -> EscalationRequest:
    """An escalation as the fold tells of it."""
    return EscalationRequest(
        id=opened.id,
        source=EscalationKind(opened.source),
        urgency=EscalationUrgency(opened.urgency),
        title=opened.title,
        prompt=opened.prompt,
        state=state,
        created_at=moment(opened.at),
        channel=EscalationChannel(opened.channel),
        assignment_id=session_id,
        session_id=session_id,
        work_item_id=opened.bead_id,
        agent_id=agent_id,
        options=_options(opened.options),
        deadline=moment(opened.deadline) if opened.deadline else None,
        resolution=None
        if resolved is None
        else _resolution(resolved.kind, resolved.by, resolved.value, resolved.at),
    )


def _resolution(kind: str, by: str, value: str | None, at: str | None) -> EscalationResolution:
    return EscalationResolution(
        kind=EscalationResolutionKind(kind), resolved_by=by, value=value, resolved_at=moment(at)
    )


def _options(given: Iterable[tuple[str, str]]) -> tuple[EscalationOption, ...]:
    return tuple(EscalationOption(value=value, label=label) for value, label in given)
