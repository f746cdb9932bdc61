"""Group E: every change is an event, and what changes nothing is none.

Source: spec 003, "Event emission is mandatory": a successful mutation without
its event is the failure `mutation_without_event_is_failure`. There is a probe
for each of the nine mutations, so that a report names the silent one.
"""

from gemba_core.orchestration.event import EventKind, OrchestrationEvent
from gemba_core.orchestration.scope import new_nonce
from gemba_core.orchestration.session import SessionPrompt
from gemba_core.testing.outcome import expect
from gemba_core.testing.probe import Group, Probes
from gemba_core.testing.trial import Trial
from gemba_core.testing.watch import Wanted, after, before, ends, watching

PROBES = Probes(Group.EVENTS)


@PROBES.probe
async def mutation_without_event_is_failure_claim_next_ready(trial: Trial) -> None:
    """A claim is seen as reservation_claimed."""
    async with watching(trial.adaptor) as watch:
        reservation = await trial.claim()
        await watch.until(
            _about(EventKind.RESERVATION_CLAIMED, reservation.id), "reservation_claimed"
        )


@PROBES.probe
async def mutation_without_event_is_failure_release_reservation(trial: Trial) -> None:
    """A reservation that is given back is seen as reservation_released."""
    reservation = await trial.claim()
    async with watching(trial.adaptor) as watch:
        await trial.adaptor.release_reservation(reservation.id)
        await watch.until(
            _about(EventKind.RESERVATION_RELEASED, reservation.id), "reservation_released"
        )


@PROBES.probe
async def mutation_without_event_is_failure_start_session(trial: Trial) -> None:
    """A start is seen as session_transition with nothing before it."""
    reservation = await trial.assignment()
    async with watching(trial.adaptor) as watch:
        session = await trial.adaptor.start_session(reservation.id, SessionPrompt())
        await watch.until(_began(session.id), "session_transition")


@PROBES.probe
async def mutation_without_event_is_failure_pause_session(trial: Trial) -> None:
    """A pause is seen as session_transition to suspended."""
    session = await trial.session()
    async with watching(trial.adaptor) as watch:
        await trial.adaptor.pause_session(session.id, new_nonce())
        await watch.until(_paused(session.id), "session_transition")


@PROBES.probe
async def mutation_without_event_is_failure_resume_session(trial: Trial) -> None:
    """A resume is seen as session_transition from suspended."""
    session = await trial.session()
    await trial.adaptor.pause_session(session.id, new_nonce())
    async with watching(trial.adaptor) as watch:
        await trial.adaptor.resume_session(session.id, new_nonce())
        await watch.until(_resumed(session.id), "session_transition")


@PROBES.probe
async def mutation_without_event_is_failure_end_session(trial: Trial) -> None:
    """An end is seen as session_transition to completed or failed."""
    session = await trial.session()
    async with watching(trial.adaptor) as watch:
        await trial.end(session.id)
        await watch.until(ends(session.id), "session_transition")


@PROBES.probe
async def mutation_without_event_is_failure_acquire_workspace(trial: Trial) -> None:
    """A workspace that is acquired is seen as workspace_acquired."""
    async with watching(trial.adaptor) as watch:
        workspace = await trial.workspace()
        await watch.until(_about(EventKind.WORKSPACE_ACQUIRED, workspace.id), "workspace_acquired")


@PROBES.probe
async def mutation_without_event_is_failure_release_workspace(trial: Trial) -> None:
    """A workspace that is given back is seen as workspace_released."""
    workspace = await trial.workspace()
    async with watching(trial.adaptor) as watch:
        await trial.adaptor.release_workspace(workspace.id)
        await watch.until(_about(EventKind.WORKSPACE_RELEASED, workspace.id), "workspace_released")


@PROBES.probe
async def mutation_without_event_is_failure_resolve_escalation(trial: Trial) -> None:
    """A decision is seen as escalation_resolved."""
    session = await trial.session()
    id = await trial.escalation(session.id)
    async with watching(trial.adaptor) as watch:
        await trial.resolve(id)
        await watch.until(_about(EventKind.ESCALATION_RESOLVED, id), "escalation_resolved")


@PROBES.probe
async def no_event_without_change_release_reservation(trial: Trial) -> None:
    """A second release of a reservation emits nothing."""
    reservation = await trial.claim()
    async with watching(trial.adaptor) as watch:
        await trial.adaptor.release_reservation(reservation.id)
        await trial.adaptor.release_reservation(reservation.id)
        seen = await watch.rest()
    _at_most_one(seen, _about(EventKind.RESERVATION_RELEASED, reservation.id))


@PROBES.probe
async def no_event_without_change_pause_session(trial: Trial) -> None:
    """A second pause under one nonce emits nothing."""
    session, nonce = await trial.session(), new_nonce()
    async with watching(trial.adaptor) as watch:
        await trial.adaptor.pause_session(session.id, nonce)
        await trial.adaptor.pause_session(session.id, nonce)
        seen = await watch.rest()
    _at_most_one(seen, _paused(session.id))


@PROBES.probe
async def no_event_without_change_resume_session(trial: Trial) -> None:
    """A resume of a session that is not paused any more emits nothing."""
    session = await trial.session()
    await trial.adaptor.pause_session(session.id, new_nonce())
    async with watching(trial.adaptor) as watch:
        await trial.adaptor.resume_session(session.id, new_nonce())
        await trial.adaptor.resume_session(session.id, new_nonce())
        seen = await watch.rest()
    changes = [(before(one).get("status"), after(one).get("status")) for one in seen]
    idle = [change for change in changes if change[0] and change[0] == change[1]]
    expect(not idle, f"a transition from {idle[0][0]} to itself was seen" if idle else "")
    _at_most_one(seen, _resumed(session.id))


@PROBES.probe
async def no_event_without_change_release_workspace(trial: Trial) -> None:
    """A second release of a workspace emits nothing."""
    workspace = await trial.workspace()
    async with watching(trial.adaptor) as watch:
        await trial.adaptor.release_workspace(workspace.id)
        await trial.adaptor.release_workspace(workspace.id)
        seen = await watch.rest()
    _at_most_one(seen, _about(EventKind.WORKSPACE_RELEASED, workspace.id))


@PROBES.probe
async def no_event_without_change_resolve_escalation(trial: Trial) -> None:
    """A decision that is repeated under its nonce emits nothing."""
    session, nonce = await trial.session(), new_nonce()
    id = await trial.escalation(session.id)
    async with watching(trial.adaptor) as watch:
        await trial.resolve(id, nonce=nonce)
        await trial.resolve(id, nonce=nonce)
        seen = await watch.rest()
    _at_most_one(seen, _about(EventKind.ESCALATION_RESOLVED, id))


def _about(kind: EventKind, id: str) -> Wanted:
    return lambda event: event.kind is kind and event.payload.get("id") == id


def _began(session_id: str) -> Wanted:
    return lambda event: after(event).get("id") == session_id and not before(event)


def _paused(session_id: str) -> Wanted:
    return lambda event: (
        after(event).get("id") == session_id and after(event).get("status") == "suspended"
    )


def _resumed(session_id: str) -> Wanted:
    return lambda event: (
        before(event).get("status") == "suspended"
        and after(event).get("id") == session_id
        and after(event).get("status") != "suspended"
    )


def _at_most_one(seen: list[OrchestrationEvent], wanted: Wanted) -> None:
    found = [event.kind.value for event in seen if wanted(event)]
    expect(len(found) < 2, f"{len(found)} events for one change: {', '.join(found)}")
