"""A subscriber that remembers what it saw."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Any

from gemba_core.orchestration.adaptor import OrchestrationPlaneAdaptor
from gemba_core.orchestration.event import EventKind, OrchestrationEvent, SubscribeFilter
from gemba_core.orchestration.session import SessionStatus
from gemba_core.testing.outcome import NotApplicable, Unmet

# Seconds for what agents do, which the contract sets no budget for.
UNASKED = 5.0
_TERMINAL = tuple(status.value for status in SessionStatus if status.is_terminal)

Wanted = Callable[[OrchestrationEvent], bool]


class Watch:
    """Events in the order in which they were seen."""

    def __init__(self, budget: float) -> None:
        self.seen: list[OrchestrationEvent] = []
        self._budget = budget
        self._arrived = asyncio.Event()

    async def read(self, events: AsyncIterator[OrchestrationEvent]) -> None:
        """Take them as they come, to the end."""
        async for event in events:
            self.seen.append(event)
            self._arrived.set()

    async def until(
        self, wanted: Wanted, what: str, *, within: float | None = None
    ) -> OrchestrationEvent:
        """The first such event.

        Raises Unmet naming `what` if it is not seen within so many seconds, by
        default those of the manifest's budget.
        """
        seconds = self._budget if within is None else within
        event = await self._first(wanted, seconds)
        if event is None:
            raise Unmet(f"no {what} within {seconds:g} s")
        return event

    async def until_end(self, session_id: str) -> OrchestrationEvent:
        """The session's terminal transition.

        Raises NotApplicable if it is not seen: that it must be is a probe of its own.
        """
        event = await self._first(ends(session_id), self._budget)
        if event is None:
            raise NotApplicable("the end of the session was not seen at all")
        return event

    async def _first(self, wanted: Wanted, seconds: float) -> OrchestrationEvent | None:
        deadline = asyncio.get_running_loop().time() + seconds
        while True:
            # The clock is read first: what came while the machine stood still still counts.
            left = deadline - asyncio.get_running_loop().time()
            self._arrived.clear()
            for event in self.seen:
                if wanted(event):
                    return event
            if left <= 0:
                return None
            with suppress(TimeoutError):
                await asyncio.wait_for(self._arrived.wait(), left)

    async def rest(self) -> list[OrchestrationEvent]:
        """All that was seen, once the budget for what has happened by now is over."""
        await asyncio.sleep(self._budget)
        return list(self.seen)


@asynccontextmanager
async def watching(
    adaptor: OrchestrationPlaneAdaptor, filter: SubscribeFilter | None = None
) -> AsyncIterator[Watch]:
    """Subscribed and reading while the block lasts."""
    async with (
        adaptor.subscribe(filter or SubscribeFilter()) as events,
        reading(adaptor, events) as watch,
    ):
        yield watch


@asynccontextmanager
async def reading(
    adaptor: OrchestrationPlaneAdaptor, events: AsyncIterator[OrchestrationEvent]
) -> AsyncIterator[Watch]:
    """Reading, while the block lasts, what was subscribed to before.

    Raises Unmet if the subscription itself breaks.
    """
    watch = Watch(adaptor.describe().event_delivery.budget)
    task = asyncio.create_task(watch.read(events))
    try:
        yield watch
    finally:
        task.cancel()
        (broken,) = await asyncio.gather(task, return_exceptions=True)
        if isinstance(broken, Exception):
            raise Unmet(f"the subscription broke: {type(broken).__name__}: {broken}")


def ends(session_id: str) -> Wanted:
    """Whether the event is the session's terminal transition."""
    return lambda event: event.session_id == session_id and after(event).get("status") in _TERMINAL


def of_kind(kind: EventKind) -> Wanted:
    """Whether the event is of that kind."""
    return lambda event: event.kind is kind


def before(event: OrchestrationEvent) -> Mapping[str, Any]:
    """The session as it was before a transition; empty where it began, or for another event."""
    return _payload(event).get("before") or {}


def after(event: OrchestrationEvent) -> Mapping[str, Any]:
    """The session as it is after a transition; empty for another event."""
    return _payload(event).get("after") or {}


def _payload(event: OrchestrationEvent) -> Mapping[str, Any]:
    return event.payload if event.kind is EventKind.SESSION_TRANSITION else {}
