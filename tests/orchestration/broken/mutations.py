"""Adaptors that keep a change to themselves, or tell of one that was none."""

from typing import Any

from gemba_core.orchestration.agent import AgentRef
from gemba_core.orchestration.assignment import AssignmentStatus, ReadyFilter, Reservation
from gemba_core.orchestration.decode import wire
from gemba_core.orchestration.escalation import EscalationRequest, EscalationResolution
from gemba_core.orchestration.event import EventKind
from gemba_core.orchestration.noop import Noop
from gemba_core.orchestration.session import (
    ConfirmNonce,
    Session,
    SessionEndMode,
    SessionPrompt,
)
from gemba_core.orchestration.workspace import Workspace, WorkspaceRequest, WorkspaceStatus
from tests.orchestration.broken.breaking import Breakers

BROKEN = Breakers()


class Mutable(Noop):
    """Emits nothing while it is muted."""

    _muted = False

    def _emit(self, kind: EventKind, assignment_id: str, payload: Any) -> None:
        if not self._muted:
            super()._emit(kind, assignment_id, payload)


@BROKEN.breaks("mutation_without_event_is_failure_claim_next_ready")
class ClaimsSilently(Mutable):
    async def claim_next_ready(self, filter: ReadyFilter, claimant: AgentRef) -> Reservation | None:
        self._muted = True
        try:
            return await super().claim_next_ready(filter, claimant)
        finally:
            self._muted = False


@BROKEN.breaks("mutation_without_event_is_failure_release_reservation")
class GivesBackSilently(Mutable):
    async def release_reservation(self, reservation_id: str) -> None:
        self._muted = True
        try:
            await super().release_reservation(reservation_id)
        finally:
            self._muted = False


@BROKEN.breaks("mutation_without_event_is_failure_start_session")
class StartsSilently(Mutable):
    async def start_session(self, assignment_id: str, prompt: SessionPrompt) -> Session:
        self._muted = True
        try:
            return await super().start_session(assignment_id, prompt)
        finally:
            self._muted = False


@BROKEN.breaks("mutation_without_event_is_failure_pause_session")
class PausesSilently(Mutable):
    async def pause_session(self, session_id: str, nonce: ConfirmNonce) -> Session:
        self._muted = True
        try:
            return await super().pause_session(session_id, nonce)
        finally:
            self._muted = False


@BROKEN.breaks("mutation_without_event_is_failure_resume_session")
class ResumesSilently(Mutable):
    async def resume_session(self, session_id: str, nonce: ConfirmNonce) -> Session:
        self._muted = True
        try:
            return await super().resume_session(session_id, nonce)
        finally:
            self._muted = False


@BROKEN.breaks("mutation_without_event_is_failure_end_session")
class EndsSilently(Mutable):
    async def end_session(
        self, session_id: str, mode: SessionEndMode, nonce: ConfirmNonce
    ) -> Session:
        self._muted = True
        try:
            return await super().end_session(session_id, mode, nonce)
        finally:
            self._muted = False


@BROKEN.breaks("mutation_without_event_is_failure_acquire_workspace")
class AcquiresSilently(Mutable):
    async def acquire_workspace(self, request: WorkspaceRequest) -> Workspace:
        self._muted = True
        try:
            return await super().acquire_workspace(request)
        finally:
            self._muted = False


@BROKEN.breaks("mutation_without_event_is_failure_release_workspace")
class ReleasesSilently(Mutable):
    async def release_workspace(self, workspace_id: str) -> None:
        self._muted = True
        try:
            await super().release_workspace(workspace_id)
        finally:
            self._muted = False


@BROKEN.breaks("mutation_without_event_is_failure_resolve_escalation")
class DecidesSilently(Mutable):
    async def resolve_escalation(
        self, escalation_id: str, resolution: EscalationResolution, nonce: ConfirmNonce
    ) -> EscalationRequest:
        self._muted = True
        try:
            return await super().resolve_escalation(escalation_id, resolution, nonce)
        finally:
            self._muted = False


@BROKEN.breaks("no_event_without_change_release_reservation")
class TellsOfEachGivingBack(Noop):
    async def release_reservation(self, reservation_id: str) -> None:
        returned = self._assignment(reservation_id).status is AssignmentStatus.CANCELED
        await super().release_reservation(reservation_id)
        if returned:
            payload = wire(self._reservations[reservation_id])
            self._emit(EventKind.RESERVATION_RELEASED, reservation_id, payload)


@BROKEN.breaks("no_event_without_change_pause_session")
class TellsOfEachPause(Noop):
    async def pause_session(self, session_id: str, nonce: ConfirmNonce) -> Session:
        before = self._live(session_id)
        paused = await super().pause_session(session_id, nonce)
        return self._become(paused) if paused == before else paused


@BROKEN.breaks("no_event_without_change_resume_session")
class TellsOfEachResume(Noop):
    async def resume_session(self, session_id: str, nonce: ConfirmNonce) -> Session:
        before = self._live(session_id)
        resumed = await super().resume_session(session_id, nonce)
        return self._become(resumed) if resumed == before else resumed


@BROKEN.breaks("no_event_without_change_release_workspace")
class TellsOfEachRelease(Noop):
    async def release_workspace(self, workspace_id: str) -> None:
        workspace = await self.inspect_workspace(workspace_id)
        await super().release_workspace(workspace_id)
        if workspace.status is WorkspaceStatus.RELEASED:
            assert workspace.assignment_id is not None
            self._emit(EventKind.WORKSPACE_RELEASED, workspace.assignment_id, wire(workspace))


@BROKEN.breaks("no_event_without_change_resolve_escalation")
class TellsOfEachDecision(Noop):
    async def resolve_escalation(
        self, escalation_id: str, resolution: EscalationResolution, nonce: ConfirmNonce
    ) -> EscalationRequest:
        known = ("resolve", escalation_id, nonce) in self._nonces
        decided = await super().resolve_escalation(escalation_id, resolution, nonce)
        if known:
            assert decided.assignment_id is not None
            self._emit(EventKind.ESCALATION_RESOLVED, decided.assignment_id, wire(decided))
        return decided
