"""The contract's methods, in the order of the contract.

None of them awaits anything, so calls in one event loop never interleave.
"""

from dataclasses import replace

from gemba_core.orchestration.adaptor import Events
from gemba_core.orchestration.agent import (
    AgentFilter,
    AgentGroup,
    AgentRef,
    GroupMembers,
    GroupMode,
)
from gemba_core.orchestration.assignment import AssignmentStatus, ReadyFilter, Reservation
from gemba_core.orchestration.cost import CostAxis
from gemba_core.orchestration.decode import wire
from gemba_core.orchestration.error import AdaptorError, ErrorKind, not_found
from gemba_core.orchestration.escalation import (
    EscalationFilter,
    EscalationKind,
    EscalationRequest,
    EscalationResolution,
    EscalationState,
)
from gemba_core.orchestration.event import EventKind, SubscribeFilter
from gemba_core.orchestration.manifest import OrchestrationCapabilityManifest, Transport
from gemba_core.orchestration.noop.memory import Memory
from gemba_core.orchestration.session import (
    ConfirmNonce,
    PeekMode,
    Session,
    SessionCloseReason,
    SessionEndMode,
    SessionPeek,
    SessionPrompt,
    SessionStatus,
)
from gemba_core.orchestration.topology import WorkspaceTopology
from gemba_core.orchestration.workspace import (
    IsolationCapabilities,
    Workspace,
    WorkspaceKind,
    WorkspaceRequest,
    WorkspaceStatus,
)

_SCOPED = IsolationCapabilities(fs_scoped=True)
_MANIFEST = OrchestrationCapabilityManifest(
    adaptor_id="noop",
    adaptor_version="1.0.0",
    transport=Transport.API,
    workspace_kinds=(WorkspaceKind.SUBPROCESS, WorkspaceKind.WORKTREE),
    default_workspace_kind=WorkspaceKind.SUBPROCESS,
    per_kind_isolation={WorkspaceKind.SUBPROCESS: _SCOPED, WorkspaceKind.WORKTREE: _SCOPED},
    group_modes=(GroupMode.STATIC,),
    cost_axes=(CostAxis.TOKENS, CostAxis.WALLCLOCK),
    escalation_kinds=tuple(EscalationKind),
    peek_modes=(PeekMode.TRANSCRIPT,),
)
_GROUP = "all"


class Noop(Memory):
    """The adaptor, over what `Memory` keeps; what each method promises, the contract says."""

    def describe(self) -> OrchestrationCapabilityManifest:
        return _MANIFEST

    async def declared_state(self) -> WorkspaceTopology:
        self._enter()
        return WorkspaceTopology(captured_at=self.clock())

    async def observed_state(self) -> WorkspaceTopology:
        self._enter()
        return WorkspaceTopology(
            captured_at=self.clock(),
            agents=self._agents,
            groups=(self._group(),),
            workspaces=tuple(self._workspaces.values()),
            assignments=tuple(self._assignments.values()),
            sessions=tuple(self._sessions.values()),
        )

    async def list_agents(self, filter: AgentFilter) -> tuple[AgentRef, ...]:
        self._enter()
        return tuple(
            agent
            for agent in self._agents
            if filter.parent_id in (None, agent.parent_id)
            and filter.agent_kind in (None, agent.agent_kind)
            and filter.group_id in (None, _GROUP)
            and filter.workspace in (None, agent.workspace)
        )

    async def read_agent(self, agent_id: str) -> AgentRef | None:
        self._enter()
        return next((agent for agent in self._agents if agent.id == agent_id), None)

    async def list_groups(self) -> tuple[AgentGroup, ...]:
        self._enter()
        return (self._group(),)

    async def resolve_group_members(self, group_id: str) -> tuple[AgentRef, ...]:
        self._enter()
        if group_id != _GROUP:
            raise not_found("group", group_id)
        return self._agents

    async def claim_next_ready(self, filter: ReadyFilter, claimant: AgentRef) -> Reservation | None:
        self._enter()
        item = next((item for item in self._ready if filter.admits(item)), None)
        return None if item is None else self._reserve(item, claimant.id)

    async def release_reservation(self, reservation_id: str) -> None:
        self._enter()
        if self._assignment(reservation_id).status is AssignmentStatus.PENDING:
            self._give_back(reservation_id)

    async def start_session(self, assignment_id: str, prompt: SessionPrompt) -> Session:
        self._enter()
        assignment = self._pending(assignment_id)
        at = self.clock()
        session = Session(
            id=f"session-{len(self._sessions) + 1}",
            assignment_id=assignment_id,
            agent_id=assignment.agent_id,
            status=SessionStatus.READY,
            started_at=at,
            last_heartbeat=at,
        )
        self._assignments[assignment_id] = replace(
            assignment, status=AssignmentStatus.ACTIVE, session_id=session.id, started_at=at
        )
        for workspace in self._workspaces_of(assignment_id):
            self._workspaces[workspace.id] = replace(workspace, status=WorkspaceStatus.IN_USE)
        return self._become(session)

    async def pause_session(self, session_id: str, nonce: ConfirmNonce) -> Session:
        self._enter()
        self._live(session_id)
        if self._is_first("pause", session_id, nonce):
            self._paused.add(session_id)
        return self._settled(session_id)

    async def resume_session(self, session_id: str, nonce: ConfirmNonce) -> Session:
        self._enter()
        self._live(session_id)
        if self._is_first("resume", session_id, nonce):
            self._paused.discard(session_id)
        return self._settled(session_id)

    async def end_session(
        self, session_id: str, mode: SessionEndMode, nonce: ConfirmNonce
    ) -> Session:
        # The nonce is not looked at: an ended session absorbs whatever comes.
        self._enter()
        return self._ended(session_id, mode, SessionCloseReason.USER_STOP)

    async def peek_session(self, session_id: str) -> SessionPeek:
        self._enter()
        session = self._session(session_id)
        return SessionPeek(
            session_id=session_id,
            status=session.status,
            captured_at=self.clock(),
            transcript=f"{session.agent_id} is {session.status}\n",
        )

    async def list_pending_requests(self, session_id: str) -> tuple[EscalationRequest, ...]:
        self._enter()
        self._session(session_id)
        return tuple(one for one in self._open() if one.session_id == session_id)

    async def acquire_workspace(self, request: WorkspaceRequest) -> Workspace:
        self._enter()
        kind = _MANIFEST.chosen_kind(request)
        self._pending(request.assignment_id)
        for held in self._workspaces_of(request.assignment_id):
            return _as_asked(held, request, kind)
        id = f"workspace-{len(self._workspaces) + 1}"
        workspace = Workspace(
            id=id,
            kind=kind,
            status=WorkspaceStatus.READY,
            isolation=_MANIFEST.per_kind_isolation[kind],
            created_at=self.clock(),
            assignment_id=request.assignment_id,
            repository=request.repository,
            branch=request.branch,
            worktree_path=f"/workspaces/{id}",
        )
        self._workspaces[id] = workspace
        assignment = self._assignments[request.assignment_id]
        self._assignments[assignment.id] = replace(assignment, workspace_id=id)
        self._emit(EventKind.WORKSPACE_ACQUIRED, assignment.id, wire(workspace))
        return workspace

    async def release_workspace(self, workspace_id: str) -> None:
        self._enter()
        workspace = self._workspace(workspace_id)
        if workspace.status is WorkspaceStatus.IN_USE:
            raise AdaptorError(
                ErrorKind.CAPABILITY_DENIED, f"{workspace_id}: in use; end its session first"
            )
        if workspace.status is not WorkspaceStatus.RELEASED:
            self._release(workspace)

    async def inspect_workspace(self, workspace_id: str) -> Workspace:
        self._enter()
        return self._workspace(workspace_id)

    async def list_open_escalations(
        self, filter: EscalationFilter
    ) -> tuple[EscalationRequest, ...]:
        self._enter()
        return tuple(
            one
            for one in self._open()
            if filter.assignment_id in (None, one.assignment_id)
            and filter.work_item_id in (None, one.work_item_id)
            and filter.agent_id in (None, one.agent_id)
            and filter.source in (None, one.source)
            and filter.urgency in (None, one.urgency)
            and filter.workspace in (None, self._assignments[one.assignment_id or ""].workspace_id)
        )

    async def resolve_escalation(
        self, escalation_id: str, resolution: EscalationResolution, nonce: ConfirmNonce
    ) -> EscalationRequest:
        self._enter()
        escalation = self._escalations.get(escalation_id)
        if escalation is None:
            raise not_found("escalation", escalation_id)
        if ("resolve", escalation_id, nonce) in self._nonces:
            return escalation
        if escalation.state is not EscalationState.OPEN:
            raise AdaptorError(
                ErrorKind.VALIDATION,
                f"{escalation_id}: already {escalation.state}",
                detail={"resolution": escalation.resolution and wire(escalation.resolution)},
            )
        self._is_first("resolve", escalation_id, nonce)
        return self._decide(escalation, resolution)

    def subscribe(self, filter: SubscribeFilter) -> Events:
        return self._feed.subscribe(filter, self._events)

    def _group(self) -> AgentGroup:
        """The only one: all agents."""
        members = GroupMembers(static=tuple(agent.id for agent in self._agents))
        return AgentGroup(id=_GROUP, display_name="All", mode=GroupMode.STATIC, members=members)


def _as_asked(held: Workspace, request: WorkspaceRequest, kind: WorkspaceKind) -> Workspace:
    """What the assignment has already, if that is what is asked for."""
    wanted = (kind, request.repository, request.branch or held.branch)
    if (held.kind, held.repository, held.branch) != wanted:
        told = f"{request.assignment_id}: it has a {held.kind} workspace of {held.repository}"
        raise AdaptorError(ErrorKind.VALIDATION, f"{told}; release that first")
    return held
