"""From a mutation of the native adaptor to its event, in this process and in another one."""

import asyncio
import statistics
from collections.abc import AsyncIterator, Awaitable, Iterator
from contextlib import asynccontextmanager

from bench.environment import Workshop
from bench.figure import Figure
from gemba_core.orchestration.event import (
    EventDelivery,
    EventKind,
    OrchestrationEvent,
    SubscribeFilter,
)
from gemba_core.orchestration.native.adaptor import NativeAdaptor
from gemba_core.orchestration.native.opening import open_native
from gemba_core.orchestration.scope import new_nonce
from gemba_core.orchestration.session import SessionEndMode, SessionPrompt
from gemba_core.testing.native import NativeSubject

_SESSIONS = 10
# With a claim, a start and an end, 20 mutations for each session.
_PAUSES = 8
_PATIENCE = 10.0
# Of these each mutation here has exactly one.
_ONE_EACH = (EventKind.RESERVATION_CLAIMED, EventKind.SESSION_TRANSITION)


def measure(_: Workshop) -> Iterator[Figure]:
    """Milliseconds from the return of 200 mutations, each alone, to their events."""
    own, other = asyncio.run(_latencies())
    budget = 1000 * EventDelivery.PUSH.budget
    for name, found in (("own process", own), ("another process", other)):
        ordered = sorted(found)
        for label, value in (
            ("p50", statistics.median(ordered)),
            ("p99", ordered[int(len(ordered) * 0.99) - 1]),
            ("max", ordered[-1]),
        ):
            yield Figure(
                name=f"orchestration, event in {name}, {label} of {len(ordered)}",
                value=1000 * value,
                unit="ms",
                at_most=budget,
            )


async def _latencies() -> tuple[list[float], list[float]]:
    own, other = _Arrivals(), _Arrivals()
    subject = NativeSubject()
    # The second adaptor knows of what the first does by the file system alone.
    async with (
        subject.adaptor() as adaptor,
        open_native(subject.repository, mend=False) as elsewhere,
        own.reading(adaptor),
        other.reading(elsewhere),
    ):
        for _ in range(_SESSIONS):
            for mutation in _mutations(adaptor):
                await mutation
                returned = asyncio.get_running_loop().time()
                await own.next_after(returned)
                await other.next_after(returned)
    return own.latencies, other.latencies


def _mutations(adaptor: NativeAdaptor) -> Iterator[Awaitable[object]]:
    """Each to be awaited before the next is asked for."""
    ids: list[str] = []

    async def claim() -> None:
        ids.append((await adaptor.assign("sh")).id)

    yield claim()
    [id] = ids
    yield adaptor.start_session(id, SessionPrompt())
    for _ in range(_PAUSES):
        yield adaptor.pause_session(id, new_nonce())
        yield adaptor.resume_session(id, new_nonce())
    yield adaptor.end_session(id, SessionEndMode.COMPLETED, new_nonce())
    yield claim()


class _Arrivals:
    """When the events of mutations were seen, of which one is made at a time."""

    def __init__(self) -> None:
        self.latencies: list[float] = []
        self._seen: asyncio.Queue[float] = asyncio.Queue()

    @asynccontextmanager
    async def reading(self, adaptor: NativeAdaptor) -> AsyncIterator[None]:
        """Subscribed while the block lasts."""
        async with adaptor.subscribe(SubscribeFilter(kinds=_ONE_EACH)) as events:
            task = asyncio.create_task(self._read(events))
            try:
                yield
            finally:
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)

    async def next_after(self, returned: float) -> None:
        """Wait for the event of the mutation that returned then."""
        async with asyncio.timeout(_PATIENCE):
            seen = await self._seen.get()
        self.latencies.append(max(seen - returned, 0.0))

    async def _read(self, events: AsyncIterator[OrchestrationEvent]) -> None:
        async for _ in events:
            self._seen.put_nowait(asyncio.get_running_loop().time())
