"""Asking and answering for real, in a session of our own."""

import os
import subprocess
import sys
import time

from gemba_core import caller, home
from gemba_core.frame.line import new_event_id
from gemba_core.inbox.actor import Actor
from gemba_core.inbox.opened import use_index
from gemba_core.inbox.settle import respond
from gemba_core.index import Filter, Index

_PATIENCE = 15.0
_POLL = 0.05
_ANSWER = "here"


def round_trip() -> str | None:
    """Ask with the installed gemba-ask, answer, compare; why it failed, None if it did not.

    The session's log is removed again. Raises GembaError, OSError, SubprocessError.
    """
    session_id = f"doctor-{new_event_id()}"
    asking = subprocess.Popen(
        [
            os.path.join(os.path.dirname(sys.executable), "gemba-ask"),
            *("--kind", "question", "--role", "coach", "--text", "gemba doctor: are you there?"),
            *("--wait", "--timeout", f"{_PATIENCE:g}s"),
        ],
        env=caller.child_environment(session_id),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        problem = _answered(session_id, asking)
        said, complaint = asking.communicate(timeout=_PATIENCE)
    finally:
        asking.kill()
        asking.wait()
        if os.path.lexists(home.log_path(session_id)):
            os.unlink(home.log_path(session_id))
    if problem is None and said.strip() != _ANSWER:
        problem = f"gemba-ask printed {said.strip()!r}: {complaint.strip()}"
    return problem


def _answered(session_id: str, asking: "subprocess.Popen[str]") -> str | None:
    deadline = time.monotonic() + _PATIENCE
    actor = Actor("gemba doctor", "cli")

    def answer(index: Index) -> bool:
        found = index.escalations(Filter(session=session_id))
        for item in found:
            respond(
                index,
                [item.id],
                kind="modify",
                value=_ANSWER,
                actor=actor,
                nonce=new_event_id(),
            )
        return bool(found)

    while not use_index(answer):
        if asking.poll() is not None:
            return "gemba-ask ended before it was answered"
        if time.monotonic() >= deadline:
            return "the question did not come into the inbox"
        time.sleep(_POLL)
    return None
