"""A hook that waits, bounded, for the operator, and hands the decision to its client.

Imported only where something is to be decided in the inbox.
"""

import json
import time
from collections.abc import Sequence

from gemba_core import home
from gemba_core.clients import Client
from gemba_core.clients.client import Answer
from gemba_core.frame.vocabulary import DUE, RESOLUTION_KINDS
from gemba_core.handover import Handover, delivery_line
from gemba_core.journal import Journal
from gemba_core.lifelock import LifeLock
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

    Nothing is printed unless every one of the answers is still to be had; what
    could not be printed has failed, since nobody else can hand it in.
    """
    handover = Handover(journal, "hook", lock)
    if handover.claim(list(dict.fromkeys(resolution.resolution_id for resolution in done))):
        handover.print_out(json.dumps(answer).encode(), "submitted", again=False)


def give_up(state: SessionState, resolution_id: str | None, why: str) -> bytes:
    """The line that says that an answer was not handed in; nothing, if somebody has it in hand."""
    answer = state.answers.get(resolution_id or "")
    if answer is None or answer.status not in DUE:
        return b""
    return delivery_line(
        state.session_id, answer.id, answer.attempt, "failed", by="hook", detail=why
    )
