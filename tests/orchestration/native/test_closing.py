"""How a session ended is decided in one way, whoever puts it on record."""

import asyncio
import subprocess
from pathlib import Path

import pytest

from gemba_core.lifelock import is_held
from gemba_core.orchestration.drift import drift
from gemba_core.orchestration.native import ledger, places
from gemba_core.orchestration.native.adaptor import NativeAdaptor
from gemba_core.orchestration.session import Session, SessionCloseReason, SessionStatus
from gemba_core.panes import kept_socket
from gemba_core.testing.native import left_of
from tests.orchestration.native.scene import (
    ended,
    eventually,
    kill,
    leave,
    orphaned,
    seeing,
    started,
    statuses,
    within,
)

COMPLETED, FAILED = SessionStatus.COMPLETED, SessionStatus.FAILED


@pytest.mark.parametrize(
    ("exit_status", "status", "note"), [(0, COMPLETED, None), (3, FAILED, "exit 3")]
)
def test_an_agent_that_ended_while_nobody_kept_it(
    root: Path, exit_status: int, status: SessionStatus, note: str | None
) -> None:
    """Its exit status counts, as it would have for its keeper."""
    id = orphaned(root, "leaver")
    leave(id, exit_status)

    async def nothing(_: NativeAdaptor) -> None:
        pass

    within(root, nothing)

    state = ledger.read(id, "session")
    assert (state.status, state.close_reason) == (status, SessionCloseReason.PROVIDER_EXIT)
    assert state.note == note


def test_an_agent_that_failed_is_not_completed_by_who_ends_it(root: Path) -> None:
    """What was first counts: it had failed before anybody asked for its end."""
    id = orphaned(root, "leaver")
    leave(id, 3)

    async def end(adaptor: NativeAdaptor) -> Session:
        return await ended(adaptor, id)

    session = within(root, end, mend=False)

    assert (session.status, session.close_reason) == (FAILED, SessionCloseReason.PROVIDER_EXIT)
    assert ledger.read(id, "session").note == "exit 3"


def test_an_agent_that_failed_is_not_idle_to_the_reaper(root: Path) -> None:
    """It clears away what is left, and says what it was."""
    id = orphaned(root, "leaver")
    leave(id, 3)

    async def reaped(adaptor: NativeAdaptor) -> list[str]:
        return await adaptor.reap(-1.0)

    assert within(root, reaped, mend=False) == [id]

    state = ledger.read(id, "session")
    assert (state.status, state.close_reason) == (FAILED, SessionCloseReason.PROVIDER_EXIT)


def test_an_agent_whose_pane_is_gone_has_failed(root: Path) -> None:
    """Nobody knows how it would have ended."""

    async def seen(adaptor: NativeAdaptor) -> None:
        async with seeing(adaptor) as events:
            session = await started(adaptor)
            subprocess.run(["tmux", "-S", kept_socket(), "kill-server"], check=True)
            await eventually(lambda: statuses(events, session.id)[-1:] == [FAILED], what="its end")
            reason = events[-1].payload["after"]["close_reason"]
        assert reason == SessionCloseReason.TRANSPORT_ERROR

    within(root, seen)


def test_a_detached_session_is_kept_at_once(root: Path) -> None:
    """By the time that whoever started it has left."""

    async def id_of(adaptor: NativeAdaptor) -> str:
        return (await started(adaptor)).id

    id = within(root, id_of, detach=True)

    assert is_held(places.scope_lock_path(id))


def test_a_session_that_nobody_keeps_and_that_has_no_agent_is_drift(root: Path) -> None:
    """It is stalled to whoever looks, and can be ended."""
    id = orphaned(root)
    kill(id)

    async def seen(adaptor: NativeAdaptor) -> None:
        observed = await adaptor.observed_state()
        peek = await adaptor.peek_session(id)
        assert [one.status for one in observed.sessions] == [SessionStatus.STALLED]
        assert peek.status is SessionStatus.STALLED
        assert [one.id for one in drift(await adaptor.declared_state(), observed)] == [id]
        await ended(adaptor, id)
        observed = await adaptor.observed_state()
        assert drift(await adaptor.declared_state(), observed) == ()

    within(root, seen, mend=False)
    assert left_of(id) == []


def test_a_session_that_is_kept_is_no_drift(root: Path) -> None:
    """Whether its agent has said anything or not."""

    async def seen(adaptor: NativeAdaptor) -> None:
        await started(adaptor)
        declared, observed = await asyncio.gather(
            adaptor.declared_state(), adaptor.observed_state()
        )
        assert drift(declared, observed) == ()

    within(root, seen)
