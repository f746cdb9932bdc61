"""Running time is metered, pauses are not; the sum is the session's and the assignment's."""

import asyncio
from pathlib import Path

from gemba_core.orchestration.event import EventKind, OrchestrationEvent
from gemba_core.orchestration.native import records
from gemba_core.orchestration.native.adaptor import NativeAdaptor
from gemba_core.orchestration.native.scope import sample
from gemba_core.orchestration.scope import new_nonce
from tests.builders import plane, told
from tests.orchestration.native.scene import ended, eventually, hook, seeing, started, within

STARTED = (plane("Reservation", "claimed"), plane("Session", "start"))


def samples(events: list[OrchestrationEvent]) -> list[float]:
    """The seconds of each sample that was seen."""
    kind = EventKind.COST_SAMPLE
    return [event.payload["wallclock_seconds"] for event in events if event.kind is kind]


def test_a_turns_end_brings_a_sample(root: Path) -> None:
    """While the session goes on."""

    async def seen(adaptor: NativeAdaptor) -> None:
        async with seeing(adaptor) as events:
            session = await started(adaptor)
            for name in ("UserPromptSubmit", "Stop"):
                await asyncio.to_thread(hook, session.id, name)
            await eventually(lambda: samples(events), what="a sample")

    within(root, seen)


def test_the_samples_add_up_to_the_meter(root: Path) -> None:
    """The last one comes with the end, before it is seen."""

    async def seen(adaptor: NativeAdaptor) -> None:
        async with seeing(adaptor) as events:
            session = await started(adaptor)
            await adaptor.pause_session(session.id, new_nonce())
            await adaptor.resume_session(session.id, new_nonce())
            over = await ended(adaptor, session.id)
            found = samples(events)
            assert len(found) == 2
            assert events[-1].kind is EventKind.SESSION_TRANSITION
        [total] = over.cost_samples
        assert total.wallclock_seconds == sum(found)
        observed = await adaptor.observed_state()
        [meter] = [one.cost for one in observed.assignments if one.id == session.id]
        assert meter is not None
        assert meter.wallclock_seconds == sum(found)

    within(root, seen)


def test_a_paused_session_costs_no_time() -> None:
    """There is nothing to sample."""
    state = told(*STARTED, plane("Session", "pause", nonce="n")).state
    assert sample(state, records.plane_of(state)) == b""


def test_a_session_that_has_ended_costs_no_time() -> None:
    """However long ago that was."""
    state = told(*STARTED, plane("Session", "ended")).state
    assert sample(state, records.plane_of(state)) == b""


def test_estimates_of_others_are_aggregated() -> None:
    """Whoever knows what was spent puts it on record as a sample."""
    spent = plane("Cost", tokens=10, dollars_est=0.5)
    meter = records.assignment(told(*STARTED, spent, spent).state).cost
    assert meter is not None
    assert (meter.tokens_total, meter.dollars_est) == (20, 1.0)
