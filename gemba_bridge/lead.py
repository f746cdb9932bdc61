"""A turn that a skill leads: which tools it may call, and its end.

Imported only while a skill leads. It fails closed: a call that cannot be judged
is refused, and the agent is told why.
"""

import json
import os
from typing import Any

from gemba_core.clients import client_at
from gemba_core.skills import lead

_MAX_REASON = 2000


def is_refused(session_id: str, hook: str, agent_type: str, data: bytes) -> bool:
    """Judge the call; print a refusal in the client's own shape."""
    try:
        reason = _reason(session_id, data)
    except Exception as error:  # whatever it is, the call was not judged
        reason = f"the call could not be judged ({type(error).__name__}: {error})"
    if reason is None:
        return False
    client = client_at(hook, agent_type)
    assert client.refuse is not None
    os.write(1, json.dumps(client.refuse(f"Gemba: {reason}"[:_MAX_REASON])).encode())
    return True


def end_turn(session_id: str, hook: str, data: bytes) -> None:
    """The turn of the client that calls is over.

    Not by a Stop with tasks in the background, and not by a compaction, which
    begins a session only by name. Raises OSError.
    """
    call = call_of(data)
    goes_on = (hook == "Stop" and call.get("background_tasks")) or (
        hook == "SessionStart" and call.get("source") == "compact"
    )
    if not goes_on:
        lead.end(session_id, client_of_call(call))


def call_of(data: bytes) -> dict[str, Any]:
    """The hook's input; empty where it is no object, or was cut."""
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def client_of_call(call: dict[str, Any]) -> str:
    """The id of the client's own session, by which a child is told from its parent."""
    return str(call.get("session_id", ""))


def _reason(session_id: str, data: bytes) -> str | None:
    call = json.loads(data)
    leading = lead.current(session_id, client_of_call(call))
    if leading is None or leading.tools is None:
        return None
    given = call.get("tool_input")
    return leading.refusal(call["tool_name"], given if isinstance(given, dict) else {})
