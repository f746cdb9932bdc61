"""Reservations: what is held for an agent until it has a session, or the time is over."""

import asyncio
import os
from datetime import UTC, datetime, timedelta
from functools import partial

from gemba_core.lifelock import LifeLock
from gemba_core.orchestration.assignment import ReadyFilter, Reservation
from gemba_core.orchestration.error import AdaptorError, ErrorKind
from gemba_core.orchestration.native import frames, ledger, places, records, workspaces
from gemba_core.orchestration.native.alone import alone, waited_for
from gemba_core.orchestration.native.scope import release_workspace
from gemba_core.orchestration.scope import new_assignment_id
from gemba_core.orchestration.work.item import WorkItem
from gemba_core.orchestration.work.plane import WorkPlane
from gemba_core.orchestration.work.reservations import TTL, reserve
from gemba_core.orchestration.workspace import Workspace, WorkspaceKind, WorkspaceRequest
from gemba_core.translator import SessionState
from gemba_core.translator.state import Plane


async def claim(
    work: WorkPlane, filter: ReadyFilter, agent_id: str, ttl: float = TTL
) -> Reservation | None:
    """Reserve the next item that is ready; None where none is. Raises AdaptorError."""
    held: set[str | None] = set()

    async def ready() -> tuple[WorkItem, ...]:
        # Under the lock, like everything that `reserve` calls: nobody else reserves meanwhile.
        planes = map(records.plane_of, await asyncio.to_thread(ledger.kept))
        held.update(plane.work_item_id for plane in planes if holds(plane))
        return await work.list_ready(filter)

    return await reserve(
        ready=ready,
        is_reserved=held.__contains__,
        record=lambda made: ledger.begin(made.id, frames.reserved(made)),
        agent_id=agent_id,
        ttl=ttl,
    )


def begin(agent_id: str, work_item_id: str | None, ttl: float = TTL) -> str:
    """A new assignment of that agent's, without asking for work; its id. Blocking."""
    id = new_assignment_id(agent_id)
    expires_at = datetime.now(UTC) + timedelta(seconds=ttl)
    line = frames.claimed(
        id, agent_id=agent_id, work_item_id=work_item_id, expires_at=expires_at, nonce=id
    )
    ledger.begin(id, line)
    return id


def acquire(request: WorkspaceRequest, kind: WorkspaceKind) -> Workspace:
    """The assignment's workspace; the one that it has, where that is of this kind. Blocking.

    Raises AdaptorError: session_not_found, session_closed once it has its session
    or is over, validation where it has another workspace.
    """
    id = request.assignment_id
    with alone(id, partial(check_open, id)):
        held = records.held_workspace(ledger.read(id, "assignment"))
        if held is not None:
            _check_same(held, request, kind)
            return held
        with ledger.boundary():
            made = workspaces.acquire(request, kind)

        def choose(state: SessionState, plane: Plane) -> bytes:
            return frames.acquired(id, made) if plane.is_reserved else b""

        state = ledger.append_if(id, choose, "assignment")
        if records.held_workspace(state) is None:
            # Given back while it was made.
            with ledger.boundary():
                workspaces.release(made)
            raise AdaptorError(ErrorKind.SESSION_CLOSED, f"{id}: it was given back")
        return made


def vacate(id: str) -> None:
    """Give the assignment's workspace back, unless a live session uses it. Blocking.

    Raises AdaptorError: session_not_found, capability_denied.
    """
    with alone(id, partial(_check_vacant, id)):
        release_workspace(id)


def _check_vacant(id: str) -> None:
    plane = records.plane_of(ledger.read(id, "workspace"))
    if plane.started_at is not None and plane.ended_at is None:
        raise AdaptorError(ErrorKind.CAPABILITY_DENIED, f"{id}: its session is live; end that")


def _check_same(held: Workspace, request: WorkspaceRequest, kind: WorkspaceKind) -> None:
    """Raise AdaptorError validation unless that is what is asked for.

    A scratch folder is on no branch, whichever was asked for.
    """
    repository = os.path.realpath(os.path.expanduser(request.repository))
    branch = held.branch if kind is WorkspaceKind.SUBPROCESS else request.branch or held.branch
    if (held.kind, held.repository, held.branch) != (kind, repository, branch):
        where = " on ".join(filter(None, (held.repository, held.branch)))
        told = f"{held.id}: it has a {held.kind} workspace of {where}; release that first"
        raise AdaptorError(ErrorKind.VALIDATION, told)


def give_back(id: str, reason: str) -> None:
    """Release it and its workspace, unless it became a session or is over. Blocking."""

    def choose(state: SessionState, plane: Plane) -> bytes:
        if not plane.is_reserved:
            return b""
        return frames.given_back(id, agent_id=plane.agent_id, reason=reason)

    # On record first: from then on no session can begin in the workspace.
    state = ledger.append_if(id, choose, "reservation")
    if records.plane_of(state).released_at is None:
        return
    with LifeLock(places.scope_lock_path(id)) as lock:
        # Whoever is at work on it for longer sees in the end that it was given back.
        if waited_for(lock):
            release_workspace(id)


def check_open(id: str) -> None:
    """Raise AdaptorError session_closed unless it is reserved, and in time. Blocking."""
    check_reserved(ledger.read(id, "assignment"))


def check_reserved(state: SessionState) -> None:
    """The same, of the assignment as it stands there."""
    plane = records.plane_of(state)
    if not plane.is_reserved or has_expired(plane):
        told = f"{state.session_id}: it has had its session, or is over"
        raise AdaptorError(ErrorKind.SESSION_CLOSED, told)


def has_expired(plane: Plane) -> bool:
    """Whether it is held no more, though nobody has said so yet."""
    return plane.is_reserved and records.moment(plane.expires_at) <= datetime.now(UTC)


def holds(plane: Plane) -> bool:
    """Whether the work item is the agent's: reserved in time, or worked on."""
    if plane.ended_at is not None or plane.released_at is not None:
        return False
    return not has_expired(plane)
