"""What a dispatched agent says of its work item in its own log, where it sees nothing else.

A sandbox may hide the queue, or Beads, from the agent: then whoever dispatched
it reads the log, and passes it on. Source: wire.md, "Hooks of Gemba's own".
"""

import asyncio
import os

import msgspec

from gemba_core.frame.record import strictly
from gemba_core.home import log_path
from gemba_core.journal import Journal
from gemba_core.log import record
from gemba_core.orchestration.work.item import WorkItem
from gemba_core.orchestration.work.plane import WorkPlane
from gemba_core.tail import Position, open_log, read

_HOOK = "GembaWork"
_DONE = "done"


class _Said(msgspec.Struct, frozen=True):
    """GembaWork: `op` is done."""

    op: str
    work_item_id: str
    reason: str = ""


def is_given(session_id: str, work_item_id: str) -> bool:
    """Whether the session was started for that item. Raises LogError."""
    with Journal(session_id) as journal:
        journal.advance()
        plane = journal.state.plane
    return plane is not None and plane.work_item_id == work_item_id


def say_done(session_id: str, work_item_id: str, reason: str = "") -> None:
    """Put it into the session's log that the item is done. Raises LogError."""
    record(session_id, _HOOK, {"op": _DONE, "work_item_id": work_item_id, "reason": reason})


def said_done(session_id: str, work_item_id: str) -> str | None:
    """With what words the session said that the item is done; None: it did not. Raises LogError."""
    fd = open_log(log_path(session_id))
    if fd is None:
        return None
    try:
        for batch in read(fd, Position()):
            for frame in batch.frames:
                if frame.hook != _HOOK or frame.session_id != session_id:
                    continue
                said = strictly(frame.payload, _Said)
                if said and (said.op, said.work_item_id) == (_DONE, work_item_id):
                    return said.reason
    finally:
        os.close(fd)
    return None


async def pass_on(work: WorkPlane, item: WorkItem, session_id: str) -> WorkItem:
    """Tell the WorkPlane if the session has said that the item is done; how it stands then.

    Only while the session's claim holds: what somebody else has by now is
    theirs. Raises AdaptorError, LogError.
    """
    reason = await asyncio.to_thread(said_done, session_id, item.id)
    if reason is None:
        return await work.read(item.id)
    return await work.complete(item.id, item.claim, reason)
