"""The lines that the native adaptor writes into an assignment's log.

Source: wire.md, "Hooks of Gemba's own"; their meaning is `translator.plane`'s.
"""

from datetime import UTC, datetime

from gemba_core.log import frame_line
from gemba_core.orchestration.assignment import AssignmentStatus, Reservation
from gemba_core.orchestration.decode import wire
from gemba_core.orchestration.session import SessionCloseReason, SessionEndMode, SessionStatus
from gemba_core.orchestration.workspace import Workspace, WorkspaceStatus
from gemba_core.panes import PaneAddress


def claimed(
    id: str, *, agent_id: str, work_item_id: str | None, expires_at: datetime, nonce: str
) -> bytes:
    """The first line of every log of ours: the agent has the work item, for a time."""
    return frame_line(
        id,
        "GembaReservation",
        {
            "op": "claimed",
            "after": AssignmentStatus.PENDING,
            "reservation_id": id,
            "agent_id": agent_id,
            "work_item_id": work_item_id,
            "expires_at": expires_at.astimezone(UTC).isoformat(),
            "nonce": nonce,
        },
    )


def reserved(reservation: Reservation) -> bytes:
    """That reservation was claimed."""
    return claimed(
        reservation.id,
        agent_id=reservation.agent_id,
        work_item_id=reservation.work_item_id,
        expires_at=reservation.expires_at,
        nonce=reservation.nonce,
    )


def given_back(id: str, *, agent_id: str, reason: str) -> bytes:
    """It is held no more."""
    payload: dict[str, object] = {
        "op": "released",
        "before": AssignmentStatus.PENDING,
        "after": AssignmentStatus.CANCELED,
        "reservation_id": id,
        "agent_id": agent_id,
        "reason": reason,
    }
    return frame_line(id, "GembaReservation", payload)


def acquired(id: str, made: Workspace) -> bytes:
    """That workspace is the assignment's."""
    payload: dict[str, object] = {"op": "acquired", "after": made.status, "workspace": wire(made)}
    return frame_line(id, "GembaWorkspace", payload)


def released(id: str, given_back: Workspace, *, before: WorkspaceStatus) -> bytes:
    """It has that workspace no more."""
    payload: dict[str, object] = {
        "op": "released",
        "before": before,
        "after": given_back.status,
        "workspace": wire(given_back),
    }
    return frame_line(id, "GembaWorkspace", payload)


def conflict(id: str, path: str, session_ids: list[str]) -> bytes:
    """These sessions have changed the same file."""
    payload: dict[str, object] = {"op": "conflict", "path": path, "session_ids": session_ids}
    return frame_line(id, "GembaWorkspace", payload)


def started(id: str, *, agent_type: str, lock: str) -> bytes:
    """A session is begun; nothing of it is there yet."""
    payload: dict[str, object] = {"op": "start", "after": SessionStatus.INITIALIZING, "lock": lock}
    return frame_line(id, "GembaSession", payload, agent_type=agent_type)


def opened(id: str, pane: PaneAddress) -> bytes:
    """Its pane is there, and its agent in it."""
    address = {
        "tmux_socket": pane.tmux_socket,
        "tmux_server_pid": pane.tmux_server_pid,
        "tmux_pane": pane.tmux_pane,
        "agent": pane.agent,
    }
    return frame_line(id, "GembaSession", {"op": "opened", "reply_to": address})


def adopted(id: str, *, lock: str) -> bytes:
    """Whoever writes this keeps it from now on."""
    return frame_line(id, "GembaSession", {"op": "adopt", "lock": lock})


def turned(
    id: str, op: str, *, nonce: str, before: SessionStatus, after: SessionStatus | None
) -> bytes:
    """It is to `pause`, or to `resume`; `after` None: as its agent has it."""
    payload: dict[str, object] = {"op": op, "nonce": nonce, "before": before, "after": after}
    return frame_line(id, "GembaSession", payload)


def ending(
    id: str,
    *,
    mode: SessionEndMode,
    reason: SessionCloseReason,
    before: SessionStatus,
    nonce: str | None = None,
    detail: str | None = None,
) -> bytes:
    """It is to end so, and for that reason."""
    payload: dict[str, object] = {
        "op": "end",
        "nonce": nonce,
        "before": before,
        "mode": mode,
        "close_reason": reason,
        "detail": detail,
    }
    return frame_line(id, "GembaSession", payload)


def ended(id: str, *, before: SessionStatus, after: SessionStatus) -> bytes:
    """All that belonged to it is released. The reason stands with the end that was asked for."""
    payload: dict[str, object] = {"op": "ended", "before": before, "after": after}
    return frame_line(id, "GembaSession", payload)


def spent(id: str, *, at: datetime, seconds: float) -> bytes:
    """It ran for so long since the sample before."""
    payload: dict[str, object] = {
        "at": at.astimezone(UTC).isoformat(),
        "wallclock_seconds": round(seconds, 3),
    }
    return frame_line(id, "GembaCost", payload)
