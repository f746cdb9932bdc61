"""The native adaptor: sessions in tmux panes, in worktrees of their own, on the record of the logs.

Everything that it does is a frame in the log of the assignment, which has the
session's id: so it can be done from several processes at once, and is known
after all of them are gone.
"""

import asyncio
from collections.abc import Callable, Coroutine, Iterable
from datetime import UTC, datetime, timedelta
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from gemba_core.orchestration.adaptor import Events
from gemba_core.orchestration.agent import AgentFilter, AgentGroup, AgentKind, AgentRef
from gemba_core.orchestration.assignment import Assignment, ReadyFilter, Reservation
from gemba_core.orchestration.decode import wire
from gemba_core.orchestration.error import AdaptorError, ErrorKind, not_found
from gemba_core.orchestration.escalation import (
    EscalationFilter,
    EscalationRequest,
    EscalationResolution,
)
from gemba_core.orchestration.event import SubscribeFilter
from gemba_core.orchestration.manifest import OrchestrationCapabilityManifest
from gemba_core.orchestration.native import claims, escalations, ledger, records
from gemba_core.orchestration.native.adoption import Recovered
from gemba_core.orchestration.native.follower import Follower
from gemba_core.orchestration.native.manifest import manifest
from gemba_core.orchestration.native.panes import PaneServer
from gemba_core.orchestration.native.project import GROUP, Project
from gemba_core.orchestration.native.reaper import last_sign, reap
from gemba_core.orchestration.native.scope import is_lost
from gemba_core.orchestration.native.sessions import Sessions
from gemba_core.orchestration.session import (
    ConfirmNonce,
    Session,
    SessionEndMode,
    SessionPeek,
    SessionPrompt,
)
from gemba_core.orchestration.topology import WorkspaceTopology
from gemba_core.orchestration.work.binding import bound
from gemba_core.orchestration.work.reservations import TTL
from gemba_core.orchestration.workspace import Workspace, WorkspaceRequest
from gemba_core.translator import SessionState
from gemba_core.translator.state import Plane

P = ParamSpec("P")
T = TypeVar("T")

# Of what has ended, so much is shown as observed.
_LATELY = timedelta(hours=1)


def _in_reach(
    method: Callable[Concatenate["NativeAdaptor", P], Coroutine[Any, Any, T]],
) -> Callable[Concatenate["NativeAdaptor", P], Coroutine[Any, Any, T]]:
    """The call, unless what runs the agents is out of reach: then every call says so.

    Source: spec 003, "Error algebra".
    """

    @wraps(method)
    async def called(self: "NativeAdaptor", /, *args: P.args, **named: P.kwargs) -> T:
        if not self.server.is_there():
            told = "tmux is not to be found on the PATH: no session can be seen or started"
            raise AdaptorError(ErrorKind.ADAPTOR_DEGRADED, told)
        with ledger.boundary():
            return await method(self, *args, **named)

    return called


class NativeAdaptor:
    """OrchestrationPlaneAdaptor; made by `open_native`.

    `recovered` is what was mended when it was opened.
    """

    def __init__(
        self, follower: Follower, server: PaneServer, project: Project, *, ttl: float = TTL
    ) -> None:
        self.recovered: tuple[Recovered, ...] = ()
        self.sessions = Sessions(follower, server, project)
        self._follower = follower
        self.server = server
        self._project = project
        self._ttl = ttl
        self._manifest = manifest()

    def describe(self) -> OrchestrationCapabilityManifest:
        return self._manifest

    @_in_reach
    async def declared_state(self) -> WorkspaceTopology:
        agents = await asyncio.to_thread(self._project.agents)
        groups = await asyncio.to_thread(self._project.groups)
        return WorkspaceTopology(captured_at=datetime.now(UTC), agents=agents, groups=groups)

    @_in_reach
    async def observed_state(self) -> WorkspaceTopology:
        now = datetime.now(UTC)
        known = await asyncio.to_thread(ledger.kept, ended=True)
        states = [state for state in known if _is_recent(records.plane_of(state), now)]
        panes = await asyncio.to_thread(self.server.panes)
        lost = await asyncio.to_thread(_lost, states)
        seen = {records.plane_of(state).agent_id for state in states}
        held = (records.held_workspace(state) for state in states)
        return WorkspaceTopology(
            captured_at=now,
            agents=tuple(agent for agent in await self._agents() if agent.id in seen),
            groups=await self.list_groups(),
            workspaces=tuple(one for one in held if one is not None),
            assignments=tuple(records.assignment(state) for state in states),
            sessions=tuple(
                records.session(
                    state,
                    datetime.fromtimestamp(last_sign(state, panes), UTC),
                    is_lost=state.session_id in lost,
                )
                for state in states
                if records.plane_of(state).started_at is not None
            ),
        )

    @_in_reach
    async def list_agents(self, filter: AgentFilter) -> tuple[AgentRef, ...]:
        if filter.parent_id is not None or filter.agent_kind is AgentKind.HUMAN:
            return ()
        if filter.group_id not in (None, GROUP):
            return ()
        agents = await self._agents()
        return tuple(one for one in agents if filter.workspace in (None, one.workspace))

    @_in_reach
    async def read_agent(self, agent_id: str) -> AgentRef | None:
        return next((one for one in await self._agents() if one.id == agent_id), None)

    @_in_reach
    async def list_groups(self) -> tuple[AgentGroup, ...]:
        return await asyncio.to_thread(self._project.groups)

    @_in_reach
    async def resolve_group_members(self, group_id: str) -> tuple[AgentRef, ...]:
        if group_id != GROUP or not await self.list_groups():
            raise not_found("group", group_id)
        return await self._agents()

    @_in_reach
    async def assign(self, agent_id: str, work_item_id: str | None = None) -> Assignment:
        """An assignment that nobody claimed work for: to start a session by hand, or to push.

        It is reserved for the time of a reservation, and emits reservation_claimed.
        Errors: session_not_found for an agent that is not there.
        """
        if await self.read_agent(agent_id) is None:
            raise not_found("agent", agent_id)
        id = await asyncio.to_thread(claims.begin, agent_id, work_item_id, self._ttl)
        self._follower.look(id)
        return records.assignment(await asyncio.to_thread(ledger.read, id, "assignment"))

    @_in_reach
    async def read_assignment(self, assignment_id: str) -> Assignment | None:
        """That one, however long it has been over, or None."""
        try:
            state = await asyncio.to_thread(ledger.read, assignment_id, "assignment")
        except AdaptorError as error:
            if error.kind is ErrorKind.SESSION_NOT_FOUND:
                return None
            raise
        return records.assignment(state)

    @_in_reach
    async def claim_next_ready(self, filter: ReadyFilter, claimant: AgentRef) -> Reservation | None:
        with ledger.boundary():
            work = bound(self._project.root)
        found = await claims.claim(work, filter, claimant.id, self._ttl)
        if found is not None:
            self._follower.look(found.id)
        return found

    @_in_reach
    async def release_reservation(self, reservation_id: str) -> None:
        await asyncio.to_thread(claims.give_back, reservation_id, "released")
        self._follower.look(reservation_id)

    @_in_reach
    async def start_session(self, assignment_id: str, prompt: SessionPrompt) -> Session:
        return await self.sessions.start(assignment_id, prompt)

    @_in_reach
    async def pause_session(self, session_id: str, nonce: ConfirmNonce) -> Session:
        return await self.sessions.pause(session_id, nonce)

    @_in_reach
    async def resume_session(self, session_id: str, nonce: ConfirmNonce) -> Session:
        return await self.sessions.resume(session_id, nonce)

    @_in_reach
    async def end_session(
        self, session_id: str, mode: SessionEndMode, nonce: ConfirmNonce
    ) -> Session:
        return await self.sessions.end(session_id, mode, nonce)

    @_in_reach
    async def peek_session(self, session_id: str) -> SessionPeek:
        state = await self._session(session_id)
        transcript = await asyncio.to_thread(self.server.transcript, session_id)
        open_ones = await self.list_pending_requests(session_id)
        lost = await asyncio.to_thread(_lost, [state])
        session = records.session(state, is_lost=session_id in lost)
        structured = {
            "session": wire(session),
            "assignment": wire(records.assignment(state, open_ones)),
            "note": state.note,
        }
        return SessionPeek(
            session_id=session_id,
            status=session.status,
            captured_at=datetime.now(UTC),
            transcript=transcript,
            structured=structured,
        )

    @_in_reach
    async def list_pending_requests(self, session_id: str) -> tuple[EscalationRequest, ...]:
        return await asyncio.to_thread(escalations.pending, session_id)

    @_in_reach
    async def acquire_workspace(self, request: WorkspaceRequest) -> Workspace:
        kind = self._manifest.chosen_kind(request)
        acquired = await asyncio.to_thread(claims.acquire, request, kind)
        self._follower.look(request.assignment_id)
        return acquired

    @_in_reach
    async def release_workspace(self, workspace_id: str) -> None:
        placed = await self._placed(workspace_id)
        await asyncio.to_thread(claims.vacate, placed.id)
        self._follower.look(placed.id)

    @_in_reach
    async def inspect_workspace(self, workspace_id: str) -> Workspace:
        return await self._placed(workspace_id)

    @_in_reach
    async def list_open_escalations(
        self, filter: EscalationFilter
    ) -> tuple[EscalationRequest, ...]:
        return await asyncio.to_thread(escalations.opened, filter)

    @_in_reach
    async def resolve_escalation(
        self, escalation_id: str, resolution: EscalationResolution, nonce: ConfirmNonce
    ) -> EscalationRequest:
        done = await asyncio.to_thread(escalations.resolve, escalation_id, resolution, nonce)
        self._follower.look(done.session_id or "")
        return done

    def subscribe(self, filter: SubscribeFilter) -> Events:
        return self._follower.subscribe(filter)

    @_in_reach
    async def reap(self, idle_timeout: float) -> list[str]:
        """End the sessions without a sign of life for so many seconds; which ones.

        Never one in the midst of a turn. Raises AdaptorError.
        """
        return await reap(self.sessions, self.server, idle_timeout)

    async def _agents(self) -> tuple[AgentRef, ...]:
        return await asyncio.to_thread(self._project.agents)

    async def _session(self, id: str) -> SessionState:
        state = await asyncio.to_thread(ledger.read, id, "session")
        if records.plane_of(state).started_at is None:
            raise not_found("session", id)
        return state

    async def _placed(self, workspace_id: str) -> Workspace:
        """That workspace, which an assignment has or had: it has its assignment's id."""
        found = records.workspace(await asyncio.to_thread(ledger.read, workspace_id, "workspace"))
        if found is None:
            raise not_found("workspace", workspace_id)
        return found


def _lost(states: Iterable[SessionState]) -> set[str]:
    """Those of them whose agent has ended, and which nobody keeps."""
    planes = ((state.session_id, records.plane_of(state)) for state in states)
    live = [id for id, plane in planes if plane.started_at and not plane.ended_at]
    return {id for id in live if is_lost(id)}


def _is_recent(plane: Plane, now: datetime) -> bool:
    over = plane.ended_at or plane.released_at
    return over is None or now - records.moment(over) < _LATELY
