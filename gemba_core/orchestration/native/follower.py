"""All logs of the sessions that we keep, folded as they grow, and what happens in them told.

One for each open adaptor: one watcher of the file system for all sessions.
Belongs to the event loop's thread.
"""

import asyncio
import heapq
import os
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import asynccontextmanager

import watchfiles

from gemba_core import home
from gemba_core.errors import LogError
from gemba_core.home import LOG_SUFFIX, make_private_dir, safe_id
from gemba_core.orchestration.event import OrchestrationEvent, SubscribeFilter
from gemba_core.orchestration.feed import CAPACITY, Feed
from gemba_core.orchestration.native import ledger
from gemba_core.orchestration.native.events import Teller
from gemba_core.tail import Position, open_log, read
from gemba_core.translator import SessionState

# Milliseconds between two looks at what the kernel has reported: each of them wakes us.
STEP, SELDOM = 40, 100
# Seconds between full passes, against file events that were dropped.
_FULL_PASS = 2.0
# Seconds between two looks where there are no such events: within the budget of an event.
_POLL = 0.1
# Seconds by which a file's time may lie before that of the frame that was written last: the
# kernel's clock for files goes in steps.
_BEHIND = 1.0


class Follower:
    """What other processes write is seen by the file system's events; `look` spares the wait."""

    def __init__(self, capacity: int = CAPACITY, step: int = STEP) -> None:
        self.feed = Feed(capacity)
        self._step = step
        self._logs: dict[str, _Log] = {}
        self._news = asyncio.Event()

    @asynccontextmanager
    async def following(self) -> AsyncIterator[None]:
        """Follow while the block lasts; what was on record before is not told again."""
        make_private_dir(home.sessions_dir())
        kept = await asyncio.to_thread(ledger.kept)
        names = {safe_id(state.session_id) for state in kept}
        self._logs = await asyncio.to_thread(_as_they_stand, names)
        task = asyncio.create_task(self._follow())
        try:
            yield
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    def state(self, session_id: str) -> SessionState | None:
        """The session as far as its log was read; None for one that we do not keep."""
        log = self._logs.get(safe_id(session_id))
        teller = log.tellers.get(session_id) if log else None
        return teller.state if teller and teller.state.plane else None

    def live(self) -> list[SessionState]:
        """The sessions that have started and not ended."""
        return [
            state
            for state in self._kept()
            if state.plane and state.plane.started_at and not state.plane.ended_at
        ]

    def reserved(self) -> list[SessionState]:
        """The assignments that have no session yet."""
        return [state for state in self._kept() if state.plane and state.plane.is_reserved]

    def _kept(self) -> Iterator[SessionState]:
        for log in self._logs.values():
            for teller in log.tellers.values():
                yield teller.state

    def look(self, session_id: str) -> None:
        """Read what was just written to that session's log, without waiting to be told of it."""
        self._read([safe_id(session_id)])

    async def until(
        self, session_id: str, holds: Callable[[SessionState], bool], timeout: float | None = None
    ) -> SessionState | None:
        """Wait until that holds of the session; None where it does not within `timeout` seconds."""
        try:
            async with asyncio.timeout(timeout):
                while (state := self.state(session_id)) is None or not holds(state):
                    await self._news.wait()
        except TimeoutError:
            return None
        return state

    async def changed(self, timeout: float) -> None:
        """Wait until a log has grown, for `timeout` seconds at most."""
        try:
            async with asyncio.timeout(timeout):
                await self._news.wait()
        except TimeoutError:
            return

    @asynccontextmanager
    async def subscribe(
        self, filter: SubscribeFilter
    ) -> AsyncIterator[AsyncIterator[OrchestrationEvent]]:
        """Events from now on; those since `filter.since` before them, none twice and none left out.

        The replayed ones of different sessions are in the order of their times.
        """
        async with self.feed.subscribe(filter) as live:
            if filter.since is None:
                yield live
                return
            earlier = await asyncio.to_thread(_replayed, filter.since.timestamp())
            yield _both(earlier, filter, live)

    async def _follow(self) -> None:
        try:
            await self._watch()
        except (OSError, RuntimeError):
            # No more watches to be had of the system: as the library says it, or its core.
            while True:
                self._read(_present())
                await asyncio.sleep(_POLL)

    async def _watch(self) -> None:
        changes = watchfiles.awatch(
            home.sessions_dir(),
            step=self._step,
            debounce=self._step,
            rust_timeout=int(_FULL_PASS * 1000),
            yield_on_timeout=True,
            recursive=False,
            watch_filter=_is_log,
        )
        async for some in changes:
            names = [os.path.basename(path).removesuffix(LOG_SUFFIX) for _, path in some]
            self._read(names or _present())

    def _read(self, names: Iterable[str]) -> None:
        grown = False
        for name in names:
            log = self._logs.get(name)
            if log is None:
                log = self._logs[name] = _Log(name)
            for event in log.advance():
                self.feed.publish(event)
            grown = grown or log.has_grown
        if grown:
            # Whoever waits now is woken; who waits from now on waits for the next news.
            news, self._news = self._news, asyncio.Event()
            news.set()


class _Log:
    """One log. A log of ours begins with a reservation: another one is not read any further."""

    def __init__(self, name: str, *, is_foreign: bool = False) -> None:
        self.tellers: dict[str, Teller] = {}
        self.offset = 0
        self.has_grown = False
        self._path = os.path.join(home.sessions_dir(), name + LOG_SUFFIX)
        self._name = name
        self._is_foreign = is_foreign

    def advance(self) -> Iterator[OrchestrationEvent]:
        """Read what is new, and tell it."""
        self.has_grown = False
        if self._is_foreign:
            return
        try:
            fd = open_log(self._path)
        except LogError:
            return  # whoever catches up the index says so
        if fd is None:
            return
        try:
            if os.fstat(fd).st_size == self.offset:
                return
            for batch in read(fd, Position(self.offset)):
                for frame in batch.frames:
                    if safe_id(frame.session_id) == self._name:
                        teller = self.tellers.get(frame.session_id) or self._new(frame.session_id)
                        yield from teller.tell(frame)
                self.has_grown = True
                self.offset = batch.offset
                self._is_foreign = all(one.state.plane is None for one in self.tellers.values())
                if self._is_foreign:
                    return
        finally:
            os.close(fd)

    def _new(self, session_id: str) -> Teller:
        return self.tellers.setdefault(session_id, Teller(session_id))


def _as_they_stand(kept: set[str]) -> dict[str, _Log]:
    """The logs that are there; those that are not kept, or ended, are foreign from now on."""
    logs = {name: _Log(name, is_foreign=name not in kept) for name in _present()}
    for log in logs.values():
        for _ in log.advance():
            pass  # it was told when it happened
    return logs


def _replayed(since: float) -> list[OrchestrationEvent]:
    """All that is on record of the sessions that we keep, and of logs that grew since then."""
    told = [_rising(_Log(name).advance()) for name in _present() if _grew(name, since)]
    return [event for _, _, event in heapq.merge(*told)]


def _grew(name: str, since: float) -> bool:
    path = os.path.join(home.sessions_dir(), name + LOG_SUFFIX)
    try:
        return os.stat(path).st_mtime >= since - _BEHIND
    except OSError:
        return False


def _rising(
    events: Iterable[OrchestrationEvent],
) -> list[tuple[float, str, OrchestrationEvent]]:
    """The events in their log's order, each no earlier than the one before it."""
    at, rising = 0.0, []
    for number, event in enumerate(events):
        at = max(at, event.at.timestamp())
        rising.append((at, f"{event.assignment_id}:{number:09}", event))
    return rising


async def _both(
    earlier: list[OrchestrationEvent],
    filter: SubscribeFilter,
    live: AsyncIterator[OrchestrationEvent],
) -> AsyncIterator[OrchestrationEvent]:
    earlier = [event for event in earlier if filter.replays(event)]
    for event in earlier:
        yield event
    told = {event.id for event in earlier}
    async for event in live:
        # What happened while the logs were read again has come in both ways.
        if event.id not in told:
            yield event


def _present() -> list[str]:
    try:
        names = os.listdir(home.sessions_dir())
    except FileNotFoundError:
        return []
    return [name.removesuffix(LOG_SUFFIX) for name in names if name.endswith(LOG_SUFFIX)]


def _is_log(_: watchfiles.Change, path: str) -> bool:
    return path.endswith(LOG_SUFFIX)
