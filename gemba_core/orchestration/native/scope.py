"""One session's scope: what belongs to it, and how all of it is released.

Whoever holds the scope's lock works on it. Every step can be done again: who
takes over from an owner that died begins anew.
"""

import asyncio
import os
import signal
import time
from collections.abc import Callable
from datetime import UTC, datetime

from gemba_core import home
from gemba_core.clients import client_of
from gemba_core.frame.text import one_line
from gemba_core.inbox.address import pane_of_session
from gemba_core.lifelock import LifeLock, is_held
from gemba_core.orchestration.error import AdaptorError, ErrorKind
from gemba_core.orchestration.native import (
    frames,
    launching,
    ledger,
    members,
    places,
    records,
    workspaces,
)
from gemba_core.orchestration.native.panes import PaneServer
from gemba_core.orchestration.session import SessionCloseReason, SessionEndMode, SessionStatus
from gemba_core.panes import name_of
from gemba_core.processes import is_alive
from gemba_core.translator import SessionState
from gemba_core.translator.state import Plane

# Seconds that an agent has after each of its client's keys for leaving, and after SIGTERM, and
# that what is killed has to be gone.
_AFTER_KEY, _AFTER_TERM, _AFTER_KILL = 0.5, 2.0, 5.0
# For what started the agent to say how that ended; where it was killed itself, a shell's word.
_STATUS, _KILLED = 1.0, 137
_POLL = 0.02


class Scope:
    """That of one session, held by us while `lock` is."""

    def __init__(self, session_id: str, server: PaneServer) -> None:
        self.session_id = session_id
        self.lock = LifeLock(places.scope_lock_path(session_id))
        self._server = server

    @property
    def lock_name(self) -> str:
        """The lock's file below the home, as it goes on the record."""
        return os.path.relpath(self.lock.path, home.home())

    async def release(self, state: SessionState) -> SessionState:
        """End whatever belongs to the session, and say so last. Gives the state after that.

        That it is to end, and why, is on the record already. Raises AdaptorError:
        then a part is left, and this can be called again.
        """
        await self._end_agent(state)
        left = await asyncio.to_thread(self._clear)
        if left:
            # Not ours to kill: nobody but the person can help.
            told = ", ".join(map(str, sorted(left)))
            raise AdaptorError(
                ErrorKind.PROCESS_FAILED,
                f"{self.session_id}: these processes cannot be ended: {told}",
            )
        await asyncio.to_thread(release_workspace, self.session_id)
        await asyncio.to_thread(launching.forget, self.session_id)
        # Before the end is seen, and not after it: who sees it may count on nothing being left.
        self.lock.release()
        return await asyncio.to_thread(ledger.append_if, self.session_id, self._ended)

    def closing(self, state: SessionState, nonce: str | None = None) -> ledger.Choose:
        """To put on record how it ended by itself: its agent is gone, and nobody asked.

        Blocking. Raises AdaptorError.
        """
        if pane_of_session(state) is None:
            return _broken_off("its pane never opened", nonce)
        status = self._exit_status()
        if status is None:
            return _broken_off("its pane is gone, and how its agent ended is not known", nonce)
        words = self._last_words() if status else ""
        detail = f"exit {status}" + (f": {words}" if words else "") if status else None
        mode = SessionEndMode.FAILED if status else SessionEndMode.COMPLETED
        return to_end(mode, SessionCloseReason.PROVIDER_EXIT, nonce, detail)

    def _exit_status(self) -> int | None:
        """How its agent ended; None where that is not to be known."""
        deadline = time.monotonic() + _STATUS
        while (status := launching.exit_status(self.session_id)) is None:
            if time.monotonic() >= deadline:
                pane = self._server.panes().get(name_of(self.session_id))
                return _KILLED if pane is not None and pane.is_dead else None
            time.sleep(_POLL)
        return status

    def _last_words(self) -> str:
        """The last line that its pane shows; empty where there is none."""
        text = self._server.transcript(self.session_id) or ""
        lines = [line for line in text.splitlines() if line.strip()]
        # The pane's own remark that its program has ended.
        lines = [line for line in lines if not line.startswith("Pane is dead")]
        return one_line(lines[-1]) if lines else ""

    async def settle(self, state: SessionState) -> None:
        """Stop or continue its processes, as the record says by now."""
        while True:
            number = signal.SIGSTOP if records.plane_of(state).paused else signal.SIGCONT
            await asyncio.to_thread(self._signal, number)
            now = await asyncio.to_thread(ledger.read, self.session_id, "session")
            if records.plane_of(now).paused == records.plane_of(state).paused:
                return
            state = now

    def _signal(self, number: signal.Signals) -> None:
        members.send(number, members.members(self.session_id))

    async def _end_agent(self, state: SessionState) -> None:
        """By its client's own keys, if it has any; then by SIGTERM."""
        agent = agent_of(state)

        def is_gone() -> bool:
            return agent is None or not is_alive(agent)

        if is_gone():
            return
        await asyncio.to_thread(self._signal, signal.SIGCONT)
        for key in client_of(state.agent_type).quit_keys:
            await asyncio.to_thread(self._server.press, self.session_id, key)
            if await _within(_AFTER_KEY, is_gone):
                return
        await asyncio.to_thread(self._signal, signal.SIGTERM)
        await _within(_AFTER_TERM, is_gone)

    def _clear(self) -> set[int]:
        """Kill what is left of it and close its pane; what could not be killed."""
        pane = self._server.panes().get(name_of(self.session_id))
        roots = (pane.pid,) if pane and not pane.is_dead else ()
        left = members.clear(self.session_id, *roots, patience=_AFTER_KILL)
        self._server.close(self.session_id)
        return left

    def _ended(self, state: SessionState, plane: Plane) -> bytes:
        if plane.ended_at is not None:
            return b""
        failed = plane.ending == SessionEndMode.FAILED
        after = SessionStatus.FAILED if failed else SessionStatus.COMPLETED
        before = records.status(state)
        return sample(state, plane) + frames.ended(self.session_id, before=before, after=after)


def agent_of(state: SessionState) -> tuple[int, int] | None:
    """The process that was started in its pane."""
    address = pane_of_session(state)
    return address.agent if address else None


def is_gone(state: SessionState) -> bool:
    """Whether the agent of its pane has ended; before the pane is there it has not begun."""
    agent = agent_of(state)
    return pane_of_session(state) is not None and (agent is None or not is_alive(agent))


def is_lost(id: str) -> bool:
    """Whether its agent has ended and nobody is there to see it; of one that has not ended.

    Blocking. Raises AdaptorError.
    """
    if is_held(places.scope_lock_path(id)):
        return False
    # Not before: whoever keeps it puts its end on record, and then lets go of the lock.
    state = ledger.read(id, "session")
    agent = agent_of(state)
    return records.plane_of(state).ending is None and (agent is None or not is_alive(agent))


def sample(state: SessionState, plane: Plane) -> bytes:
    """The line that says how long it ran since the last one; empty where it did not run."""
    if plane.metered_at is None or plane.paused or plane.ended_at is not None:
        return b""
    now = datetime.now(UTC)
    seconds = (now - records.moment(plane.metered_at)).total_seconds()
    return frames.spent(state.session_id, at=now, seconds=max(seconds, 0.0))


def to_end(
    mode: SessionEndMode,
    reason: SessionCloseReason,
    nonce: str | None = None,
    detail: str | None = None,
) -> ledger.Choose:
    """To put on record that it is to end so; the first who says so is right."""

    def choose(state: SessionState, plane: Plane) -> bytes:
        if plane.ending is not None or plane.ended_at is not None:
            return b""
        before = records.status(state)
        return frames.ending(
            state.session_id, mode=mode, reason=reason, before=before, nonce=nonce, detail=detail
        )

    return choose


def _broken_off(detail: str, nonce: str | None) -> ledger.Choose:
    return to_end(SessionEndMode.FAILED, SessionCloseReason.TRANSPORT_ERROR, nonce, detail)


def release_workspace(id: str) -> None:
    """Give the assignment's workspace back, and say so; also one that never came on record.

    Whoever calls is alone at work on it (`alone`). Nothing is no error. Blocking.
    Raises AdaptorError.
    """
    held = records.held_workspace(ledger.read(id, "assignment"))
    with ledger.boundary():
        if held is None:
            workspaces.clear(id)
            return
        released = workspaces.release(held)

    def choose(state: SessionState, _: Plane) -> bytes:
        now = records.held_workspace(state)
        return frames.released(id, released, before=now.status) if now else b""

    ledger.append_if(id, choose)


def after_turn(id: str) -> None:
    """What a turn's end brings: its running time on record, its commits on their branch. Blocking.

    Raises AdaptorError.
    """
    held = records.held_workspace(ledger.append_if(id, sample))
    if held is not None:
        with ledger.boundary():
            workspaces.land(held)


async def _within(seconds: float, holds: Callable[[], bool]) -> bool:
    """Whether that comes true within so many seconds."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + seconds
    while not holds():
        if loop.time() >= deadline:
            return False
        await asyncio.sleep(_POLL)
    return True
