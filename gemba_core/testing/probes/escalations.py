"""Group D: what waits for a person, and what a decision does.

Source: spec 003, "Escalations" and "ListPendingRequests".
"""

import asyncio

from gemba_core.orchestration.error import ErrorKind
from gemba_core.orchestration.escalation import (
    EscalationFilter,
    EscalationRequest,
    EscalationResolution,
    EscalationResolutionKind,
    EscalationState,
    EscalationUrgency,
)
from gemba_core.orchestration.scope import new_nonce
from gemba_core.orchestration.session import ConfirmNonce, SessionStatus
from gemba_core.testing.outcome import expect
from gemba_core.testing.probe import Group, Probes
from gemba_core.testing.trial import Trial, refusal

PROBES = Probes(Group.ESCALATIONS)


@PROBES.probe
async def resolve_escalation_unblocks_session(trial: Trial) -> None:
    """A blocked session goes on when its escalation is approved or modified."""
    for kind in (EscalationResolutionKind.APPROVE, EscalationResolutionKind.MODIFY):
        session = await trial.session()
        await trial.resolve(await trial.escalation(session.id), kind)
        status = await trial.status(session.id)
        goes_on = status is not SessionStatus.SUSPENDED and not status.is_terminal
        expect(goes_on, f"after {kind} the session is {status}")


@PROBES.probe
async def blocking_escalation_suspends_session(trial: Trial) -> None:
    """A session with an open blocking escalation is suspended."""
    session = await trial.session()
    await trial.escalation(session.id)
    status = await trial.status(session.id)
    expect(status is SessionStatus.SUSPENDED, f"with a blocking escalation it is {status}")


@PROBES.probe
async def advisory_escalation_lets_session_go_on(trial: Trial) -> None:
    """An advisory escalation does not suspend its session."""
    session = await trial.session()
    await trial.escalation(session.id, EscalationUrgency.ADVISORY)
    status = await trial.status(session.id)
    expect(status is not SessionStatus.SUSPENDED, "an advisory escalation suspended it")


@PROBES.probe
async def open_escalation_is_pending(trial: Trial) -> None:
    """What a session waits for is among its pending requests, in the common shape."""
    session = await trial.session()
    id = await trial.escalation(session.id)
    pending = await trial.adaptor.list_pending_requests(session.id)
    found = [one for one in pending if one.id == id]
    expect(found, f"{id} is not pending")
    _open_and_its_own(found[0], session.id)


@PROBES.probe
async def open_escalation_is_listed(trial: Trial) -> None:
    """What a session waits for is among all that is open."""
    session = await trial.session()
    id = await trial.escalation(session.id)
    listed = await trial.adaptor.list_open_escalations(EscalationFilter())
    found = [one for one in listed if one.id == id]
    expect(found, f"{id} is not listed")
    _open_and_its_own(found[0], session.id)


@PROBES.probe
async def escalation_kinds_are_declared(trial: Trial) -> None:
    """An escalation comes from a source that escalation_kinds declares."""
    session = await trial.session()
    id = await trial.escalation(session.id)
    for one in await trial.adaptor.list_pending_requests(session.id):
        declared = one.source in trial.manifest.escalation_kinds
        expect(one.id != id or declared, f"source {one.source} is not in escalation_kinds")


@PROBES.probe
async def escalation_filter_narrows(trial: Trial) -> None:
    """A filter leaves out what it does not admit."""
    session = await trial.session()
    id = await trial.escalation(session.id)
    advisory = EscalationFilter(urgency=EscalationUrgency.ADVISORY)
    listed = [one.id for one in await trial.adaptor.list_open_escalations(advisory)]
    expect(id not in listed, "a blocking escalation is listed among the advisory ones")


@PROBES.probe
async def resolved_escalation_is_closed(trial: Trial) -> None:
    """What was decided is open no more, and does not wait any more."""
    session = await trial.session()
    id = await trial.escalation(session.id)
    await trial.resolve(id)
    pending = [one.id for one in await trial.adaptor.list_pending_requests(session.id)]
    expect(id not in pending, f"{id} was decided and is still pending")
    listed = await trial.adaptor.list_open_escalations(EscalationFilter())
    expect(id not in [one.id for one in listed], f"{id} was decided and is still listed as open")


@PROBES.probe
async def resolution_is_recorded(trial: Trial) -> None:
    """The decided escalation says what was decided, and by whom."""
    session = await trial.session()
    id = await trial.escalation(session.id)
    decided = await _approve(trial, id, new_nonce())
    expect(decided.state is EscalationState.RESOLVED, f"decided, it is {decided.state}")
    done = decided.resolution
    expect(done is not None, "decided, it has no resolution")
    by = done and (done.kind, done.resolved_by)
    expect(by == (EscalationResolutionKind.APPROVE, "conformance"), f"it records {by}")


@PROBES.probe
async def resolve_escalation_idempotent(trial: Trial) -> None:
    """The same nonce twice is one decision: the same escalation comes back."""
    session, nonce = await trial.session(), new_nonce()
    id = await trial.escalation(session.id)
    first = await _approve(trial, id, nonce)
    again = await _approve(trial, id, nonce)
    expect(first == again, f"first {first!r}, then {again!r}")


@PROBES.probe
async def second_decision_is_refused(trial: Trial) -> None:
    """Another decision after the first is refused, and says what was decided."""
    session = await trial.session()
    id = await trial.escalation(session.id)
    await _approve(trial, id, new_nonce())
    late = trial.resolve(id, EscalationResolutionKind.DENY)
    error = await refusal(late, "a second decision")
    expect(error.kind is ErrorKind.VALIDATION, f"a second decision is {error.kind}")
    expect(error.detail.get("resolution"), "detail does not say what was decided")


@PROBES.probe
async def concurrent_decisions_are_one(trial: Trial) -> None:
    """Of two people who decide at once one is taken, and the other is refused."""
    session = await trial.session()
    id = await trial.escalation(session.id)
    decisions = (trial.resolve(id), trial.resolve(id, EscalationResolutionKind.MODIFY))
    outcomes = await asyncio.gather(*decisions, return_exceptions=True)
    taken = [outcome for outcome in outcomes if not isinstance(outcome, BaseException)]
    expect(len(taken) == 1, f"of two decisions at once {len(taken)} were taken")


async def _approve(trial: Trial, id: str, nonce: ConfirmNonce) -> EscalationRequest:
    resolution = EscalationResolution(
        kind=EscalationResolutionKind.APPROVE, resolved_by="conformance"
    )
    return await trial.adaptor.resolve_escalation(id, resolution, nonce)


def _open_and_its_own(one: EscalationRequest, session_id: str) -> None:
    expect(one.session_id == session_id, f"{one.id} is of session {one.session_id!r}")
    expect(one.state is EscalationState.OPEN, f"{one.id} is {one.state}")
    expect(one.title and one.prompt, f"{one.id} has no title or no prompt")
