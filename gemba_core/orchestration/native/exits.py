"""Waiting for the end of a process that is no child of ours."""

import asyncio
import os

from gemba_core.processes import is_alive

# Seconds between two looks, where the kernel cannot tell us by itself.
_POLL = 0.1


async def exited(process: tuple[int, int]) -> None:
    """Wait until this very process has ended; none is polled where the kernel has pidfds."""
    try:
        fd = os.pidfd_open(process[0])
    except ProcessLookupError:
        return
    except OSError:
        await _polled(process)
        return
    try:
        # Checked behind the descriptor: from here on the id can be nobody else's.
        if is_alive(process):
            await _readable(fd)
    finally:
        os.close(fd)


async def _readable(fd: int) -> None:
    loop = asyncio.get_running_loop()
    ended = asyncio.Event()
    loop.add_reader(fd, ended.set)
    try:
        await ended.wait()
    finally:
        loop.remove_reader(fd)


async def _polled(process: tuple[int, int]) -> None:
    while is_alive(process):
        await asyncio.sleep(_POLL)
