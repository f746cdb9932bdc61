"""The owner of one session's scope, while the session lives: one task for each."""

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from functools import partial

from gemba_core.orchestration.error import AdaptorError
from gemba_core.orchestration.native import ledger, records
from gemba_core.orchestration.native.exits import exited
from gemba_core.orchestration.native.follower import Follower
from gemba_core.orchestration.native.scope import Scope, after_turn, agent_of
from gemba_core.orchestration.step import whole
from gemba_core.translator import SessionState


class Keeper:
    """Keeps a session until it has ended; `scope`'s lock is ours as long as the task runs."""

    def __init__(self, scope: Scope, follower: Follower) -> None:
        self.scope = scope
        self._follower = follower
        self._id = scope.session_id

    async def keep(self) -> None:
        """Wait for the agent's own end, or for anybody's request to end it, and release all of it.

        Cancelled, it releases nothing but the lock: another owner can take over.
        Raises AdaptorError where something cannot be released.
        """
        try:
            await _first(self._gone(), self._asked(), self._turns())
            state = await asyncio.to_thread(ledger.read, self._id, "session")
            await self.scope.release(state)
        finally:
            self.scope.lock.release()
            self._follower.look(self._id)

    async def _gone(self) -> None:
        """The agent has ended: by itself, if nobody asked for it."""
        state = await asyncio.to_thread(ledger.read, self._id, "session")
        agent = agent_of(state)
        if agent is not None:
            await exited(agent)
        closing = await asyncio.to_thread(self.scope.closing, state)
        await asyncio.to_thread(ledger.append_if, self._id, closing)

    async def _asked(self) -> None:
        await self._follower.until(self._id, _is_ending)

    async def _turns(self) -> None:
        # By their number: a short turn begins and ends between two looks.
        known = 0
        while True:
            state = await self._follower.until(self._id, partial(_has_ended_more, known))
            assert state is not None  # it waits for as long as it takes
            known = _ended_turns(state)
            # What fails comes with the next turn's end, or with the session's. Whole: nobody may
            # release the workspace, or the lock, while a thread of ours is at work in it.
            with suppress(AdaptorError):
                await whole(asyncio.ensure_future(asyncio.to_thread(after_turn, self._id)))


def _has_ended_more(turns: int, state: SessionState) -> bool:
    return _ended_turns(state) > turns


def _ended_turns(state: SessionState) -> int:
    return state.turn.number - state.turn.open


def _is_ending(state: SessionState) -> bool:
    plane = records.plane_of(state)
    return plane.ending is not None or plane.ended_at is not None


async def _first(*waits: Coroutine[object, object, None]) -> None:
    """Wait for the first of them to come true, and for no other."""
    tasks = [asyncio.create_task(wait) for wait in waits]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
