"""What the orchestration plane did with a session: reserved, placed, started, paused, ended.

Each of its mutations is a frame; a frame with a nonce that was seen, or that
comes too late, changes nothing and is counted. Source: wire.md, "Hooks of
Gemba's own"; spec 003, "Session lifecycle + nonces".
"""

import msgspec
from msgspec.structs import replace

from gemba_core.frame import payload as shape
from gemba_core.frame.record import Frame, strictly
from gemba_core.translator import turns
from gemba_core.translator.change import Change
from gemba_core.translator.drop import dropped
from gemba_core.translator.escalations import Step
from gemba_core.translator.state import Plane, SessionState


def reservation(state: SessionState, frame: Frame) -> Step:
    """GembaReservation: an agent has the work item for a time; or has it no more."""
    given = strictly(frame.payload, shape.PlaneReservation)
    if given is None:
        return dropped(state, frame, "malformed")
    if given.op == "claimed" and state.plane is None:
        plane = Plane(given.agent_id, given.work_item_id, frame.ts, given.expires_at)
        return replace(state, plane=plane, bead_id=given.work_item_id or state.bead_id), ()
    if given.op == "released" and state.plane is not None and state.plane.is_reserved:
        plane = replace(state.plane, released_at=frame.ts)
        return turns.completed(replace(state, plane=plane), frame.ts), ()
    return dropped(state, frame, "out_of_order")


def workspace(state: SessionState, frame: Frame) -> Step:
    """GembaWorkspace: where the work is done. A conflict is told, and changes nothing."""
    given = strictly(frame.payload, shape.PlaneWorkspace)
    if given is None:
        return dropped(state, frame, "malformed")
    if given.op == "conflict":
        return state, ()
    plane = state.plane
    if plane is None or not _fits_workspace(plane, given.op):
        return dropped(state, frame, "out_of_order")
    told = msgspec.json.encode(given.workspace).decode()
    return replace(state, plane=replace(plane, workspace=told)), ()


def session(state: SessionState, frame: Frame) -> Step:
    """GembaSession: `end` is what was asked for, `ended` that all is released."""
    given = strictly(frame.payload, shape.PlaneSession)
    if given is None:
        return dropped(state, frame, "malformed")
    plane = state.plane
    if plane is None:
        return _close_asked(state, given.close_reason), ()
    nonce = f"{given.op}:{given.nonce}" if given.nonce else None
    if nonce is not None and nonce in plane.nonces:
        return dropped(state, frame, "seen_before")
    if plane.ended_at is not None or not _fits(plane, given.op):
        return dropped(state, frame, "out_of_order")
    if nonce is not None:
        plane = replace(plane, nonces=(*plane.nonces, nonce))
    return _STEPS[given.op](replace(state, plane=plane), plane, given, frame.ts)


def cost(state: SessionState, frame: Frame) -> Step:
    """GembaCost: samples add up."""
    given = strictly(frame.payload, shape.PlaneCost)
    if given is None or state.plane is None:
        return dropped(state, frame, "out_of_order" if given else "malformed")
    plane = state.plane
    plane = replace(
        plane,
        tokens=plane.tokens + (given.tokens or 0),
        wallclock_seconds=plane.wallclock_seconds + (given.wallclock_seconds or 0.0),
        dollars_est=plane.dollars_est + (given.dollars_est or 0.0),
        metered_at=plane.metered_at if given.wallclock_seconds is None else given.at or frame.ts,
    )
    return replace(state, plane=plane), ()


def _fits_workspace(plane: Plane, op: str) -> bool:
    """Whether its workspace may change so: it is acquired before its agent is there."""
    return plane.is_reserved if op == "acquired" else op == "released"


def _fits(plane: Plane, op: str) -> bool:
    """Whether that may happen to a session that stands so."""
    if op == "start":
        return plane.started_at is None and plane.released_at is None
    if op in ("pause", "resume", "end"):
        return plane.started_at is not None and plane.ending is None
    if op == "opened":
        return plane.started_at is not None and plane.pane is None
    return op in ("adopt", "ended") and plane.started_at is not None


def _close_asked(state: SessionState, reason: str | None) -> SessionState:
    """A session that no plane keeps: its agent's own end will have that reason."""
    if reason and not state.is_ended:
        return replace(state, requested_close=reason)
    return state


def _start(state: SessionState, plane: Plane, given: shape.PlaneSession, at: str) -> Step:
    plane = replace(plane, started_at=at, metered_at=at, lock=given.lock)
    return replace(state, plane=plane), ()


def _opened(state: SessionState, plane: Plane, given: shape.PlaneSession, at: str) -> Step:
    """Its pane is there. An agent that has spoken already said itself where it is to be reached."""
    pane = msgspec.json.encode(given.reply_to).decode() if given.reply_to else None
    state = replace(state, plane=replace(plane, pane=pane))
    return (replace(state, reply_to=pane) if state.reply_to is None else state), ()


def _adopt(state: SessionState, plane: Plane, given: shape.PlaneSession, at: str) -> Step:
    return replace(state, plane=replace(plane, lock=given.lock)), ()


def _pause(state: SessionState, plane: Plane, given: shape.PlaneSession, at: str) -> Step:
    """One that is paused already stays as it is; but its nonce is known from now on."""
    if plane.paused:
        return state, ()
    # Its status first: `with_status` leaves that of a paused session alone.
    suspended = turns.with_status(state, "suspended", at)
    return replace(suspended, plane=replace(plane, paused=True, beneath=state.status)), ()


def _resume(state: SessionState, plane: Plane, given: shape.PlaneSession, at: str) -> Step:
    """One that is not paused stays as it is; but its nonce is known from now on."""
    if not plane.paused:
        return state, ()
    state = replace(state, plane=replace(plane, paused=False, beneath=None, metered_at=at))
    status = "prompting" if state.is_blocked() else plane.beneath
    return turns.with_status(state, status or state.status, at), ()


def _end(state: SessionState, plane: Plane, given: shape.PlaneSession, at: str) -> Step:
    plane = replace(plane, ending=given.mode or "completed", detail=given.detail)
    return _close_asked(replace(state, plane=plane), given.close_reason), ()


def _ended(state: SessionState, plane: Plane, given: shape.PlaneSession, at: str) -> Step:
    state = replace(
        state,
        plane=replace(plane, paused=False, ended_at=at, lock=None),
        requested_close=state.requested_close or given.close_reason,
    )
    failed = (plane.ending or given.mode) == "failed"
    changes: tuple[Change, ...] = ()
    if not state.is_ended:
        state, changes = turns.ended(state, at, "completed")
    if failed:
        state = turns.with_status(state, "failed", at)
    return replace(state, note=plane.detail), changes


_STEPS = {
    "start": _start,
    "opened": _opened,
    "adopt": _adopt,
    "pause": _pause,
    "resume": _resume,
    "end": _end,
    "ended": _ended,
}
