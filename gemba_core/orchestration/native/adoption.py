"""Mending what an owner that died has left: every session is adopted, or ended.

Source: spec 003, "Scope-first session lifecycle".
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from gemba_core.home import safe_id
from gemba_core.lifelock import LifeLock, is_held, sweep
from gemba_core.orchestration.error import AdaptorError
from gemba_core.orchestration.native import claims, ledger, places, records, workspaces
from gemba_core.orchestration.native.sessions import Sessions
from gemba_core.translator import SessionState


@dataclass(frozen=True, slots=True)
class Recovered:
    """What became of one: `adopted`, `ended`, `given back`, `workspace released` or `failed`."""

    id: str
    what: str
    why: str | None = None

    def line(self) -> str:
        """For a person."""
        return f"{self.id}: {self.what}" + (f" ({self.why})" if self.why else "")


async def recover(sessions: Sessions) -> list[Recovered]:
    """Do so with all that nobody keeps; what was done with each. Raises AdaptorError."""
    found = [
        *await asyncio.gather(
            *(
                _session(sessions, state.session_id)
                for state in await asyncio.to_thread(ledger.kept)
                if records.plane_of(state).started_at is not None
            )
        ),
        *await asyncio.to_thread(_reservations),
    ]
    return [one for one in found if one is not None]


async def _session(sessions: Sessions, id: str) -> Recovered | None:
    try:
        done = await sessions.adopt(id)
    except AdaptorError as error:
        return Recovered(id, "failed", error.message)
    return Recovered(id, done) if done else None


def _reservations() -> list[Recovered]:
    """Those whose time is over, and workspaces that belong to nothing any more."""
    done = []
    for state in ledger.kept(ended=True):
        id, plane = state.session_id, records.plane_of(state)
        if claims.has_expired(plane):
            done.append(_done(id, "given back", partial(claims.give_back, id, "expired")))
        elif _is_left(state):
            done.append(_done(id, "workspace released", partial(claims.vacate, id)))
    swept = _done("workspaces", "swept", _sweep)
    return [*done, swept] if swept.why else done


def _done(id: str, what: str, action: Callable[[], object]) -> Recovered:
    """What was done with one: a failure is its own, and told."""
    try:
        with ledger.boundary():
            action()
    except AdaptorError as error:
        return Recovered(id, "failed", error.message)
    return Recovered(id, what)


def _sweep() -> None:
    """Remove what nothing on record speaks of; what somebody is at work on is left to him."""
    sweep(places.scopes_dir(), places.LOCK_SUFFIX)
    # The disk first: an assignment is on record before anything of its workspace is there.
    found = workspaces.present()
    wanted = {safe_id(one.session_id) for one in ledger.kept(ended=True) if _is_wanted(one)}
    for id in found:
        if safe_id(id) not in wanted:
            with LifeLock(places.scope_lock_path(id)) as lock:
                if lock.take():
                    workspaces.clear(id)


def _is_left(state: SessionState) -> bool:
    """Whether its workspace has outlived it, and nobody is at work on that."""
    if not _is_over(state) or records.held_workspace(state) is None:
        return False
    return not is_held(places.scope_lock_path(state.session_id))


def _is_wanted(state: SessionState) -> bool:
    """Whether its workspace is in use, or still to be released as one on record."""
    return not _is_over(state) or records.held_workspace(state) is not None


def _is_over(state: SessionState) -> bool:
    plane = records.plane_of(state)
    return plane.ended_at is not None or plane.released_at is not None
