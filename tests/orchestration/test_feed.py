"""Events to subscribers: in order, to those that want them, and never lost silently."""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

from gemba_core.orchestration.event import EventKind, OrchestrationEvent, SubscribeFilter
from gemba_core.orchestration.feed import Feed

_START = datetime(2030, 1, 2, tzinfo=UTC)


def _event(number: int, session_id: str = "s") -> OrchestrationEvent:
    return OrchestrationEvent(
        id=f"event-{number}",
        kind=EventKind.SESSION_TRANSITION,
        at=_START + timedelta(seconds=number),
        session_id=session_id,
    )


async def _seen(
    feed: Feed, count: int, filter: SubscribeFilter | None = None, published: int = 3
) -> list[OrchestrationEvent]:
    """The first events that a subscriber gets who reads after all were published."""
    async with feed.subscribe(filter or SubscribeFilter()) as events:
        for number in range(published):
            feed.publish(_event(number, session_id=f"s{number % 2}"))
        return [await anext(events) for _ in range(count)]


def test_events_come_in_their_order() -> None:
    """As they were published."""
    seen = asyncio.run(_seen(Feed(), 3))
    assert [event.id for event in seen] == ["event-0", "event-1", "event-2"]


def test_a_filter_leaves_out_the_others() -> None:
    """Here the sessions that were not asked for."""
    seen = asyncio.run(_seen(Feed(), 2, SubscribeFilter(session_id="s0")))
    assert [event.id for event in seen] == ["event-0", "event-2"]


def test_a_full_queue_becomes_one_gap() -> None:
    """It says how many events it stands for, and which sessions to read again."""
    (gap,) = asyncio.run(_seen(Feed(capacity=2), 1))
    assert gap.kind is EventKind.GAP
    assert gap.payload == {"missed": 3, "session_ids": ["s0", "s1"]}


def test_a_gap_counts_the_gaps_in_it() -> None:
    """Whatever was missed is counted once, and what came after it is there."""
    seen = asyncio.run(_seen(Feed(capacity=2), 2, published=6))
    assert seen[0].payload["missed"] + 1 == 6
    assert seen[1].id == "event-5"


def test_a_gap_passes_every_filter() -> None:
    """Also one that asks for other kinds: what was missed may have been of them."""
    filter = SubscribeFilter(kinds=(EventKind.SESSION_TRANSITION,))
    (gap,) = asyncio.run(_seen(Feed(capacity=2), 1, filter))
    assert gap.kind is EventKind.GAP


def test_what_was_before_comes_first() -> None:
    """What happened at `since` or later; then what happens, whatever time it bears."""

    async def seen() -> list[str]:
        feed = Feed()
        earlier = [_event(number) for number in range(3)]
        since = SubscribeFilter(since=earlier[1].at)
        async with feed.subscribe(since, earlier) as events:
            feed.publish(_event(-1))
            return [(await anext(events)).id for _ in range(3)]

    assert asyncio.run(seen()) == ["event-1", "event-2", "event--1"]


def test_nothing_comes_again_that_was_not_asked_for() -> None:
    """Without `since`, only what happens from now on."""

    async def seen() -> str:
        feed = Feed()
        async with feed.subscribe(SubscribeFilter(), [_event(0)]) as events:
            feed.publish(_event(1))
            return (await anext(events)).id

    assert asyncio.run(seen()) == "event-1"


def test_a_subscription_that_was_left_is_gone() -> None:
    """Its iterator ends, and it costs the feed nothing any more."""

    async def left() -> tuple[list[str], int]:
        feed = Feed()
        async with feed.subscribe(SubscribeFilter()) as events:
            feed.publish(_event(0))
        feed.publish(_event(1))
        return [event.id async for event in events], feed.subscribers

    assert asyncio.run(left()) == (["event-0"], 0)


def test_a_waiting_subscriber_is_woken_by_the_end() -> None:
    """It does not wait for an event that never comes."""

    async def woken() -> list[OrchestrationEvent]:
        feed = Feed()
        async with feed.subscribe(SubscribeFilter()) as events:
            reader = asyncio.create_task(_all(events))
            await asyncio.sleep(0)  # it begins to wait
        return await asyncio.wait_for(reader, 10)

    assert asyncio.run(woken()) == []


async def _all(events: AsyncIterator[OrchestrationEvent]) -> list[OrchestrationEvent]:
    return [event async for event in events]
