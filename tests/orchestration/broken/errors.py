"""Adaptors whose errors are not those of the contract."""

from collections.abc import Iterator
from contextlib import contextmanager

from gemba_core.orchestration.agent import AgentFilter, AgentRef
from gemba_core.orchestration.error import AdaptorError, ErrorKind
from gemba_core.orchestration.escalation import (
    EscalationRequest,
    EscalationResolution,
)
from gemba_core.orchestration.noop import Noop
from gemba_core.orchestration.session import (
    ConfirmNonce,
    Session,
    SessionPeek,
    SessionPrompt,
)
from gemba_core.orchestration.workspace import Workspace
from tests.orchestration.broken.breaking import Breakers

BROKEN = Breakers()


@contextmanager
def _said_to_be(kind: ErrorKind) -> Iterator[None]:
    """What is not found is that kind of error instead."""
    try:
        yield
    except AdaptorError as error:
        if error.kind is ErrorKind.SESSION_NOT_FOUND:
            raise AdaptorError(kind, error.message, retryable=False) from error
        raise


@BROKEN.breaks("every_boundary_error_is_tagged")
class RaisesItsOwn(Noop):
    async def release_workspace(self, workspace_id: str) -> None:
        if workspace_id not in self._workspaces:
            raise KeyError(workspace_id)
        await super().release_workspace(workspace_id)


@BROKEN.breaks("every_boundary_error_is_tagged")
class RaisesItsOwnOnceEnded(Noop):
    async def pause_session(self, session_id: str, nonce: ConfirmNonce) -> Session:
        if session_id in self._sessions and self._sessions[session_id].status.is_terminal:
            raise RuntimeError("the process is gone")
        return await super().pause_session(session_id, nonce)


@BROKEN.breaks("unknown_session_is_not_found")
class CannotTellSessions(Noop):
    async def list_pending_requests(self, session_id: str) -> tuple[EscalationRequest, ...]:
        with _said_to_be(ErrorKind.VALIDATION):
            return await super().list_pending_requests(session_id)


@BROKEN.breaks("unknown_session_is_not_found")
class InventsRequests(Noop):
    async def list_pending_requests(self, session_id: str) -> tuple[EscalationRequest, ...]:
        known = session_id in self._sessions
        return await super().list_pending_requests(session_id) if known else ()


@BROKEN.breaks("unknown_assignment_is_not_found")
class CannotTellAssignments(Noop):
    async def start_session(self, assignment_id: str, prompt: SessionPrompt) -> Session:
        with _said_to_be(ErrorKind.PROCESS_FAILED):
            return await super().start_session(assignment_id, prompt)


@BROKEN.breaks("unknown_reservation_is_not_found")
class TakesAnyReservation(Noop):
    async def release_reservation(self, reservation_id: str) -> None:
        if reservation_id in self._reservations:
            await super().release_reservation(reservation_id)


@BROKEN.breaks("unknown_workspace_is_not_found")
class TakesAnyWorkspace(Noop):
    async def release_workspace(self, workspace_id: str) -> None:
        if workspace_id in self._workspaces:
            await super().release_workspace(workspace_id)


@BROKEN.breaks("unknown_escalation_is_not_found")
class CannotTellEscalations(Noop):
    async def resolve_escalation(
        self, escalation_id: str, resolution: EscalationResolution, nonce: ConfirmNonce
    ) -> EscalationRequest:
        with _said_to_be(ErrorKind.VALIDATION):
            return await super().resolve_escalation(escalation_id, resolution, nonce)


@BROKEN.breaks("unknown_group_is_not_found")
class TakesAnyGroup(Noop):
    async def resolve_group_members(self, group_id: str) -> tuple[AgentRef, ...]:
        return self._agents


@BROKEN.breaks("ended_session_is_closed")
class PausesTheDead(Noop):
    async def pause_session(self, session_id: str, nonce: ConfirmNonce) -> Session:
        session = self._session(session_id)
        ended = session.status.is_terminal
        return session if ended else await super().pause_session(session_id, nonce)


@BROKEN.breaks("errors_cross_the_wire")
class SaysWhatNobodyCanSend(Noop):
    async def peek_session(self, session_id: str) -> SessionPeek:
        try:
            return await super().peek_session(session_id)
        except AdaptorError as error:
            error.detail["adaptor"] = self
            raise


@BROKEN.breaks("lasting_errors_are_not_retryable")
class HopesForBetter(Noop):
    async def inspect_workspace(self, workspace_id: str) -> Workspace:
        try:
            return await super().inspect_workspace(workspace_id)
        except AdaptorError as error:
            error.retryable = True
            raise


@BROKEN.breaks("degraded_calls_say_so")
class GuessesWhileDegraded(Noop):
    async def list_agents(self, filter: AgentFilter) -> tuple[AgentRef, ...]:
        return () if self.degraded else await super().list_agents(filter)
