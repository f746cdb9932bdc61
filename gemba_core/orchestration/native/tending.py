"""What time brings: answers for our agents, reservations that are over, files changed twice,
sessions that idle."""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from typing import ParamSpec, TypeVar

from gemba_core import home
from gemba_core.errors import GembaError
from gemba_core.frame.vocabulary import DUE
from gemba_core.home import safe_id
from gemba_core.inbox.held import Held
from gemba_core.lifelock import is_held
from gemba_core.orchestration.native import (
    claims,
    conflicts,
    frames,
    ledger,
    places,
    worktree_record,
)
from gemba_core.orchestration.native.follower import Follower
from gemba_core.orchestration.native.panes import PaneServer
from gemba_core.orchestration.native.reaper import reap
from gemba_core.orchestration.native.sessions import Sessions
from gemba_core.orchestration.native.worktree_record import Stage
from gemba_core.orchestration.step import whole
from gemba_core.settings import idle_timeout
from gemba_core.translator import SessionState

P = ParamSpec("P")
T = TypeVar("T")

# Seconds between two passes, two deliveries, and two comparisons of worktrees.
_PASS, _DELIVERY, _COMPARISON = 1.0, 0.2, 5.0
# Of many worktrees a comparison takes long: it is to take a small part of the time.
_SHARE = 0.05


class Tending:
    """For the sessions that this process keeps; with `mends`, for those too that nobody keeps.

    What fails is tried again at the next pass.
    """

    def __init__(
        self, follower: Follower, sessions: Sessions, server: PaneServer, *, mends: bool
    ) -> None:
        self._mends = mends
        self._server = server
        self._follower = follower
        self._sessions = sessions
        self._held = Held()
        self._told: set[tuple[str, str]] = set()

    async def run(self) -> None:
        """Until it is cancelled."""
        compare_at = 0.0
        while True:
            with suppress(GembaError, OSError):
                await self._expire()
                await self._deliver()
            began = time.monotonic()
            if began >= compare_at:
                with suppress(GembaError, OSError):
                    await self._mend()
                    await self._reap()
                    await self._compare()
                took = time.monotonic() - began
                compare_at = began + max(_COMPARISON, took / _SHARE)
            await asyncio.sleep(_DELIVERY)
            await self._follower.changed(_PASS)

    async def _expire(self) -> None:
        for state in self._follower.reserved():
            if state.plane is not None and claims.has_expired(state.plane):
                await _done(claims.give_back, state.session_id, "expired")
                self._follower.look(state.session_id)

    async def _deliver(self) -> None:
        """Bring their answers to our agents, as a watch does; an idle one is typed to."""
        own = {state.session_id for state in self._own() if _has_due(state)}
        if own:
            names = set(map(safe_id, own))
            await _done(ledger.ask, lambda index: self._held.deliver(index, names))

    async def _mend(self) -> None:
        """Take over the sessions whose owner has died, or could not end them."""
        for state in self._follower.live() if self._mends else ():
            if not is_held(places.scope_lock_path(state.session_id)):
                await self._sessions.adopt(state.session_id)

    async def _reap(self) -> None:
        """End those of our sessions in which nothing happens any more, if the operator says so."""
        given, _ = await asyncio.to_thread(idle_timeout, home.config_path())
        if given is not None:
            await reap(self._sessions, self._server, given, among=self._sessions.own)

    async def _compare(self) -> None:
        own = {state.session_id for state in self._own()}
        if not own:
            return
        for path, ids in await _done(_overlaps):
            for id in own.intersection(ids):
                if (id, path) not in self._told:
                    self._told.add((id, path))
                    line = frames.conflict(id, path, list(ids))
                    await _done(ledger.append_if, id, lambda *_, line=line: line)
                    self._follower.look(id)

    def _own(self) -> list[SessionState]:
        own = self._sessions.own
        return [state for state in self._follower.live() if state.session_id in own]


async def _done(work: Callable[P, T], *args: P.args, **named: P.kwargs) -> T:
    """In a thread, to its end: whoever leaves the adaptor leaves nobody at work behind."""
    return await whole(asyncio.ensure_future(asyncio.to_thread(work, *args, **named)))


def _has_due(state: SessionState) -> bool:
    return any(answer.status in DUE for answer in state.answers.values())


def _overlaps() -> list[tuple[str, tuple[str, ...]]]:
    with ledger.boundary():
        return conflicts.found(
            one for one in worktree_record.all_found() if one.stage is Stage.READY
        )
