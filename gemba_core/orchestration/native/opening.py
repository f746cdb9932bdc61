"""Opening the native adaptor."""

import asyncio
import os
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from gemba_core import caller, home
from gemba_core.lifelock import is_held
from gemba_core.orchestration.error import AdaptorError, ErrorKind
from gemba_core.orchestration.feed import CAPACITY
from gemba_core.orchestration.native import places
from gemba_core.orchestration.native.adaptor import NativeAdaptor
from gemba_core.orchestration.native.adoption import recover
from gemba_core.orchestration.native.follower import SELDOM, STEP, Follower
from gemba_core.orchestration.native.project import Project
from gemba_core.orchestration.native.tending import Tending
from gemba_core.orchestration.native.tmux import TmuxServer
from gemba_core.orchestration.work.reservations import TTL
from gemba_core.processes import ancestry, is_alive

# Seconds that a keeper has to begin, and between two looks at whether it has.
_PATIENCE, _POLL = 15.0, 0.02


@asynccontextmanager
async def open_native(
    root: str | None = None,
    *,
    detach: bool = False,
    mend: bool = True,
    ttl: float = TTL,
    capacity: int = CAPACITY,
    step: int = STEP,
) -> AsyncIterator[NativeAdaptor]:
    """The adaptor for the project in `root`, else for the nearest with `.gemba/agents.toml`.

    What owners that died have left is mended first, unless `mend` is off. The
    sessions that are started within end with the block; with `detach`, and if
    they were adopted, each goes to a process of its own, which keeps it by then. A
    reservation holds for `ttl` seconds, a subscriber's queue `capacity` events;
    what other processes do is looked for every `step` milliseconds. Raises
    AdaptorError.
    """
    if not os.path.isdir("/proc/self"):
        told = "native sessions need Linux: without /proc the processes of a session are not known"
        raise AdaptorError(ErrorKind.UNSUPPORTED, told)
    follower = Follower(capacity, step)
    adaptor = NativeAdaptor(follower, TmuxServer(), Project(root), ttl=ttl)
    async with follower.following():
        tending: list[asyncio.Task[None]] = []
        try:
            if mend:
                adaptor.recovered = tuple(await recover(adaptor.sessions))
            # Not before: it mends too, and what one of the two has in hand the other passes over.
            tending.append(
                asyncio.create_task(
                    Tending(follower, adaptor.sessions, adaptor.server, mends=mend).run()
                )
            )
            yield adaptor
        finally:
            for task in tending:
                task.cancel()
            await asyncio.gather(*tending, return_exceptions=True)
            await asyncio.shield(_leave(adaptor, detach=detach))


async def keep(session_id: str) -> None:
    """Keep that session until it has ended, if nobody else does. Raises AdaptorError."""
    # There may be many of us, for long: no folder is held on to, and little of the processor.
    os.chdir("/")
    async with open_native(mend=False, step=SELDOM) as adaptor:
        await adaptor.sessions.adopt(session_id)
        await adaptor.sessions.kept(session_id)


async def _leave(adaptor: NativeAdaptor, *, detach: bool) -> None:
    left = await adaptor.sessions.close(detach=detach)
    await asyncio.gather(*map(_keep_on, left))


async def _keep_on(session_id: str) -> None:
    """Hand the session to a process of its own, which keeps it by then, or has seen it end."""
    keeper = ancestry(_keeper(session_id))[:1]
    deadline = time.monotonic() + _PATIENCE
    while any(map(is_alive, keeper)) and not is_held(places.scope_lock_path(session_id)):
        if time.monotonic() >= deadline:
            return  # it may only be slow, and whoever opens the adaptor next looks after it
        await asyncio.sleep(_POLL)


def _keeper(session_id: str) -> int:
    """A new process that keeps the session, and belongs to no session itself."""
    program = os.path.join(os.path.dirname(sys.executable), "gemba")
    inherited = caller.environment()
    ours = {name: value for name, value in inherited.items() if not name.startswith("GEMBA_")}
    null = [(os.POSIX_SPAWN_OPEN, fd, os.devnull, os.O_RDWR, 0) for fd in range(3)]
    # Not by subprocess, which wants to see the end of what it started.
    return os.posix_spawn(
        program,
        [program, "sessions", "keep", session_id],
        {**ours, "GEMBA_HOME": home.home()},
        file_actions=null,
        setsid=True,
    )
