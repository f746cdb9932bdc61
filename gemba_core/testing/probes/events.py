"""Group E: what is seen on subscribe, in which order, and that nothing is lost silently.

Source: spec 003, "Events".
"""

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import timedelta

from gemba_core.orchestration.assignment import Reservation
from gemba_core.orchestration.cost import CostSample
from gemba_core.orchestration.decode import record, wire
from gemba_core.orchestration.error import AdaptorError
from gemba_core.orchestration.escalation import EscalationRequest
from gemba_core.orchestration.event import EventKind, OrchestrationEvent, SubscribeFilter
from gemba_core.orchestration.scope import new_nonce
from gemba_core.orchestration.session import Session, SessionCloseReason, SessionPrompt
from gemba_core.orchestration.workspace import Workspace
from gemba_core.testing.outcome import NotApplicable, Unmet, expect
from gemba_core.testing.probe import Group, Probes
from gemba_core.testing.trial import Trial
from gemba_core.testing.watch import UNASKED, after, before, ends, of_kind, reading, watching

PROBES = Probes(Group.EVENTS)


@dataclass(frozen=True)
class _Transition:
    before: Session | None
    after: Session


# What a payload is; where there is nothing here, any object.
_SHAPES: dict[EventKind, type] = {
    EventKind.SESSION_TRANSITION: _Transition,
    EventKind.COST_SAMPLE: CostSample,
    EventKind.ESCALATION_OPENED: EscalationRequest,
    EventKind.ESCALATION_RESOLVED: EscalationRequest,
    EventKind.ESCALATION_CANCELED: EscalationRequest,
    EventKind.ESCALATION_EXPIRED: EscalationRequest,
    EventKind.WORKSPACE_ACQUIRED: Workspace,
    EventKind.WORKSPACE_RELEASED: Workspace,
    EventKind.RESERVATION_CLAIMED: Reservation,
    EventKind.RESERVATION_RELEASED: Reservation,
}


@PROBES.probe
async def event_ordering_across_assignment(trial: Trial) -> None:
    """The events of one assignment are seen in the order of their causes."""
    async with watching(trial.adaptor) as watch:
        reservation = await trial.claim()
        if trial.manifest.workspace_kinds:
            await trial.workspace(reservation.id)
        session = await trial.adaptor.start_session(reservation.id, SessionPrompt())
        await trial.adaptor.pause_session(session.id, new_nonce())
        await trial.adaptor.resume_session(session.id, new_nonce())
        await trial.end(session.id)
        await watch.until_end(session.id)
        seen = [one for one in await watch.rest() if one.assignment_id == reservation.id]
    steps = [step for step in map(_step, seen) if step is not None]
    expect(steps == sorted(steps), f"seen in this order: {', '.join(map(_said, seen))}")


@PROBES.probe
async def event_payloads_have_their_shapes(trial: Trial) -> None:
    """Each event crosses a wire, and its payload is the record that its kind promises."""
    async with watching(trial.adaptor) as watch:
        session = await trial.session()
        await trial.end(session.id)
        await trial.adaptor.release_reservation((await trial.claim()).id)
        seen = await watch.rest()
    for event in seen:
        try:
            sent = json.loads(json.dumps(wire(event)))
            record(_SHAPES.get(event.kind, dict), record(OrchestrationEvent, sent).payload)
        except (AdaptorError, TypeError, ValueError) as error:
            raise Unmet(f"{event.kind} is not in its shape: {error}") from error


@PROBES.probe
async def opened_escalation_is_seen(trial: Trial) -> None:
    """That an agent needs a person is seen as escalation_opened."""
    session = await trial.session()
    async with watching(trial.adaptor) as watch:
        await trial.escalation(session.id)
        opened = of_kind(EventKind.ESCALATION_OPENED)
        await watch.until(opened, "escalation_opened", within=UNASKED)


@PROBES.probe
async def workspace_released_before_terminal_transition(trial: Trial) -> None:
    """A session's workspace is seen released before the session is seen ended."""
    reservation = await trial.claim()
    workspace = await trial.workspace(reservation.id)
    session = await trial.adaptor.start_session(reservation.id, SessionPrompt())
    async with watching(trial.adaptor) as watch:
        await trial.end(session.id)
        await watch.until_end(session.id)
        seen = list(watch.seen)
    end = next(place for place, event in enumerate(seen) if ends(session.id)(event))
    released = [
        event
        for event in seen[:end]
        if event.kind is EventKind.WORKSPACE_RELEASED and event.payload.get("id") == workspace.id
    ]
    expect(released, "no workspace_released was seen before the terminal transition")


@PROBES.probe
async def terminal_transition_carries_close_reason(trial: Trial) -> None:
    """The terminal transition says why the session ended."""
    session = await trial.session()
    async with watching(trial.adaptor) as watch:
        await trial.end(session.id)
        event = await watch.until_end(session.id)
    reason = after(event).get("close_reason")
    expect(reason in list(SessionCloseReason), f"its session's close_reason is {reason!r}")


@PROBES.probe
async def subscribe_since_replays(trial: Trial) -> None:
    """With `since`, what happened after that moment is seen first."""
    since = (await trial.adaptor.observed_state()).captured_at - timedelta(milliseconds=1)
    await trial.adaptor.release_reservation((await trial.claim()).id)
    async with watching(trial.adaptor, SubscribeFilter(since=since)) as watch:
        await watch.until(lambda event: True, "event of what happened before subscribing")


@PROBES.probe
async def subscribe_since_includes_its_moment(trial: Trial) -> None:
    """With `since`, what happened at that very moment comes too: several events may share it."""
    async with watching(trial.adaptor) as watch:
        await trial.adaptor.release_reservation((await trial.claim()).id)
        seen = await watch.rest()
    if not seen:
        raise NotApplicable("no event was seen at all")
    since = seen[0].at
    async with watching(trial.adaptor, SubscribeFilter(since=since)) as watch:
        again = {event.id for event in await watch.rest()}
    if not again:
        raise NotApplicable("nothing of what happened before is seen at all")
    lost = [_said(event) for event in seen if event.at >= since and event.id not in again]
    expect(not lost, f"asked for since {since}, not seen again: {', '.join(lost)}")


@PROBES.probe
async def subscribe_respects_its_filter(trial: Trial) -> None:
    """A subscriber sees what its filter admits, all of it and nothing else."""
    mine, other = await trial.session(), await trial.session()
    filter = SubscribeFilter(session_id=mine.id, kinds=(EventKind.SESSION_TRANSITION,))
    async with watching(trial.adaptor) as all, watching(trial.adaptor, filter) as some:
        for session in (other, mine):
            await trial.adaptor.pause_session(session.id, new_nonce())
            await trial.end(session.id)
        admitted = [event.id for event in await all.rest() if filter.admits(event)]
        seen = [event.id for event in some.seen]
    expect(admitted == seen, f"the filter admits the events {admitted}, seen are {seen}")


@PROBES.probe
async def slow_subscriber_sees_a_gap(trial: Trial) -> None:
    """Who does not read in time is told how much was missed, and of which sessions."""
    capacity = trial.subject.event_capacity
    if capacity is None:
        raise NotApplicable("needs the override 'event_capacity'")
    session = await trial.session()
    async with trial.adaptor.subscribe(SubscribeFilter(session_id=session.id)) as events:
        for _ in range(capacity + 1):
            await trial.adaptor.pause_session(session.id, new_nonce())
            await trial.adaptor.resume_session(session.id, new_nonce())
        async with reading(trial.adaptor, events) as watch:
            gap = await watch.until(of_kind(EventKind.GAP), "gap after more than was read")
    missed = gap.payload.get("missed", 0)
    expect(missed > 0, f"the gap says that {missed} events were missed")
    expect(session.id in gap.payload.get("session_ids", ()), f"it does not name {session.id}")


@PROBES.probe
async def subscription_ends_with_its_context(trial: Trial) -> None:
    """Left, a subscription is over: its iterator ends."""
    async with trial.adaptor.subscribe(SubscribeFilter()) as events:
        pass
    over = asyncio.create_task(_exhausted(events))
    done, _ = await asyncio.wait({over}, timeout=trial.manifest.event_delivery.budget)
    over.cancel()
    expect(done, "the iterator of a subscription that was left goes on waiting")


async def _exhausted(events: AsyncIterator[OrchestrationEvent]) -> None:
    async for _ in events:
        pass


def _step(event: OrchestrationEvent) -> int | None:
    """Where in the life of an assignment the event belongs; None: anywhere."""
    if event.kind is EventKind.RESERVATION_CLAIMED:
        return 0
    if event.kind is EventKind.WORKSPACE_ACQUIRED:
        return 1
    if event.kind is not EventKind.SESSION_TRANSITION:
        return None
    status = after(event).get("status")
    if ends(event.session_id or "")(event):
        return 5
    if status == "suspended":
        return 3
    if before(event).get("status") == "suspended":
        return 4
    return None if before(event) else 2


def _said(event: OrchestrationEvent) -> str:
    status = after(event).get("status")
    return f"{event.kind} ({status})" if status else event.kind.value
