"""A permission decided in the inbox: the agent's hook waits, bounded, for the operator.

No decision in time, or anything wrong: nothing is printed, and the client's own
dialog decides. Imported only for a permission that is to be decided here.
"""

import json
import os
import time
from dataclasses import dataclass

from gemba_core import home
from gemba_core.clients import Client, client_of
from gemba_core.clients.client import Decision
from gemba_core.frame.record import loads
from gemba_core.journal import Journal
from gemba_core.lifelock import LifeLock
from gemba_core.log import append_hook, frame_line
from gemba_core.settings import permissions_of_agent
from gemba_core.translator import SessionState
from gemba_core.translator.change import Resolved

_POLL = 0.05


@dataclass(frozen=True, slots=True)
class Request:
    """One PermissionRequest: its frame's id and line, and what the client sent."""

    session_id: str
    event_id: str
    line: bytes
    data: bytes


def record_and_wait(request: Request, agent_type: str) -> None:
    """Record the request; where the agent's permissions are the inbox's, wait and answer.

    Raises GembaError.
    """
    path = home.log_path(request.session_id)
    client, patience = client_of(agent_type), 0.0
    asked = loads(request.data)
    if client.decide is not None and asked.get("tool_name") not in client.own_dialogs:
        patience = _patience(client, agent_type)
    if not patience:
        append_hook(path, request.line)
        return
    with LifeLock(home.wait_lock_path(request.session_id, request.event_id)) as lock:
        # Locked before it is recorded: whoever sees it open knows that we wait.
        lock.take()
        append_hook(path, request.line)
        with Journal(request.session_id) as journal:
            resolution = _decided(journal, request.event_id, patience)
            if resolution is not None:
                _answer(journal, client, asked, resolution, lock)


def _patience(client: Client, agent_type: str) -> float:
    agents = home.agents_path()
    given = permissions_of_agent(agents, agent_type) if agents else None
    if given is None:
        return 0.0
    return given or client.permission_patience


def _decided(journal: Journal, event_id: str, patience: float) -> Resolved | None:
    """The operator's decision; None if the time is up, or the pane was faster."""
    deadline = time.monotonic() + patience
    while True:
        journal.advance()
        item = journal.state.find(event_id)
        if item is None or item.state in ("canceled", "expired"):
            return None
        if item.state == "resolved":
            return journal.resolutions.get(event_id)
        if time.monotonic() >= deadline:
            return None
        time.sleep(_POLL)


def _answer(
    journal: Journal,
    client: Client,
    asked: dict[str, object],
    resolution: Resolved,
    lock: LifeLock,
) -> None:
    """Claim, print, record: the next hook of the agent is the receipt."""
    held = os.path.relpath(lock.path, home.home())

    def claim(state: SessionState) -> bytes | None:
        answer = state.answers.get(resolution.resolution_id)
        if answer is None or answer.status not in ("queued", "held"):
            return None
        return _line(journal.session_id, resolution, "claimed", held)

    if resolution.kind == "defer" or not journal.append_if(claim):
        return
    assert client.decide is not None
    decision = Decision(resolution.kind, resolution.value, resolution.always, asked)
    printed = json.dumps(client.decide(decision)).encode()
    try:
        written = os.write(1, printed)
    except OSError:
        written = 0
    status = "submitted" if written == len(printed) else "failed"
    journal.append_if(lambda _: _line(journal.session_id, resolution, status))


def _line(session_id: str, resolution: Resolved, status: str, lock: str | None = None) -> bytes:
    payload: dict[str, object] = {
        "resolution_id": resolution.resolution_id,
        "attempt": 1,
        "status": status,
        "by": "hook",
        "lock": lock,
    }
    return frame_line(session_id, "GembaDelivery", payload)
