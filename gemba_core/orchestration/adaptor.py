"""The contract with an agent runtime: what every OrchestrationPlane adaptor implements.

Rules for all methods:

- Errors are AdaptorError and nothing else.
- Arguments have the right shape already: `decode` checks it, at the boundary,
  once. An adaptor checks what only it can know.
- Concurrent calls, in one event loop and in several processes, are safe.
- Every method that changes something, and does, emits its event, which a
  subscriber sees within `manifest.event_delivery.budget` seconds of the
  return. A call that changes nothing emits nothing.
- The events of one assignment are seen in the order of their causes.
- Lists are tuples, empty where there is nothing, never None.

Source: spec 003, "Interface", "Events" and "Event emission is mandatory".
"""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from typing import Protocol

from gemba_core.orchestration.agent import AgentFilter, AgentGroup, AgentRef
from gemba_core.orchestration.assignment import ReadyFilter, Reservation
from gemba_core.orchestration.escalation import (
    EscalationFilter,
    EscalationRequest,
    EscalationResolution,
)
from gemba_core.orchestration.event import OrchestrationEvent, SubscribeFilter
from gemba_core.orchestration.manifest import OrchestrationCapabilityManifest
from gemba_core.orchestration.session import (
    ConfirmNonce,
    Session,
    SessionEndMode,
    SessionPeek,
    SessionPrompt,
)
from gemba_core.orchestration.topology import WorkspaceTopology
from gemba_core.orchestration.workspace import Workspace, WorkspaceRequest

Events = AbstractAsyncContextManager[AsyncIterator[OrchestrationEvent]]


class OrchestrationPlaneAdaptor(Protocol):
    """Everything about live sessions: who runs, where, at what cost, waiting on whom."""

    def describe(self) -> OrchestrationCapabilityManifest:
        """The manifest. Equal on every call; true, which the conformance suite checks."""
        ...

    async def declared_state(self) -> WorkspaceTopology:
        """What the configuration asks for; only `captured_at` where there is none."""
        ...

    async def observed_state(self) -> WorkspaceTopology:
        """What is there: live sessions, and those that ended lately."""
        ...

    async def list_agents(self, filter: AgentFilter) -> tuple[AgentRef, ...]:
        """The agents that there are, whether or not they run."""
        ...

    async def read_agent(self, agent_id: str) -> AgentRef | None:
        """One of them, or None."""
        ...

    async def list_groups(self) -> tuple[AgentGroup, ...]:
        """The groups, each in one of the manifest's `group_modes`."""
        ...

    async def resolve_group_members(self, group_id: str) -> tuple[AgentRef, ...]:
        """Who is in it now. Errors: session_not_found."""
        ...

    async def claim_next_ready(self, filter: ReadyFilter, claimant: AgentRef) -> Reservation | None:
        """Reserve the next ready work item; None where nothing is ready.

        Atomic: two concurrent calls never get the same item. The reservation
        returns by itself at `expires_at`. Emits reservation_claimed.
        """
        ...

    async def release_reservation(self, reservation_id: str) -> None:
        """Give it back; once it was given back, or became a session, this is a no-op.

        Emits reservation_released. Errors: session_not_found.
        """
        ...

    async def start_session(self, assignment_id: str, prompt: SessionPrompt) -> Session:
        """Start the agent of that assignment, in its workspace where it has one.

        The caller owns the scope: use `scope.run_session`, or call `end_session`
        whatever happens. Emits session_transition with `before` None. Errors:
        session_not_found where the assignment is unknown, session_closed where
        it has had its session, was given back or has expired, process_failed
        where the agent does not start; nothing is left then.
        """
        ...

    async def pause_session(self, session_id: str, nonce: ConfirmNonce) -> Session:
        """Suspend it. The same nonce twice is a no-op, also after a resume.

        Emits session_transition. Errors: session_not_found, session_closed.
        """
        ...

    async def resume_session(self, session_id: str, nonce: ConfirmNonce) -> Session:
        """Let a paused one go on; one that is not paused is returned as it is.

        Emits session_transition if it was paused. Errors: session_not_found,
        session_closed.
        """
        ...

    async def end_session(
        self, session_id: str, mode: SessionEndMode, nonce: ConfirmNonce
    ) -> Session:
        """End it; the terminal session has its true `close_reason`.

        Everything that belongs to it (process, pane, socket, workspace, queue of
        requests) is released before its terminal session_transition is seen;
        its workspace_released comes before that. An agent that failed by itself
        is failed, whatever `mode` intends. Idempotent under the nonce,
        and on a terminal session under any nonce: no error and no event.
        Errors: session_not_found.
        """
        ...

    async def peek_session(self, session_id: str) -> SessionPeek:
        """A look at it, in the manifest's `peek_modes`. Errors: session_not_found."""
        ...

    async def list_pending_requests(self, session_id: str) -> tuple[EscalationRequest, ...]:
        """Whatever it waits for a person for; empty when it ended. Errors: session_not_found."""
        ...

    async def acquire_workspace(self, request: WorkspaceRequest) -> Workspace:
        """A workspace for that assignment, as `manifest.chosen_kind` picks it.

        An assignment has one: asked for again, that one is given, and nothing is
        emitted. What is written inside never reaches another workspace. Emits
        workspace_acquired. Errors: unsupported where no kind satisfies the
        request, capability_denied where policy withholds it, session_not_found
        where the assignment is unknown, session_closed where it has had its
        session or is over, validation where the repository is none, or the
        assignment has a workspace of another repository, branch or kind.
        """
        ...

    async def release_workspace(self, workspace_id: str) -> None:
        """Give it back; a second time is a no-op. Emits workspace_released.

        Errors: session_not_found; capability_denied while a live session uses it.
        """
        ...

    async def inspect_workspace(self, workspace_id: str) -> Workspace:
        """The workspace as it stands, a released one too. Errors: session_not_found."""
        ...

    async def list_open_escalations(
        self, filter: EscalationFilter
    ) -> tuple[EscalationRequest, ...]:
        """What is open, on all sessions, oldest first."""
        ...

    async def resolve_escalation(
        self, escalation_id: str, resolution: EscalationResolution, nonce: ConfirmNonce
    ) -> EscalationRequest:
        """Decide. The same nonce twice is one decision.

        Emits escalation_resolved; and session_transition where an approve or a
        modify unblocks its session. Errors: session_not_found; validation with
        `detail["resolution"]` where somebody else has decided already.
        """
        ...

    def subscribe(self, filter: SubscribeFilter) -> Events:
        """Events from now on; with `filter.since`, those of that moment and later come first.

        Each event has the same id whenever it is told, so that who goes on where
        it stopped can drop those that it knows (`SubscribeFilter`).

        Entering the context subscribes, leaving it ends the subscription and
        frees its queue. That queue is bounded: a subscriber that is too slow
        sees one `gap`, with how many events it missed and which sessions to read
        again, and then what comes after it.
        """
        ...
