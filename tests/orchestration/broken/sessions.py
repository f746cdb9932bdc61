"""Adaptors that break a rule of assignments and of living sessions."""

import asyncio
from dataclasses import replace
from datetime import timedelta

from gemba_core.orchestration.agent import AgentRef
from gemba_core.orchestration.assignment import AssignmentStatus, ReadyFilter, Reservation
from gemba_core.orchestration.error import AdaptorError, ErrorKind
from gemba_core.orchestration.escalation import EscalationRequest
from gemba_core.orchestration.noop import Noop
from gemba_core.orchestration.session import (
    ConfirmNonce,
    Session,
    SessionCloseReason,
    SessionEndMode,
    SessionPrompt,
    SessionStatus,
)
from gemba_core.orchestration.workspace import WorkspaceKind
from tests.orchestration.broken.breaking import Breakers

BROKEN = Breakers()


@BROKEN.breaks("claim_next_ready_reserves")
class LooksThenTakes(Noop):
    async def claim_next_ready(self, filter: ReadyFilter, claimant: AgentRef) -> Reservation | None:
        item = next((item for item in self._ready if filter.admits(item)), None)
        await asyncio.sleep(0)
        if item is None or item in self._ready:
            return await super().claim_next_ready(filter, claimant)
        self._ready.append(item)
        return self._reserve(item, claimant.id)


@BROKEN.breaks("reservation_carries_a_ttl")
class ReservesForSomebodyElse(Noop):
    async def claim_next_ready(self, filter: ReadyFilter, claimant: AgentRef) -> Reservation | None:
        found = await super().claim_next_ready(filter, claimant)
        return found and replace(found, agent_id="somebody else")


@BROKEN.breaks("claim_respects_the_filter")
class IgnoresLabels(Noop):
    async def claim_next_ready(self, filter: ReadyFilter, claimant: AgentRef) -> Reservation | None:
        return await super().claim_next_ready(replace(filter, labels=()), claimant)


@BROKEN.breaks("expired_reservation_returns")
class HoldsForever(Noop):
    def _enter(self) -> None:
        if self.degraded:
            raise AdaptorError(ErrorKind.ADAPTOR_DEGRADED, self.degraded)


@BROKEN.breaks("released_reservation_is_claimable")
class LosesWhatIsGivenBack(Noop):
    async def release_reservation(self, reservation_id: str) -> None:
        ready = list(self._ready)
        await super().release_reservation(reservation_id)
        self._ready = ready


@BROKEN.breaks("release_reservation_idempotent")
class TakesBackTwice(Noop):
    async def release_reservation(self, reservation_id: str) -> None:
        if self._assignment(reservation_id).status is AssignmentStatus.CANCELED:
            self._ready.append(self._items[reservation_id])
        await super().release_reservation(reservation_id)


@BROKEN.breaks("release_after_start_changes_nothing")
class TakesTheSessionToo(Noop):
    async def release_reservation(self, reservation_id: str) -> None:
        await super().release_reservation(reservation_id)
        session_id = self._assignment(reservation_id).session_id
        if session_id:
            self._ended(session_id, SessionEndMode.CANCELED, SessionCloseReason.USER_STOP)


@BROKEN.breaks("start_session_binds_its_assignment")
class BeginsAsEnded(Noop):
    async def start_session(self, assignment_id: str, prompt: SessionPrompt) -> Session:
        session = await super().start_session(assignment_id, prompt)
        return replace(session, ended_at=session.started_at)


@BROKEN.breaks("start_session_only_once")
class StartsAgain(Noop):
    async def start_session(self, assignment_id: str, prompt: SessionPrompt) -> Session:
        session_id = self._assignment(assignment_id).session_id
        if session_id:
            return self._sessions[session_id]
        return await super().start_session(assignment_id, prompt)


@BROKEN.breaks("start_session_after_release")
class DeniesWhatWasGivenBack(Noop):
    async def start_session(self, assignment_id: str, prompt: SessionPrompt) -> Session:
        if self._assignment(assignment_id).status is AssignmentStatus.CANCELED:
            raise AdaptorError(ErrorKind.SESSION_NOT_FOUND, f"{assignment_id}: no such assignment")
        return await super().start_session(assignment_id, prompt)


@BROKEN.breaks("pause_session_suspends")
class SaysItIsNotPaused(Noop):
    async def pause_session(self, session_id: str, nonce: ConfirmNonce) -> Session:
        paused = await super().pause_session(session_id, nonce)
        return replace(paused, status=SessionStatus.READY)


@BROKEN.breaks("pause_session_idempotent")
class ForgetsPauses(Noop):
    async def pause_session(self, session_id: str, nonce: ConfirmNonce) -> Session:
        self._live(session_id)
        self._nonces.discard(("pause", session_id, nonce))
        return await super().pause_session(session_id, nonce)


@BROKEN.breaks("resume_session_goes_on")
class SaysItIsStillPaused(Noop):
    async def resume_session(self, session_id: str, nonce: ConfirmNonce) -> Session:
        before = self._live(session_id)
        resumed = await super().resume_session(session_id, nonce)
        return replace(resumed, status=before.status)


@BROKEN.breaks("resume_session_idempotent")
class ForgetsResumes(Noop):
    async def resume_session(self, session_id: str, nonce: ConfirmNonce) -> Session:
        self._live(session_id)
        self._nonces.discard(("resume", session_id, nonce))
        return await super().resume_session(session_id, nonce)


@BROKEN.breaks("resume_without_pause_is_noop")
class ResumesSomethingElse(Noop):
    async def resume_session(self, session_id: str, nonce: ConfirmNonce) -> Session:
        before = self._live(session_id)
        resumed = await super().resume_session(session_id, nonce)
        return replace(resumed, id="something else") if resumed == before else resumed


@BROKEN.breaks("active_turn_id_follows_the_turn")
class KeepsItsTurn(Noop):
    def end_turn(self, session_id: str, tokens: int = 1) -> None:
        super().end_turn(session_id, tokens)
        self._sessions[session_id] = replace(self._sessions[session_id], active_turn_id="turn")


@BROKEN.breaks("active_turn_id_skips_reaper")
class ReapsTurns(Noop):
    def reap(self, idle: timedelta) -> None:
        for id in list(self._sessions):
            self._ended(id, SessionEndMode.CANCELED, SessionCloseReason.IDLE_TIMEOUT)


@BROKEN.breaks("ended_turn_is_safe_to_interrupt")
class IsBusyWithItsWorktree(Noop):
    _busy = False

    def end_turn(self, session_id: str, tokens: int = 1) -> None:
        super().end_turn(session_id, tokens)
        places = self._workspaces_of(self._session(session_id).assignment_id)
        self._busy = any(one.kind is WorkspaceKind.WORKTREE for one in places)

    async def end_session(
        self, session_id: str, mode: SessionEndMode, nonce: ConfirmNonce
    ) -> Session:
        if self._busy:
            self._busy = False
            raise AdaptorError(ErrorKind.REQUEST_FAILED, f"{session_id}: somebody is at work on it")
        return await super().end_session(session_id, mode, nonce)


@BROKEN.breaks("list_pending_requests_exists")
class WaitsForNone(Noop):
    async def list_pending_requests(self, session_id: str) -> tuple[EscalationRequest, ...]:
        found = await super().list_pending_requests(session_id)
        asked = any(one.session_id == session_id for one in self._escalations.values())
        return found if asked else None  # type: ignore[return-value]  # the fault
