"""Group B, at a session's end: once, truly, and with nothing left.

Source: spec 003, "Scope-first session lifecycle", "Session lifecycle + nonces"
and "EndSession is doubly idempotent".
"""

import asyncio

from gemba_core.orchestration.escalation import EscalationFilter
from gemba_core.orchestration.scope import new_nonce, run_session
from gemba_core.orchestration.session import (
    Session,
    SessionCloseReason,
    SessionEndMode,
    SessionStatus,
)
from gemba_core.testing.outcome import expect
from gemba_core.testing.probe import Group, Probes
from gemba_core.testing.trial import Trial
from gemba_core.testing.watch import UNASKED, ends, watching

PROBES = Probes(Group.SESSIONS)


@PROBES.probe
async def end_session_idempotent(trial: Trial) -> None:
    """The same nonce twice ends it once: the same session comes back."""
    session, nonce = await trial.session(), new_nonce()
    first = await trial.adaptor.end_session(session.id, SessionEndMode.COMPLETED, nonce)
    again = await trial.adaptor.end_session(session.id, SessionEndMode.COMPLETED, nonce)
    _same(first, again)


@PROBES.probe
async def end_session_terminal_absorbing(trial: Trial) -> None:
    """A fresh nonce on a terminal session changes nothing: no error and no second event."""
    session = await trial.session()
    async with watching(trial.adaptor) as watch:
        first = await trial.end(session.id)
        _same(first, await trial.end(session.id, SessionEndMode.FAILED))
        terminal = [event for event in await watch.rest() if ends(session.id)(event)]
    expect(len(terminal) < 2, f"{len(terminal)} terminal transitions were seen")


@PROBES.probe
async def concurrent_ends_agree(trial: Trial) -> None:
    """Callers that end one session at once all get the same terminal session, of one event."""
    session = await trial.session()
    async with watching(trial.adaptor) as watch:
        ended = await asyncio.gather(*(trial.end(session.id) for _ in range(4)))
        for other in ended[1:]:
            _same(ended[0], other)
        await watch.until_end(session.id)
        terminal = [event for event in await watch.rest() if ends(session.id)(event)]
    expect(len(terminal) == 1, f"{len(terminal)} terminal transitions were seen")


@PROBES.probe
async def end_session_is_terminal(trial: Trial) -> None:
    """An ended session is completed or failed, as was intended, and has its moment."""
    for mode, status in (
        (SessionEndMode.COMPLETED, SessionStatus.COMPLETED),
        (SessionEndMode.FAILED, SessionStatus.FAILED),
    ):
        ended = await trial.end((await trial.session()).id, mode)
        expect(ended.status is status, f"ended as {mode}, it is {ended.status}")
        expect(ended.ended_at is not None, "ended_at is empty")


@PROBES.probe
async def end_session_populates_close_reason(trial: Trial) -> None:
    """A terminal session carries a typed close_reason."""
    ended = await trial.end((await trial.session()).id)
    typed = isinstance(ended.close_reason, SessionCloseReason)
    expect(typed, f"close_reason is {ended.close_reason!r}")


@PROBES.probe
async def provider_close_keeps_its_reason(trial: Trial) -> None:
    """Where the agent ended by itself, that stays the reason, whatever a caller then intends."""
    session = await trial.session()
    await trial.subject.end_by_provider(trial.adaptor, session.id)
    ended = await trial.end(session.id, SessionEndMode.COMPLETED)
    true = ended.close_reason in (
        SessionCloseReason.PROVIDER_EXIT,
        SessionCloseReason.TRANSPORT_ERROR,
        SessionCloseReason.FATAL_STDERR,
        SessionCloseReason.PROTOCOL_ERROR,
    )
    expect(true, f"the agent ended by itself, but close_reason is {ended.close_reason}")


@PROBES.probe
async def provider_failure_is_failed(trial: Trial) -> None:
    """Where the agent failed by itself, its session is failed, whatever a caller then intends."""
    session = await trial.session()
    await trial.subject.end_by_provider(trial.adaptor, session.id)
    ended = await trial.end(session.id, SessionEndMode.COMPLETED)
    failed = ended.status is SessionStatus.FAILED
    expect(failed, f"the agent failed by itself, but its session is {ended.status}")


@PROBES.probe
async def scope_teardown_releases_resources(trial: Trial) -> None:
    """When the terminal event is seen, nothing of the session is left."""
    session = await trial.session()
    async with watching(trial.adaptor) as watch:
        await trial.end(session.id)
        await watch.until_end(session.id)
        left = await trial.subject.leftovers(trial.adaptor, session.id)
    expect(not left, f"left after the terminal event: {', '.join(left)}")


@PROBES.probe
async def provider_close_releases_resources(trial: Trial) -> None:
    """So too where the agent ended by itself: its terminal event is seen when nothing is left."""
    session = await trial.session()
    async with watching(trial.adaptor) as watch:
        await trial.subject.end_by_provider(trial.adaptor, session.id)
        await watch.until(ends(session.id), "terminal session_transition", within=UNASKED)
        left = await trial.subject.leftovers(trial.adaptor, session.id)
    expect(not left, f"left after the agent ended by itself: {', '.join(left)}")


@PROBES.probe
async def cancelled_scope_ends_session(trial: Trial) -> None:
    """A scope whose task is cancelled ends its session, and so does one that raises."""
    expect(await _ended_by(trial, asyncio.CancelledError()), "cancelled, its session lives on")
    expect(await _ended_by(trial, RuntimeError("on purpose")), "failed, its session lives on")


@PROBES.probe
async def ended_session_keeps_no_requests(trial: Trial) -> None:
    """What a session waited for is not open any more when it has ended."""
    session = await trial.session()
    await trial.escalation(session.id)
    await trial.end(session.id)
    pending = await trial.adaptor.list_pending_requests(session.id)
    expect(pending == (), f"still pending: {pending!r}")
    listed = await trial.adaptor.list_open_escalations(EscalationFilter())
    left = [one.id for one in listed if one.session_id == session.id]
    expect(not left, f"still open: {', '.join(left)}")


async def _ended_by(trial: Trial, failure: BaseException) -> bool:
    """Whether a session ends whose scope is left by that."""
    reservation = await trial.assignment()
    try:
        async with run_session(trial.adaptor, reservation.id) as session:
            raise failure
    except type(failure) as error:
        if error is not failure:
            raise
    return (await trial.status(session.id)).is_terminal


def _same(first: Session, again: Session) -> None:
    """Raises Unmet unless both are the same end."""
    was, became = (
        f"{one.id} {one.status} ({one.close_reason}) at {one.ended_at}" for one in (first, again)
    )
    expect(was == became, f"first {was}, then {became}")
