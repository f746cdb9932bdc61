"""Group B, before a session: work is claimed, held for a while, and given back.

Source: spec 003, "Assignment protocol (canonical: pull)".
"""

import asyncio

from gemba_core.orchestration.assignment import AssignmentStrategy, ReadyFilter
from gemba_core.orchestration.error import ErrorKind
from gemba_core.orchestration.session import SessionPrompt
from gemba_core.testing.outcome import NotApplicable, expect
from gemba_core.testing.probe import Group, Probes
from gemba_core.testing.trial import Trial, refusal

PROBES = Probes(Group.SESSIONS)

_CLAIMS = 8


@PROBES.probe
async def claim_next_ready_reserves(trial: Trial) -> None:
    """Two concurrent claims never get the same work item."""
    claimant = await trial.claimant()
    claims = (trial.adaptor.claim_next_ready(ReadyFilter(), claimant) for _ in range(_CLAIMS))
    items = [one.work_item_id for one in await asyncio.gather(*claims) if one]
    if len(items) < 2:
        _nothing(trial)
    expect(len(set(items)) == len(items), f"{_CLAIMS} concurrent claims got {sorted(items)}")


@PROBES.probe
async def reservation_carries_a_ttl(trial: Trial) -> None:
    """A reservation says until when it is held, and for whom."""
    claimant = await trial.claimant()
    reservation = await trial.claim()
    expect(reservation.agent_id == claimant.id, f"held for {reservation.agent_id!r}")
    at = (await trial.adaptor.observed_state()).captured_at
    expect(reservation.expires_at.tzinfo, f"expires_at {reservation.expires_at} has no time zone")
    expect(reservation.expires_at > at, f"at {at} it has expired: {reservation.expires_at}")


@PROBES.probe
async def claim_respects_the_filter(trial: Trial) -> None:
    """Work that the filter does not admit is not given; there being none is None."""
    nothing = ReadyFilter(labels=("gemba-conformance-no-such-label",))
    found = await trial.adaptor.claim_next_ready(nothing, await trial.claimant())
    expect(found is None, f"claimed {found!r}, where nothing has the label")


@PROBES.probe
async def expired_reservation_returns(trial: Trial) -> None:
    """A reservation that nobody used returns by itself when its time is over."""
    held = await trial.claim_all()
    if not held:
        _nothing(trial)
    await trial.subject.pass_time(trial.adaptor, max(one.expires_at for one in held))
    again = {one.work_item_id for one in await trial.claim_all()}
    lost = sorted({one.work_item_id for one in held} - again)
    expect(not lost, f"not to be claimed after their time: {', '.join(lost)}")


@PROBES.probe
async def released_reservation_is_claimable(trial: Trial) -> None:
    """What was given back can be claimed again."""
    held = await trial.claim_all()
    if not held:
        _nothing(trial)
    await trial.adaptor.release_reservation(held[0].id)
    again = [one.work_item_id for one in await trial.claim_all()]
    expect(again == [held[0].work_item_id], f"gave back {held[0].work_item_id}, claimed {again}")


@PROBES.probe
async def release_reservation_idempotent(trial: Trial) -> None:
    """Giving back twice is a no-op: the item is there once."""
    held = await trial.claim_all()
    if not held:
        _nothing(trial)
    await trial.adaptor.release_reservation(held[0].id)
    await trial.adaptor.release_reservation(held[0].id)
    again = [one.work_item_id for one in await trial.claim_all()]
    expect(len(again) < 2, f"gave back {held[0].work_item_id} twice, claimed {again}")


@PROBES.probe
async def release_after_start_changes_nothing(trial: Trial) -> None:
    """A reservation that became a session is not given back under it."""
    session = await trial.session()
    await trial.adaptor.release_reservation(session.assignment_id)
    status = await trial.status(session.id)
    expect(not status.is_terminal, f"the session is {status}")


@PROBES.probe
async def start_session_binds_its_assignment(trial: Trial) -> None:
    """A session is of the assignment that it was started for, and lives."""
    claimant, reservation = await trial.claimant(), await trial.assignment()
    session = await trial.adaptor.start_session(reservation.id, SessionPrompt())
    expect(session.assignment_id == reservation.id, f"it is of {session.assignment_id!r}")
    expect(session.agent_id == claimant.id, f"it is {session.agent_id!r}'s")
    expect(not session.status.is_terminal, f"it begins as {session.status}")
    expect(session.ended_at is None and session.close_reason is None, "it begins as ended")


@PROBES.probe
async def start_session_only_once(trial: Trial) -> None:
    """An assignment has one session: another start is session_closed."""
    reservation = await trial.assignment()
    await trial.adaptor.start_session(reservation.id, SessionPrompt())
    again = trial.adaptor.start_session(reservation.id, SessionPrompt())
    error = await refusal(again, "a second start_session of one assignment")
    expect(error.kind is ErrorKind.SESSION_CLOSED, f"a second start is {error.kind}")


@PROBES.probe
async def start_session_after_release(trial: Trial) -> None:
    """An assignment that was given back has no session: a start is session_closed."""
    reservation = await trial.assignment()
    await trial.adaptor.release_reservation(reservation.id)
    late = trial.adaptor.start_session(reservation.id, SessionPrompt())
    error = await refusal(late, "a start_session of what was given back")
    expect(error.kind is ErrorKind.SESSION_CLOSED, f"such a start is {error.kind}")


def _nothing(trial: Trial) -> None:
    """Raises Unmet where there should be work, else NotApplicable."""
    pull = AssignmentStrategy.PULL in trial.manifest.assignment_strategies
    expect(not pull, "pull is declared, but fewer than two items are ready to claim")
    raise NotApplicable("the manifest does not declare pull")
