"""A session's scope: whatever becomes of the block, the session ends with it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from gemba_core.orchestration.agent import AgentRef
from gemba_core.orchestration.assignment import ReadyFilter
from gemba_core.orchestration.error import AdaptorError, ErrorKind
from gemba_core.orchestration.noop import Noop, open_noop
from gemba_core.orchestration.scope import new_nonce, run_session
from gemba_core.orchestration.session import Session, SessionCloseReason, SessionStatus

_AGENT = AgentRef(id="agent", name="agent")


@asynccontextmanager
async def _assigned() -> AsyncIterator[tuple[Noop, str]]:
    """An adaptor, and an assignment that waits for its session."""
    async with open_noop() as adaptor:
        reservation = await adaptor.claim_next_ready(ReadyFilter(), _AGENT)
        assert reservation is not None
        yield adaptor, reservation.id


async def _only(adaptor: Noop) -> Session:
    (session,) = (await adaptor.observed_state()).sessions
    return session


def test_it_lives_within_the_block() -> None:
    """And is completed after it."""

    async def statuses() -> list[SessionStatus]:
        async with _assigned() as (adaptor, assignment_id):
            async with run_session(adaptor, assignment_id):
                within = (await _only(adaptor)).status
            return [within, (await _only(adaptor)).status]

    assert asyncio.run(statuses()) == [SessionStatus.READY, SessionStatus.COMPLETED]


def test_it_fails_with_the_block() -> None:
    """What the block raises passes."""

    async def status() -> SessionStatus:
        async with _assigned() as (adaptor, assignment_id):
            with pytest.raises(RuntimeError, match="on purpose"):
                async with run_session(adaptor, assignment_id):
                    raise RuntimeError("on purpose")
            return (await _only(adaptor)).status

    assert asyncio.run(status()) is SessionStatus.FAILED


def test_it_is_canceled_with_its_task() -> None:
    """Also where it is cancelled once more while it ends."""

    async def session() -> Session:
        async with _assigned() as (adaptor, assignment_id):
            entered = asyncio.Event()

            async def work() -> None:
                async with run_session(adaptor, assignment_id):
                    entered.set()
                    await asyncio.Event().wait()

            task = asyncio.create_task(work())
            await entered.wait()
            task.cancel()
            await asyncio.sleep(0)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            return await _only(adaptor)

    ended = asyncio.run(session())
    assert ended.status.is_terminal
    assert ended.close_reason is SessionCloseReason.USER_STOP


def test_a_session_that_does_not_start_has_no_block() -> None:
    """The adaptor's error comes instead."""

    async def refused() -> ErrorKind:
        async with open_noop() as adaptor:
            with pytest.raises(AdaptorError) as caught:
                async with run_session(adaptor, "no such assignment"):
                    pytest.fail("the block was entered")
            return caught.value.kind

    assert asyncio.run(refused()) is ErrorKind.SESSION_NOT_FOUND


def test_nonces_differ() -> None:
    """Two callers never take each other's."""
    assert new_nonce() != new_nonce()
