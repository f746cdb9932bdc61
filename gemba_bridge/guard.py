"""The surface guard: a call that leads out of the session's folders is refused.

Imported only where the session has a surface file. It fails closed: what cannot
be judged is refused, and the agent is told why.
"""

import json
import os
from collections.abc import Iterator
from typing import Any

from gemba_core import home
from gemba_core.clients import Client, client_at
from gemba_core.errors import GembaError
from gemba_core.surface import Touch, load, touches_of_call

_MAX_REASON = 2000


def is_refused(session_id: str, hook: str, agent_type: str, data: bytes) -> bool:
    """Judge the call; print a refusal in the client's own shape."""
    client = client_at(hook, agent_type)
    try:
        reason = _reason(home.surface_path(session_id), client, data)
    except GembaError as error:
        reason = str(error)
    except Exception as error:  # whatever it is, the call was not judged
        reason = f"the call could not be judged ({type(error).__name__}: {error})"
    if reason is None:
        return False
    assert client.refuse is not None
    said = f"Gemba's surface guard: {reason}"[:_MAX_REASON]
    os.write(1, json.dumps(client.refuse(said)).encode())
    return True


def _reason(path: str, client: Client, data: bytes) -> str | None:
    """Why the call is refused; None if it is not. Raises GembaError, ValueError."""
    surface = load(path)
    for touch in _touches(client, json.loads(data)):
        refusal = surface.refusal(touch)
        if refusal is not None:
            return refusal
    return None


def _touches(client: Client, call: Any) -> Iterator[Touch]:
    if not isinstance(call, dict) or not isinstance(call.get("tool_name"), str):
        raise ValueError("the hook's input names no tool")
    given = call.get("tool_input")
    # Not an object: some text, which is judged as the input of a tool that is not known.
    arguments = given if isinstance(given, dict) else {"input": given}
    folder = call.get("cwd")
    if not isinstance(folder, str) or not os.path.isabs(folder):
        folder = os.getcwd()
    return touches_of_call(client, call["tool_name"], arguments, folder)
