"""A permission decided in the inbox: the agent's hook waits, bounded, for the operator.

No decision in time, or anything wrong: nothing is printed, and the client's own
dialog decides. Imported only for a permission that is to be decided here.
"""

from dataclasses import dataclass

from gemba_bridge.inbox import decided, give_up, hand_in, patience
from gemba_core import home
from gemba_core.clients import client_of
from gemba_core.clients.client import Decision
from gemba_core.frame.record import loads
from gemba_core.journal import Journal
from gemba_core.lifelock import LifeLock
from gemba_core.log import append_hook

_NO_COMMAND = "this call takes no other command: the agent's own dialog decides"


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
    client, seconds = client_of(agent_type), 0.0
    asked = loads(request.data)
    if client.decide is not None and asked.get("tool_name") not in client.own_dialogs:
        seconds = patience(client, agent_type, "permissions")
    if client.decide is None or not seconds:
        append_hook(path, request.line)
        return
    with LifeLock(home.wait_lock_path(request.session_id, request.event_id)) as lock:
        # Locked before it is recorded: whoever sees it open knows that we wait.
        lock.take()
        append_hook(path, request.line)
        with Journal(request.session_id) as journal:
            done = decided(journal, [request.event_id], seconds)
            if done is None:
                return
            [one] = done
            if one.kind == "modify" and asked.get("tool_name") not in client.edits_commands_of:
                # Refused where the operator answers, so this came another way.
                journal.append_if(lambda state: give_up(state, one.resolution_id, _NO_COMMAND))
                return
            decision = Decision(one.kind, one.value, one.always, asked)
            hand_in(journal, done, client.decide(decision), lock)
