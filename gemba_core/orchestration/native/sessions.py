"""Sessions from their start to their end, and who of us keeps which."""

import asyncio
import time
from collections.abc import Callable
from functools import partial

from gemba_core.launch import announce
from gemba_core.orchestration.error import AdaptorError, ErrorKind, not_found
from gemba_core.orchestration.native import frames, ledger, records, workspaces
from gemba_core.orchestration.native.alone import take
from gemba_core.orchestration.native.claims import check_open, check_reserved
from gemba_core.orchestration.native.follower import Follower
from gemba_core.orchestration.native.keeper import Keeper
from gemba_core.orchestration.native.launching import open_pane
from gemba_core.orchestration.native.panes import PaneServer
from gemba_core.orchestration.native.project import Project
from gemba_core.orchestration.native.scope import Scope, agent_of, is_gone, sample, to_end
from gemba_core.orchestration.scope import new_nonce
from gemba_core.orchestration.session import (
    ConfirmNonce,
    Session,
    SessionCloseReason,
    SessionEndMode,
    SessionPrompt,
    SessionStatus,
)
from gemba_core.processes import is_alive
from gemba_core.translator import SessionState
from gemba_core.translator.state import Plane

# Seconds between two looks at whether another process still keeps the session that it is to end,
# and for all of its ending.
_LOOK, _PATIENCE = 0.5, 60.0


class Sessions:
    """All of them; those that this process keeps have a task each until they have ended."""

    def __init__(self, follower: Follower, server: PaneServer, project: Project) -> None:
        self._follower = follower
        self._server = server
        self._project = project
        self._keepers: dict[str, asyncio.Task[None]] = {}
        self._adopted: set[str] = set()

    @property
    def own(self) -> set[str]:
        """The sessions that this process keeps."""
        return set(self._keepers)

    async def start(self, id: str, prompt: SessionPrompt) -> Session:
        """As the contract's start_session. A caller that is cancelled leaves nothing behind."""
        starting = asyncio.create_task(self._start(id, prompt))
        try:
            return records.session(await asyncio.shield(starting))
        except asyncio.CancelledError:
            await asyncio.wait([starting])
            if starting.exception() is None:
                await self.end(id, SessionEndMode.CANCELED, new_nonce())
            raise

    async def pause(self, id: str, nonce: ConfirmNonce) -> Session:
        """As the contract's pause_session."""
        return await self._turn(id, "pause", nonce, SessionStatus.SUSPENDED)

    async def resume(self, id: str, nonce: ConfirmNonce) -> Session:
        """As the contract's resume_session."""
        return await self._turn(id, "resume", nonce, None)

    async def end(
        self,
        id: str,
        mode: SessionEndMode,
        nonce: ConfirmNonce,
    ) -> Session:
        """As the contract's end_session."""
        asked = to_end(mode, SessionCloseReason.USER_STOP, nonce)
        end = await self._own_end(id, nonce) or asked
        await asyncio.to_thread(ledger.append_if, id, end)
        return records.session(await self._ended(id))

    async def end_idle(self, id: str, is_idle: Callable[[SessionState], bool]) -> bool:
        """End it if that holds at the moment when its end goes on record; whether it did."""
        asked = to_end(SessionEndMode.CANCELED, SessionCloseReason.IDLE_TIMEOUT)
        end = await self._own_end(id) or asked

        def choose(state: SessionState, plane: Plane) -> bytes:
            return end(state, plane) if is_idle(state) else b""

        state = await asyncio.to_thread(ledger.append_if, id, choose)
        if records.plane_of(state).ending is None:
            return False
        await self._ended(id)
        return True

    async def adopt(self, id: str) -> str | None:
        """Keep a session whose owner has died, or clear it away; what was done, None if nothing."""
        scope = Scope(id, self._server)
        if not await asyncio.to_thread(scope.lock.take):
            return None
        try:
            state = await asyncio.to_thread(ledger.read, id, "session")
            plane = records.plane_of(state)
            if plane.started_at is None or plane.ended_at is not None:
                scope.lock.release()
                return None
            if plane.ending is None:
                agent = agent_of(state)
                if agent is not None and is_alive(agent):
                    await self._take_over(scope, state)
                    return "adopted"
                end = await asyncio.to_thread(scope.closing, state)
                state = await asyncio.to_thread(ledger.append_if, id, end)
            await scope.release(state)
            return "ended"
        except BaseException:
            scope.lock.release()
            raise
        finally:
            self._follower.look(id)

    async def kept(self, id: str) -> None:
        """Wait until we keep it no more. Raises AdaptorError where it could not be ended."""
        keeper = self._keepers.get(id)
        if keeper is not None:
            await asyncio.shield(keeper)

    async def close(self, *, detach: bool) -> set[str]:
        """End the sessions that were started here, unless `detach`; give up those that are left.

        Those that were adopted are left in any case: nobody here has begun them.
        Gives those. Raises AdaptorError where one cannot be ended.
        """
        own = self.own if detach else self.own & self._adopted
        ends = (self.end(id, SessionEndMode.CANCELED, new_nonce()) for id in self.own - own)
        ended = await asyncio.gather(*ends, return_exceptions=True)
        # Some of them may have ended by themselves meanwhile.
        tasks = {id: self._keepers[id] for id in own & self.own}
        for task in tasks.values():
            task.cancel()
        await asyncio.gather(*tasks.values(), return_exceptions=True)
        for failure in ended:
            if isinstance(failure, BaseException):
                raise failure
        return {id for id, task in tasks.items() if task.cancelled()}

    async def _start(self, id: str, prompt: SessionPrompt) -> SessionState:
        scope = Scope(id, self._server)
        try:
            begun = await asyncio.to_thread(self._begin, scope, prompt)
        except BaseException:
            scope.lock.release()
            raise
        self._follower.look(id)
        try:
            state = await asyncio.to_thread(begun)
        except BaseException:
            end = to_end(SessionEndMode.FAILED, SessionCloseReason.TRANSPORT_ERROR)
            try:
                await scope.release(await asyncio.to_thread(ledger.append_if, id, end))
            finally:
                scope.lock.release()
                self._follower.look(id)
            raise
        self._follower.look(id)
        self._keep(scope)
        return state

    def _begin(self, scope: Scope, prompt: SessionPrompt) -> Callable[[], SessionState]:
        """Take the lock, put the start on record; gives what then opens its pane. Blocking."""
        id = scope.session_id
        # In one go: those who wait for the lock may have taken every other thread.
        take(scope.lock, id, partial(check_open, id))
        state = ledger.read(id, "assignment")
        agent, launch = self._project.launch(state, prompt)
        argv, folder = launch.argv, self._project.root
        held = records.held_workspace(state)
        if held is not None:
            with ledger.boundary():
                argv = workspaces.wrap(held, launch, agent, sockets=[self._server.socket])
            folder = held.worktree_path or folder

        def choose(state: SessionState, _: Plane) -> bytes:
            check_reserved(state)
            return frames.started(id, agent_type=launch.agent_type, lock=scope.lock_name)

        ledger.append_if(id, choose, "assignment")

        def opened() -> SessionState:
            with ledger.boundary():
                announce(launch)
            # Scoped, the pane's folder is that of the sandbox's own program, not of the agent.
            pane = open_pane(self._server, launch, argv, folder, is_scoped=held is not None)
            return ledger.append_if(id, lambda *_: frames.opened(id, pane))

        return opened

    async def _turn(
        self, id: str, op: str, nonce: ConfirmNonce, after: SessionStatus | None
    ) -> Session:
        """Pause or resume it, on record first."""
        pauses = op == "pause"
        changes = False

        def choose(state: SessionState, plane: Plane) -> bytes:
            nonlocal changes
            if plane.ending is not None or plane.ended_at is not None:
                raise AdaptorError(ErrorKind.SESSION_CLOSED, f"{id}: it has ended, or is about to")
            if f"{op}:{nonce}" in plane.nonces:
                return b""
            # One that changes nothing is on record too: its nonce must not take effect later.
            changes = plane.paused is not pauses
            line = frames.turned(id, op, nonce=nonce, before=records.status(state), after=after)
            return (sample(state, plane) if pauses and changes else b"") + line

        await self._started(id)
        state = await asyncio.to_thread(ledger.append_if, id, choose)
        self._follower.look(id)
        if changes:
            await Scope(id, self._server).settle(state)
        return records.session(state)

    async def _own_end(self, id: str, nonce: ConfirmNonce | None = None) -> ledger.Choose | None:
        """What is to be recorded of an agent that has ended by itself; None of any other."""
        state = await self._started(id)
        if records.plane_of(state).ending is not None or not is_gone(state):
            return None
        return await asyncio.to_thread(Scope(id, self._server).closing, state, nonce)

    async def _started(self, id: str) -> SessionState:
        state = await asyncio.to_thread(ledger.read, id, "session")
        if records.plane_of(state).started_at is None:
            raise not_found("session", id)
        return state

    async def _ended(self, id: str) -> SessionState:
        """Wait until it has ended, whoever keeps it; take it over from an owner that died."""
        self._follower.look(id)
        deadline = time.monotonic() + _PATIENCE
        while time.monotonic() < deadline:
            keeper = self._keepers.get(id)
            if keeper is not None:
                await asyncio.shield(keeper)
            else:
                await self.adopt(id)
            state = await self._follower.until(id, _is_over, timeout=_LOOK)
            if state is not None:
                return state
            state = await asyncio.to_thread(ledger.read, id, "session")
            if _is_over(state):
                return state
        told = f"{id}: whoever keeps it did not end it in {_PATIENCE:.0f} s"
        raise AdaptorError(ErrorKind.ADAPTOR_DEGRADED, told)

    async def _take_over(self, scope: Scope, state: SessionState) -> None:
        id, lock = scope.session_id, scope.lock_name
        await asyncio.to_thread(ledger.append_if, id, lambda *_: frames.adopted(id, lock=lock))
        await scope.settle(state)
        self._keep(scope)
        self._adopted.add(id)

    def _keep(self, scope: Scope) -> None:
        task = asyncio.create_task(Keeper(scope, self._follower).keep())
        self._keepers[scope.session_id] = task
        task.add_done_callback(lambda done: self._forget(scope.session_id, done))

    def _forget(self, id: str, done: asyncio.Task[None]) -> None:
        del self._keepers[id]
        self._adopted.discard(id)
        if not done.cancelled():
            # Looked at, so that it is no task's unheard cry: whoever ends it next is told again.
            done.exception()


def _is_over(state: SessionState) -> bool:
    return records.plane_of(state).ended_at is not None
