"""Ending sessions in which nothing happens any more.

Source: spec 003, "Active-turn protection".
"""

import asyncio
import os
import time
from collections.abc import Collection

from gemba_core import home
from gemba_core.orchestration.native import ledger, records
from gemba_core.orchestration.native.panes import Pane, PaneServer
from gemba_core.orchestration.native.sessions import Sessions
from gemba_core.panes import name_of
from gemba_core.translator import SessionState


async def reap(
    sessions: Sessions,
    server: PaneServer,
    idle_timeout: float,
    among: Collection[str] | None = None,
) -> list[str]:
    """End every session whose last sign of life is older than that, in seconds; which ones.

    With `among`, of these alone. Never one in the midst of a turn; nor one that
    waits for a person, or was paused by one. Raises AdaptorError.
    """
    ended = []
    panes = await asyncio.to_thread(server.panes)
    for state in await asyncio.to_thread(ledger.kept):
        if among is not None and state.session_id not in among:
            continue
        idle = time.time() - last_sign(state, panes) > idle_timeout
        if (
            idle
            and _may_be_ended(state)
            and await sessions.end_idle(state.session_id, _may_be_ended)
        ):
            ended.append(state.session_id)
    return ended


def last_sign(state: SessionState, panes: dict[str, Pane]) -> float:
    """When its log grew, or its pane showed something; in seconds since the epoch."""
    pane = panes.get(name_of(state.session_id))
    try:
        grown = os.stat(home.log_path(state.session_id)).st_mtime
    except OSError:
        grown = 0.0
    return max(grown, pane.active_at if pane else 0.0)


def _may_be_ended(state: SessionState) -> bool:
    plane = records.plane_of(state)
    if plane.started_at is None or plane.ending is not None or plane.ended_at is not None:
        return False
    return not (state.turn.open or plane.paused or state.is_blocked())
