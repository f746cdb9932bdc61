"""Group B, while a session lives: nonces, pauses and turns.

Source: spec 003, "Session lifecycle + nonces", "Active-turn protection" and
"ListPendingRequests".
"""

from gemba_core.orchestration.error import AdaptorError
from gemba_core.orchestration.scope import new_nonce
from gemba_core.orchestration.session import SessionPrompt, SessionStatus
from gemba_core.testing.outcome import Unmet, expect
from gemba_core.testing.probe import Group, Probes
from gemba_core.testing.trial import Trial

PROBES = Probes(Group.SESSIONS)


@PROBES.probe
async def pause_session_suspends(trial: Trial) -> None:
    """A paused session is suspended."""
    session = await trial.session()
    paused = await trial.adaptor.pause_session(session.id, new_nonce())
    expect(paused.status is SessionStatus.SUSPENDED, f"paused, it is {paused.status}")


@PROBES.probe
async def pause_session_idempotent(trial: Trial) -> None:
    """The same nonce twice is one pause, also when it was resumed in between."""
    session, nonce = await trial.session(), new_nonce()
    await trial.adaptor.pause_session(session.id, nonce)
    await trial.adaptor.resume_session(session.id, new_nonce())
    again = await trial.adaptor.pause_session(session.id, nonce)
    expect(again.status is not SessionStatus.SUSPENDED, "an old pause was done once more")


@PROBES.probe
async def resume_session_goes_on(trial: Trial) -> None:
    """A paused session that is resumed is suspended no more."""
    session = await trial.session()
    await trial.adaptor.pause_session(session.id, new_nonce())
    resumed = await trial.adaptor.resume_session(session.id, new_nonce())
    expect(resumed.status is not SessionStatus.SUSPENDED, "resumed, it is suspended")


@PROBES.probe
async def resume_session_idempotent(trial: Trial) -> None:
    """The same nonce twice is one resume, also when it was paused in between."""
    session, nonce = await trial.session(), new_nonce()
    await trial.adaptor.pause_session(session.id, new_nonce())
    await trial.adaptor.resume_session(session.id, nonce)
    await trial.adaptor.pause_session(session.id, new_nonce())
    again = await trial.adaptor.resume_session(session.id, nonce)
    expect(again.status is SessionStatus.SUSPENDED, "an old resume was done once more")


@PROBES.probe
async def resume_without_pause_is_noop(trial: Trial) -> None:
    """A session that is not paused is given as it is."""
    session = await trial.session()
    resumed = await trial.adaptor.resume_session(session.id, new_nonce())
    expect(resumed.id == session.id, f"resuming {session.id} gives {resumed.id}")
    live = not resumed.status.is_terminal and resumed.status is not SessionStatus.SUSPENDED
    expect(live, f"resumed without a pause, it is {resumed.status}")


@PROBES.probe
async def active_turn_id_follows_the_turn(trial: Trial) -> None:
    """active_turn_id is set while the agent has a turn, and empty after it."""
    session = await trial.session()
    await trial.subject.begin_turn(trial.adaptor, session.id)
    expect(await _turn(trial, session.id), "it is empty in the midst of a turn")
    await trial.subject.end_turn(trial.adaptor, session.id)
    expect(not await _turn(trial, session.id), "it is still set after the turn")


@PROBES.probe
async def active_turn_id_skips_reaper(trial: Trial) -> None:
    """The reaper ends an idle session, and not one that has a turn."""
    idle, busy = await trial.session(), await trial.session()
    await trial.subject.begin_turn(trial.adaptor, busy.id)
    await trial.subject.run_reaper(trial.adaptor)
    reaped = (await trial.status(idle.id)).is_terminal
    expect(reaped, "the reaper did not even end the idle session, which proves nothing")
    status = await trial.status(busy.id)
    expect(not status.is_terminal, f"in the midst of its turn the session became {status}")


@PROBES.probe
async def ended_turn_is_safe_to_interrupt(trial: Trial) -> None:
    """A session can be ended as soon as its turn is over, whatever still follows from that turn."""
    for kind in trial.manifest.workspace_kinds or (None,):
        reservation = await trial.claim()
        if kind is not None:
            await trial.workspace(reservation.id, kind=kind)
        session = await trial.adaptor.start_session(reservation.id, SessionPrompt())
        await trial.subject.begin_turn(trial.adaptor, session.id)
        await trial.subject.end_turn(trial.adaptor, session.id)
        try:
            ended = await trial.end(session.id)
        except AdaptorError as error:
            raise Unmet(f"in a {kind} workspace its end is {error.kind}: {error}") from error
        expect(ended.status.is_terminal, f"ended right after its turn, it is {ended.status}")


@PROBES.probe
async def list_pending_requests_exists(trial: Trial) -> None:
    """A session that waits for nobody has an empty tuple of requests, not None."""
    session = await trial.session()
    found = await trial.adaptor.list_pending_requests(session.id)
    expect(found == (), f"list_pending_requests gives {found!r} where nothing is pending")


async def _turn(trial: Trial, session_id: str) -> str | None:
    sessions = (await trial.adaptor.observed_state()).sessions
    found = [session for session in sessions if session.id == session_id]
    expect(found, f"{session_id} is not in the observed state")
    return found[0].active_turn_id
