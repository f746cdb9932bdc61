"""Adaptors that break a rule of a session's end."""

import asyncio
from dataclasses import replace

from gemba_core.orchestration.escalation import EscalationState
from gemba_core.orchestration.noop import Noop
from gemba_core.orchestration.session import (
    ConfirmNonce,
    Session,
    SessionCloseReason,
    SessionEndMode,
)
from gemba_core.testing.noop import NoopSubject
from tests.orchestration.broken.breaking import Breakers

BROKEN = Breakers()


@BROKEN.breaks("end_session_idempotent")
class EndsAgainUnderItsNonce(Noop):
    async def end_session(
        self, session_id: str, mode: SessionEndMode, nonce: ConfirmNonce
    ) -> Session:
        ended = await super().end_session(session_id, mode, nonce)
        first = self._is_first("end", session_id, nonce)
        return ended if first else replace(ended, ended_at=self.clock())


@BROKEN.breaks("end_session_terminal_absorbing")
class SaysItsEndTwice(Noop):
    async def end_session(
        self, session_id: str, mode: SessionEndMode, nonce: ConfirmNonce
    ) -> Session:
        before = self._session(session_id)
        ended = await super().end_session(session_id, mode, nonce)
        # Only of another end: of the same one by several at once, the next tells.
        is_told = before.status.is_terminal and mode is SessionEndMode.FAILED
        return self._become(ended) if is_told else ended


@BROKEN.breaks("concurrent_ends_agree")
class LooksThenEnds(Noop):
    async def end_session(
        self, session_id: str, mode: SessionEndMode, nonce: ConfirmNonce
    ) -> Session:
        before = self._session(session_id)
        await asyncio.sleep(0)
        overtaken = self._session(session_id) != before
        ended = await super().end_session(session_id, mode, nonce)
        return replace(ended, ended_at=self.clock()) if overtaken else ended


@BROKEN.breaks("concurrent_ends_agree")
class EachSaysItsEnd(Noop):
    async def end_session(
        self, session_id: str, mode: SessionEndMode, nonce: ConfirmNonce
    ) -> Session:
        before = self._session(session_id)
        await asyncio.sleep(0)
        overtaken = self._session(session_id) != before
        ended = await super().end_session(session_id, mode, nonce)
        return self._become(ended) if overtaken else ended


@BROKEN.breaks("end_session_is_terminal")
class NeverFails(Noop):
    async def end_session(
        self, session_id: str, mode: SessionEndMode, nonce: ConfirmNonce
    ) -> Session:
        return await super().end_session(session_id, SessionEndMode.COMPLETED, nonce)


@BROKEN.breaks("end_session_populates_close_reason")
class KeepsItsReasonToItself(Noop):
    async def end_session(
        self, session_id: str, mode: SessionEndMode, nonce: ConfirmNonce
    ) -> Session:
        ended = await super().end_session(session_id, mode, nonce)
        stopped = ended.close_reason is SessionCloseReason.USER_STOP
        return replace(ended, close_reason=None) if stopped else ended


@BROKEN.breaks("provider_close_keeps_its_reason")
class BlamesTheUser(Noop):
    def crash(self, session_id: str) -> None:
        self._ended(session_id, SessionEndMode.FAILED, SessionCloseReason.USER_STOP)


@BROKEN.breaks("provider_failure_is_failed")
class CallsAFailureDone(Noop):
    def crash(self, session_id: str) -> None:
        self._ended(session_id, SessionEndMode.COMPLETED, SessionCloseReason.PROVIDER_EXIT)


class Leaky(Noop):
    """What it holds of a session that ended for that reason, it goes on holding."""

    leaking: SessionCloseReason

    def left_of(self, session_id: str) -> list[str]:
        """A socket, or nothing."""
        leaks = self._sessions[session_id].close_reason is self.leaking
        return [f"socket of {session_id}"] if leaks else []


class LeakySubject(NoopSubject):
    async def leftovers(self, adaptor: Noop, session_id: str) -> list[str]:
        assert isinstance(adaptor, Leaky)
        return adaptor.left_of(session_id)


@BROKEN.breaks("scope_teardown_releases_resources", LeakySubject)
class LeaksWhenItIsEnded(Leaky):
    leaking = SessionCloseReason.USER_STOP


@BROKEN.breaks("provider_close_releases_resources", LeakySubject)
class LeaksWhenItCrashes(Leaky):
    leaking = SessionCloseReason.PROVIDER_EXIT


@BROKEN.breaks("cancelled_scope_ends_session")
class IgnoresCancellation(Noop):
    async def end_session(
        self, session_id: str, mode: SessionEndMode, nonce: ConfirmNonce
    ) -> Session:
        if mode is SessionEndMode.CANCELED:
            return self._session(session_id)
        return await super().end_session(session_id, mode, nonce)


@BROKEN.breaks("ended_session_keeps_no_requests")
class GoesOnAsking(Noop):
    def _ended(self, id: str, mode: SessionEndMode, reason: SessionCloseReason) -> Session:
        asked = [one for one in self._open() if one.session_id == id]
        ended = super()._ended(id, mode, reason)
        for one in asked:
            self._escalations[one.id] = replace(one, state=EscalationState.OPEN)
        return ended
