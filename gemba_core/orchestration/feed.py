"""Events to their subscribers, through queues that are bounded.

For adaptors: whatever they learn, they publish here once. Not for several
threads: publish in the event loop that the subscribers live in.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from datetime import UTC, datetime

from gemba_core.orchestration.event import EventKind, OrchestrationEvent, SubscribeFilter

CAPACITY = 1000


class Feed:
    """All subscriptions of one adaptor."""

    def __init__(self, capacity: int = CAPACITY) -> None:
        self._capacity = capacity
        self._queues: set[_Queue] = set()

    def publish(self, event: OrchestrationEvent) -> None:
        """Give it to every subscriber that wants it. Never blocks."""
        for queue in self._queues:
            queue.put(event)

    @asynccontextmanager
    async def subscribe(
        self, filter: SubscribeFilter, earlier: Iterable[OrchestrationEvent] = ()
    ) -> AsyncIterator[AsyncIterator[OrchestrationEvent]]:
        """Subscribed while the block lasts; the `earlier` ones that it replays come first."""
        queue = _Queue(filter, self._capacity)
        for event in (one for one in earlier if filter.replays(one)):
            queue.put(event)
        self._queues.add(queue)
        try:
            yield queue
        finally:
            self._queues.discard(queue)
            queue.close()

    @property
    def subscribers(self) -> int:
        """How many there are."""
        return len(self._queues)


class _Queue:
    """One subscriber's events; when it is full, they make place for a gap."""

    def __init__(self, filter: SubscribeFilter, capacity: int) -> None:
        self._filter = filter
        self._capacity = capacity
        self._events: deque[OrchestrationEvent] = deque()
        self._ready = asyncio.Event()
        self._closed = False

    def put(self, event: OrchestrationEvent) -> None:
        if not self._filter.admits(event):
            return
        if len(self._events) >= self._capacity:
            lost = [*self._events, event]
            self._events.clear()
            event = _gap(lost)
        self._events.append(event)
        self._ready.set()

    def close(self) -> None:
        self._closed = True
        self._ready.set()

    def __aiter__(self) -> AsyncIterator[OrchestrationEvent]:
        return self

    async def __anext__(self) -> OrchestrationEvent:
        while not self._events:
            if self._closed:
                raise StopAsyncIteration
            self._ready.clear()
            await self._ready.wait()
        return self._events.popleft()


def _gap(lost: list[OrchestrationEvent]) -> OrchestrationEvent:
    """One event in the place of many: a gap before it counts with what it stood for."""
    missed = sum(int(event.payload.get("missed", 1)) for event in lost)
    sessions = {event.session_id for event in lost if event.session_id}
    for event in lost:
        sessions.update(event.payload.get("session_ids", ()))
    return OrchestrationEvent(
        id=f"gap-{lost[-1].id}",
        kind=EventKind.GAP,
        at=datetime.now(UTC),
        payload={"missed": missed, "session_ids": sorted(sessions)},
    )
