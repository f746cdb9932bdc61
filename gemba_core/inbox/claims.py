"""Looking after an escalation for a while, so that two operators do not do the same work.

A claim binds nobody: the first answer counts, whoever gives it. It ends with
its time, with a release, or when the escalation is settled.
"""

import time

from gemba_core.errors import AlreadySettled
from gemba_core.expiry import is_claimed
from gemba_core.frame.line import timestamp
from gemba_core.inbox.actor import Actor
from gemba_core.inbox.find import as_it_stands, find_all
from gemba_core.inbox.settle import NotAsExpected, append_each
from gemba_core.index import Escalation, Index
from gemba_core.log import frame_line
from gemba_core.translator import SessionState
from gemba_core.translator import state as fold_state


def claim(
    index: Index, prefixes: list[str], *, seconds: float, actor: Actor
) -> tuple[list[Escalation], str]:
    """Claim these open escalations for so long, all or none; they, and until when.

    One's own claim is prolonged. Raises NotFound, AlreadySettled (also where
    another's claim still runs), Refused, LogError; then nothing was written.
    """
    until = timestamp(time.time_ns() + int(seconds * 1_000_000_000))
    found = find_all(index, prefixes)
    for item in found:
        actor.check(item)

    def is_done(state: SessionState, item: fold_state.Escalation) -> bool:
        if item.state != "open":
            raise NotAsExpected(state.session_id, item.id)
        if is_claimed(item) and item.claimed_by != actor.name:
            raise _Taken(state.session_id, item.id)
        return False

    def frame(session_id: str, items: list[fold_state.Escalation]) -> bytes:
        return b"".join(
            frame_line(
                session_id,
                "GembaClaim",
                {"escalation_id": item.id, "by": actor.name, "until": until},
            )
            for item in items
        )

    try:
        append_each(index, found, is_done, frame)
    except _Taken as taken:
        index.catch_up()
        raise _conflict(index, taken) from None
    return found, until


def release(index: Index, prefixes: list[str], *, actor: Actor) -> list[Escalation]:
    """End the claims of these, whoever holds them; all or none. Raises as `claim`."""
    found = find_all(index, prefixes)
    for item in found:
        actor.check(item)

    def is_done(state: SessionState, item: fold_state.Escalation) -> bool:
        if item.state != "open":
            raise NotAsExpected(state.session_id, item.id)
        return item.claimed_by is None

    append_each(
        index, found, is_done, lambda session_id, items: _released(session_id, items, actor.name)
    )
    return found


def lapse(index: Index, now: int) -> int:
    """Release the claims that have run out by `now` (microseconds); how many. Raises LogError."""

    def is_done(_: SessionState, item: fold_state.Escalation) -> bool:
        return item.state != "open" or item.claimed_by is None or is_claimed(item)

    lapsed = [as_it_stands(index, *one) for one in index.lapsed_claims(now)]
    if lapsed:
        append_each(
            index, lapsed, is_done, lambda session_id, items: _released(session_id, items, "policy")
        )
    return len(lapsed)


class _Taken(Exception):
    """The log says that somebody else looks after it."""

    def __init__(self, session_id: str, escalation_id: str) -> None:
        super().__init__(escalation_id)
        self.session_id = session_id
        self.escalation_id = escalation_id


def _conflict(index: Index, taken: _Taken) -> AlreadySettled:
    """Who has it, and until when."""
    item = as_it_stands(index, taken.session_id, taken.escalation_id)
    return AlreadySettled(
        f"{item.id}: {item.claimed_by} looks after it until {item.claimed_until}; "
        f"`gemba escalations release {item.id}` ends that",
        item,
    )


def _released(session_id: str, items: list[fold_state.Escalation], by: str) -> bytes:
    return b"".join(
        frame_line(session_id, "GembaRelease", {"escalation_id": item.id, "by": by})
        for item in items
    )
