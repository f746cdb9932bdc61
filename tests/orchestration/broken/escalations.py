"""Adaptors that break a rule of escalations."""

import asyncio
from dataclasses import replace

from gemba_core.orchestration.error import AdaptorError, ErrorKind
from gemba_core.orchestration.escalation import (
    EscalationFilter,
    EscalationKind,
    EscalationRequest,
    EscalationResolution,
    EscalationResolutionKind,
    EscalationState,
    EscalationUrgency,
)
from gemba_core.orchestration.manifest import OrchestrationCapabilityManifest
from gemba_core.orchestration.noop import Noop
from gemba_core.orchestration.session import ConfirmNonce, SessionPeek, SessionStatus
from tests.orchestration.broken.breaking import Breakers

BROKEN = Breakers()


@BROKEN.breaks("resolve_escalation_unblocks_session")
class ForgetsTheSession(Noop):
    def _decide(
        self, escalation: EscalationRequest, resolution: EscalationResolution
    ) -> EscalationRequest:
        if resolution.kind is EscalationResolutionKind.MODIFY and escalation.session_id:
            self._paused.add(escalation.session_id)
        return super()._decide(escalation, resolution)


@BROKEN.breaks("blocking_escalation_suspends_session")
class WorksWhileBlocked(Noop):
    async def peek_session(self, session_id: str) -> SessionPeek:
        peek = await super().peek_session(session_id)
        suspended = peek.status is SessionStatus.SUSPENDED
        return replace(peek, status=SessionStatus.WORKING) if suspended else peek


@BROKEN.breaks("advisory_escalation_lets_session_go_on")
class StopsForAdvice(Noop):
    def escalate(
        self, session_id: str, urgency: EscalationUrgency, source: EscalationKind
    ) -> EscalationRequest:
        if urgency is EscalationUrgency.ADVISORY:
            self._paused.add(session_id)
        return super().escalate(session_id, urgency, source)


@BROKEN.breaks("open_escalation_is_pending")
class AsksForNobody(Noop):
    async def list_pending_requests(self, session_id: str) -> tuple[EscalationRequest, ...]:
        found = await super().list_pending_requests(session_id)
        return tuple(replace(one, session_id=None) for one in found)


@BROKEN.breaks("open_escalation_is_listed")
class ListsNothing(Noop):
    async def list_open_escalations(
        self, filter: EscalationFilter
    ) -> tuple[EscalationRequest, ...]:
        await super().list_open_escalations(filter)
        return ()


@BROKEN.breaks("escalation_kinds_are_declared")
class DeclaresOtherSources(Noop):
    def describe(self) -> OrchestrationCapabilityManifest:
        return replace(super().describe(), escalation_kinds=(EscalationKind.QUESTION,))


@BROKEN.breaks("escalation_filter_narrows")
class IgnoresUrgency(Noop):
    async def list_open_escalations(
        self, filter: EscalationFilter
    ) -> tuple[EscalationRequest, ...]:
        return await super().list_open_escalations(replace(filter, urgency=None))


@BROKEN.breaks("resolved_escalation_is_closed")
class ShowsWhatIsDecided(Noop):
    async def list_pending_requests(self, session_id: str) -> tuple[EscalationRequest, ...]:
        decided = (
            one
            for one in self._escalations.values()
            if one.session_id == session_id and one.state is EscalationState.RESOLVED
        )
        return (*await super().list_pending_requests(session_id), *decided)


@BROKEN.breaks("resolution_is_recorded")
class ForgetsWhoDecided(Noop):
    def _decide(
        self, escalation: EscalationRequest, resolution: EscalationResolution
    ) -> EscalationRequest:
        return super()._decide(escalation, replace(resolution, resolved_by="somebody"))


@BROKEN.breaks("resolve_escalation_idempotent")
class DecidesAgain(Noop):
    async def resolve_escalation(
        self, escalation_id: str, resolution: EscalationResolution, nonce: ConfirmNonce
    ) -> EscalationRequest:
        known = ("resolve", escalation_id, nonce) in self._nonces
        decided = await super().resolve_escalation(escalation_id, resolution, nonce)
        return replace(decided, resolution=resolution) if known else decided


@BROKEN.breaks("concurrent_decisions_are_one")
class LooksThenDecides(Noop):
    async def resolve_escalation(
        self, escalation_id: str, resolution: EscalationResolution, nonce: ConfirmNonce
    ) -> EscalationRequest:
        before = self._escalations.get(escalation_id)
        await asyncio.sleep(0)
        found = self._escalations.get(escalation_id)
        if found and found != before:
            return found
        return await super().resolve_escalation(escalation_id, resolution, nonce)


@BROKEN.breaks("second_decision_is_refused")
class TakesEveryNo(Noop):
    async def resolve_escalation(
        self, escalation_id: str, resolution: EscalationResolution, nonce: ConfirmNonce
    ) -> EscalationRequest:
        found = self._escalations.get(escalation_id)
        decided = found is not None and found.state is EscalationState.RESOLVED
        if found and decided and resolution.kind is EscalationResolutionKind.DENY:
            return found
        return await super().resolve_escalation(escalation_id, resolution, nonce)


@BROKEN.breaks("second_decision_is_refused")
class RefusesWithoutAWord(Noop):
    async def resolve_escalation(
        self, escalation_id: str, resolution: EscalationResolution, nonce: ConfirmNonce
    ) -> EscalationRequest:
        try:
            return await super().resolve_escalation(escalation_id, resolution, nonce)
        except AdaptorError as error:
            if error.kind is ErrorKind.VALIDATION:
                error.detail.clear()
            raise
