"""A hook that waits, bounded, for the operator, and hands the decision to its client.

Imported only where something is to be decided in the inbox.
"""

import json
import os
import time
from collections.abc import Sequence

from gemba_core import home
from gemba_core.clients import Client
from gemba_core.clients.client import Answer
from gemba_core.frame.vocabulary import RESOLUTION_KINDS
from gemba_core.journal import Journal
from gemba_core.lifelock import LifeLock
from gemba_core.log import frame_line
from gemba_core.settings import inbox_patience
from gemba_core.translator import SessionState
from gemba_core.translator.change import Resolved

_POLL = 0.05
_DECISIONS = frozenset(RESOLUTION_KINDS) - {"defer"}


def patience(client: Client, agent_type: str, key: str) -> float:
    """Seconds that the hook may wait; 0 where the inbox does not decide (`key` says about what)."""
    agents = home.agents_path()
    given = inbox_patience(agents, agent_type, key) if agents else None
    if given is None:
        return 0.0
    return given or client.permission_patience


def decided(journal: Journal, ids: Sequence[str], seconds: float) -> list[Resolved] | None:
    """What was decided about all of them, in their order.

    None if the time is up, one was closed or deferred, or the pane was faster.
    """
    deadline = time.monotonic() + seconds
    while True:
        journal.advance()
        items = [journal.state.find(one) for one in ids]
        if any(item is None or item.state in ("canceled", "expired") for item in items):
            return None
        done = [journal.resolutions[item.id] for item in items if item and item.state == "resolved"]
        if any(resolution.kind not in _DECISIONS for resolution in done):
            return None
        if len(done) == len(items):
            return done
        if time.monotonic() >= deadline:
            return None
        time.sleep(_POLL)


def hand_in(journal: Journal, done: Sequence[Resolved], answer: Answer, lock: LifeLock) -> None:
    """Claim, print, record: the next hook of the agent is the receipt.

    Nothing is printed unless every one of the answers is still to be had.
    """
    held = os.path.relpath(lock.path, home.home())
    ids = list(dict.fromkeys(resolution.resolution_id for resolution in done))

    def claim(state: SessionState) -> bytes | None:
        if not all(is_due(state, one) for one in ids):
            return None
        return _lines(journal.session_id, ids, "claimed", lock=held)

    if not journal.append_if(claim):
        return
    printed = json.dumps(answer).encode()
    try:
        written = os.write(1, printed)
    except OSError:
        written = 0
    status = "submitted" if written == len(printed) else "failed"
    journal.append_if(lambda _: _lines(journal.session_id, ids, status))


def is_due(state: SessionState, resolution_id: str | None) -> bool:
    """Whether nobody has that answer in hand yet."""
    answer = state.answers.get(resolution_id or "")
    return answer is not None and answer.status in ("queued", "held")


def failed(session_id: str, resolution_id: str, why: str) -> bytes:
    """The line that says that an answer was not handed in."""
    return _lines(session_id, [resolution_id], "failed", detail=why)


def _lines(
    session_id: str,
    ids: Sequence[str],
    status: str,
    *,
    lock: str | None = None,
    detail: str | None = None,
) -> bytes:
    return b"".join(
        frame_line(
            session_id,
            "GembaDelivery",
            {
                "resolution_id": one,
                "attempt": 1,
                "status": status,
                "by": "hook",
                "detail": detail,
                "lock": lock,
            },
        )
        for one in ids
    )
